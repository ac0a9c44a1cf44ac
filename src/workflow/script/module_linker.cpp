#include "workflow/script/module_linker.h"

#include "base/nearest_match.h"
#include "workflow/script/embedded.h"
#include "workflow/script/jsc.h"

#include <array>
#include <utility>

namespace hyperscale::workflow {
namespace {

std::vector<std::string> texts_of(JSContextRef context, JSValueRef array) {
  std::vector<std::string> texts;
  const std::size_t count = jsc::length_of(context, array);
  texts.reserve(count);
  for (std::size_t i = 0; i < count; ++i) texts.push_back(jsc::text_of(context, jsc::element(context, array, i)));
  return texts;
}

SourceProvider* provider = nullptr;  // set while a linker runs

JSValueRef load(JSContextRef context, JSObjectRef, JSObjectRef, std::size_t count, const JSValueRef arguments[],
                JSValueRef*) {
  const std::optional<std::string> text =
      count > 0 ? provider->read(jsc::text_of(context, arguments[0])) : std::nullopt;
  return text ? jsc::make_text(context, *text) : JSValueMakeNull(context);
}

JSValueRef nearest(JSContextRef context, JSObjectRef, JSObjectRef, std::size_t count, const JSValueRef arguments[],
                   JSValueRef*) {
  if (count < 2) return JSValueMakeNull(context);
  const auto near = nearest_match(jsc::text_of(context, arguments[0]), texts_of(context, arguments[1]));
  return near ? jsc::make_text(context, *near) : JSValueMakeNull(context);
}

Location place_of(JSContextRef context, JSValueRef object, const std::string& file) {
  return {.file = file,
          .line = static_cast<std::uint32_t>(jsc::number_of(context, jsc::property(context, object, "line"))),
          .column = static_cast<std::uint32_t>(jsc::number_of(context, jsc::property(context, object, "column")))};
}

template <typename T, typename Read>
std::vector<T> list_of(JSContextRef context, JSValueRef array, Read read) {
  std::vector<T> list;
  const std::size_t count = jsc::length_of(context, array);
  list.reserve(count);
  for (std::size_t i = 0; i < count; ++i) list.push_back(read(jsc::element(context, array, i)));
  return list;
}

ClassMember read_member(JSContextRef context, JSValueRef value, const std::string& file) {
  return {.name = jsc::text_property(context, value, "name"),
          .is_static = JSValueToBoolean(context, jsc::property(context, value, "isStatic")),
          .place = place_of(context, value, file),
          .marks = list_of<SourceMark>(context, jsc::property(context, value, "marks"), [&](JSValueRef mark) {
            return SourceMark{.text = jsc::text_property(context, mark, "text"),
                              .place = place_of(context, mark, file)};
          })};
}

ClassSource read_class(JSContextRef context, JSValueRef value, const std::string& file) {
  return {.name = jsc::text_property(context, value, "name"),
          .extends_workflow = JSValueToBoolean(context, jsc::property(context, value, "extendsWorkflow")),
          .place = place_of(context, value, file),
          .members = list_of<ClassMember>(context, jsc::property(context, value, "members"),
                                          [&](JSValueRef member) { return read_member(context, member, file); })};
}

std::vector<std::int32_t> indices(JSContextRef context, JSValueRef array) {
  return list_of<std::int32_t>(
      context, array, [&](JSValueRef index) { return static_cast<std::int32_t>(jsc::number_of(context, index)); });
}

SourceText read_source(JSContextRef context, JSValueRef value) {
  SourceText source{.file = jsc::text_property(context, value, "file"),
                    .text = jsc::text_property(context, value, "text"),
                    .edits = {}};
  source.edits = list_of<ColumnEdit>(context, jsc::property(context, value, "edits"), [&](JSValueRef edit) {
    const Location at = place_of(context, edit, "");
    return ColumnEdit{
        .line = at.line,
        .column = at.column,
        .shift = static_cast<std::int32_t>(jsc::number_of(context, jsc::property(context, edit, "shift")))};
  });
  return source;
}

ScriptErrors read_errors(JSContextRef context, JSValueRef array, SourceProvider& sources) {
  return list_of<ScriptError>(context, array, [&](JSValueRef value) {
    ScriptError error;
    error.message = jsc::text_property(context, value, "message");
    error.place = place_of(context, value, jsc::text_property(context, value, "file"));
    if (const auto text = sources.read(error.place.file)) {
      SourceBook book;
      book.add({.file = error.place.file, .text = *text, .edits = {}});
      error.source_line = book.line_at(error.place);
    }
    return error;
  });
}

// Parser and linker run in a context of their own, which is released after linking, with all its memory.
class LinkerWorld {
 public:
  explicit LinkerWorld(Engine& engine)
      : context_(JSGlobalContextCreateInGroup(JSContextGetGroup(engine.context()), nullptr)) {}
  ~LinkerWorld() { JSGlobalContextRelease(context_); }
  LinkerWorld(const LinkerWorld&) = delete;
  LinkerWorld& operator=(const LinkerWorld&) = delete;

  JSGlobalContextRef context() const { return context_; }

  JSValueRef run(std::string_view code, const char* name) {
    const jsc::Text text(code);
    const jsc::Text file{std::string_view(name)};
    JSValueRef exception = nullptr;
    JSValueRef value = JSEvaluateScript(context_, text.get(), nullptr, file.get(), 1, &exception);
    return exception == nullptr ? value : nullptr;
  }

  JSValueRef function(const char* name, JSObjectCallAsFunctionCallback callback) {
    return JSObjectMakeFunctionWithCallback(context_, jsc::Text(std::string_view(name)).get(), callback);
  }

 private:
  JSGlobalContextRef context_;
};

ScriptErrors only(std::string message, const std::string& file) {
  return {ScriptError{.message = std::move(message), .place = {.file = file}, .source_line = {}, .stack = {}}};
}

}  // namespace

tl::expected<LinkedProgram, ScriptErrors> link_modules(Engine& engine, SourceProvider& sources,
                                                       const std::string& entry,
                                                       const std::vector<std::string>& built_in) {
  LinkerWorld world(engine);
  JSContextRef context = world.context();
  world.run(embedded::acorn_js(), "hyperscale:acorn");
  JSValueRef link = world.run(embedded::linker_js(), "hyperscale:linker");
  if (link == nullptr) return tl::unexpected(only("the module linker does not load", entry));

  // The collector finds values on the stack and in objects, but not in a vector.
  JSValueRef exception = nullptr;
  JSObjectRef name_list = JSObjectMakeArray(context, 0, nullptr, &exception);
  for (std::size_t i = 0; i < built_in.size(); ++i)
    JSObjectSetPropertyAtIndex(context, name_list, static_cast<unsigned>(i), jsc::make_text(context, built_in[i]),
                               nullptr);
  const std::array<JSValueRef, 5> arguments{jsc::property(context, JSContextGetGlobalObject(context), "acorn"),
                                            jsc::make_text(context, entry), world.function("load", load), name_list,
                                            world.function("nearest", nearest)};
  provider = &sources;
  const ScriptResult<ValueRef> linked =
      engine.call_in(world.context(), const_cast<JSObjectRef>(link), arguments, Budget::kLoad);
  provider = nullptr;
  if (!linked) return tl::unexpected(only("linking the modules: " + linked.error().message, entry));
  if (JSValueRef errors = jsc::property(context, *linked, "errors"); jsc::length_of(context, errors) > 0)
    return tl::unexpected(read_errors(context, errors, sources));

  LinkedProgram program;
  JSValueRef modules = jsc::property(context, *linked, "modules");
  for (std::size_t i = 0; i < jsc::length_of(context, modules); ++i) {
    JSValueRef module = jsc::element(context, modules, i);
    SourceText source = read_source(context, module);
    program.modules.push_back({.file = source.file,
                               .code = jsc::text_property(context, module, "code"),
                               .json = JSValueToBoolean(context, jsc::property(context, module, "json")),
                               .uses = indices(context, jsc::property(context, module, "uses")),
                               .stars = indices(context, jsc::property(context, module, "stars"))});
    const auto classes =
        list_of<ClassSource>(context, jsc::property(context, module, "classes"),
                             [&](JSValueRef value) { return read_class(context, value, source.file); });
    program.classes.insert(program.classes.end(), classes.begin(), classes.end());
    engine.sources().add(std::move(source));
  }
  return program;
}

}  // namespace hyperscale::workflow
