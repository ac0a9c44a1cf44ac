#include "workflow/describe.h"

#include "plan/arguments/headers.h"
#include "plan/raw_request.h"
#include "plan/url.h"
#include "workflow/graph_check.h"
#include "workflow/script/jsc.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::workflow {
namespace {

constexpr std::uint32_t kOpenUsersDefault = 1000;

// Reads a value of the script field by field.
class Field {
 public:
  Field(JSContextRef context, JSValueRef value) : context_(context), value_(value) {}

  Field operator[](const char* name) const { return {context_, jsc::property(context_, value_, name)}; }
  bool given() const { return !jsc::is_nothing(context_, value_); }
  std::string text() const { return given() ? jsc::text_of(context_, value_) : std::string(); }
  double number() const { return given() ? jsc::number_of(context_, value_) : 0; }
  bool flag() const { return JSValueToBoolean(context_, value_); }
  Duration ms() const { return Duration(static_cast<std::int64_t>(std::min(number() * 1e6, 9e18))); }
  std::vector<Field> list() const {
    std::vector<Field> fields;
    if (!given()) return fields;
    const std::size_t count = jsc::length_of(context_, value_);
    for (std::size_t i = 0; i < count; ++i) fields.emplace_back(context_, jsc::element(context_, value_, i));
    return fields;
  }
  std::vector<std::string> texts() const {
    std::vector<std::string> texts;
    for (const Field& field : list()) texts.push_back(field.text());
    return texts;
  }
  // A body: text or bytes.
  std::string bytes() const {
    return given() && !JSValueIsString(context_, value_) ? std::string(jsc::bytes_of(context_, value_)) : text();
  }

 private:
  JSContextRef context_;
  JSValueRef value_;
};

template <typename Pair>
std::vector<Pair> pairs(const Field& field) {
  std::vector<Pair> read;
  for (const Field& pair : field.list()) {
    const std::vector<std::string> texts = pair.texts();
    if (texts.size() == 2) read.push_back({.name = texts[0], .value = texts[1]});
  }
  return read;
}

MetricKind metric_kind(std::string_view name) {
  if (name == "counter") return MetricKind::kCounter;
  if (name == "gauge") return MetricKind::kGauge;
  return name == "rate" ? MetricKind::kRate : MetricKind::kTrend;
}

class Describer {
 public:
  explicit Describer(Runtime& runtime) : runtime_(runtime) {}

  tl::expected<Description, ScriptErrors> run() {
    const ScriptResult<ValueRef> declared = runtime_.declared();
    if (!declared) return tl::unexpected(ScriptErrors{declared.error()});
    const Field root(runtime_.engine().context(), *declared);
    for (const Field& field : root["workflows"].list()) read_workflow(field);
    for (const Field& metric : root["metrics"].list()) {
      const std::vector<std::string> pair = metric.texts();
      description_.metrics.push_back({.name = pair.at(0), .kind = metric_kind(pair.at(1))});
    }
    if (description_.workflows.empty()) errors_.push_back(no_workflow());
    check_unexported();
    for (const NameFault& fault : check_names(description_))
      add(fault.workflow, fault.member, fault.mark, fault.message);
    if (errors_.empty()) return std::move(description_);
    const auto order = [](const ScriptError& error) {
      return std::tie(error.place.file, error.place.line, error.place.column);
    };
    std::ranges::sort(errors_, {}, order);
    return tl::unexpected(std::move(errors_));
  }

 private:
  static plan::HookKind kind_of(std::string_view name) {
    if (name == "step") return plan::HookKind::kStep;
    if (name == "check") return plan::HookKind::kCheck;
    if (name == "metric") return plan::HookKind::kMetric;
    return name == "state" ? plan::HookKind::kState : plan::HookKind::kAction;
  }

  void read_workflow(const Field& field) {
    const std::size_t index = description_.workflows.size();
    lineages_.push_back(field["lineage"].texts());
    Workflow& workflow = description_.workflows.emplace_back();
    workflow.name = field["name"].text();
    workflow.place = place(index, "", "");
    read_load(index, field);
    const Field attributes = field["attributes"];
    workflow.base_url = attributes["baseUrl"].text();
    while (workflow.base_url.ends_with('/')) workflow.base_url.pop_back();
    const Field redirects = attributes["redirects"];
    workflow.redirects_anywhere = redirects.text() == "anywhere";
    if (redirects.given() && !workflow.redirects_anywhere)
      workflow.redirects = static_cast<std::uint32_t>(redirects.number());
    workflow.new_user_per_iteration = attributes["newUserPerIteration"].flag();
    workflow.start_after = field["durations"]["startAfter"].ms();
    workflow.depends = field["depends"].texts();
    workflow.tags = pairs<plan::Tag>(field["tags"]);
    if (attributes["priority"].given()) {
      const Result<plan::Priority> priority = plan::parse_priority(attributes["priority"].text());
      if (priority)
        workflow.priority = *priority;
      else
        add(index, "priority", "", priority.error().context);
    }
    for (const Field& each : field["thresholds"].list())
      workflow.thresholds.push_back({.text = each["threshold"].text(),
                                     .step = each["step"].text(),
                                     .check = each["check"].text(),
                                     .tag = each["tag"].text(),
                                     .metric = each["metric"].text(),
                                     .abort_on_fail = each["abortOnFail"].flag(),
                                     .delay = each["delay"].ms()});
    for (const Field& each : field["files"].list()) {
      const std::string deal = each["deal"].text();
      workflow.data.push_back({.name = each["name"].text(),
                               .file = each["file"].text(),
                               .format = each["format"].text(),
                               .delimiter = each["delimiter"].text(),
                               .deal = deal == "once"     ? Deal::kOnce
                                       : deal == "random" ? Deal::kRandom
                                                          : Deal::kRoundRobin});
    }
    for (const Field& hook : field["hooks"].list()) workflow.hooks.push_back(read_hook(index, workflow, hook));
    std::vector<plan::HookType> types;
    types.reserve(workflow.hooks.size());
    for (const Hook& hook : workflow.hooks) types.push_back(hook.type);
    workflow.is_test = plan::is_test_workflow(types);
    for (const Field& fault : field["faults"].list())
      if (const std::string name = fault["unlessRead"].text();
          name.empty() || runtime_.engine().sources().count_word(name) <= 1)
        add(index, fault["member"].text(), fault["mark"].text(), fault["message"].text());
    check_fields(index);
  }

  void read_load(std::size_t index, const Field& field) {
    plan::Load& load = description_.workflows[index].load;
    const Field attributes = field["attributes"];
    // The maximum of busy users: with only one, arrivals would be dropped whenever an answer takes a while.
    if (attributes["rate"].given()) load.vus = kOpenUsersDefault;
    if (attributes["vus"].given()) load.vus = static_cast<std::uint32_t>(std::min(attributes["vus"].number(), 4e9));
    load.rate_per_s = attributes["rate"].number();
    if (load.rate_per_s > 0) load.pacing = plan::Pacing::kOpen;
    load.iterations = static_cast<std::uint64_t>(attributes["iterations"].number());
    load.duration = field["durations"]["duration"].ms();
    load.think_time = field["durations"]["thinkTime"].ms();
    load.warmup = field["durations"]["warmup"].ms();
    for (const Field& stage : field["stages"].list())
      load.stages.push_back({.duration = stage["duration"].ms(), .target = stage["target"].number()});
    if (load.stages.empty()) return;
    if (load.duration > Duration{})
      add(index, "duration", "", "\"duration\" and \"stages\" exclude each other: the stages say how long it takes");
    load.duration = {};
    for (const plan::Stage& stage : load.stages) load.duration += stage.duration;
  }

  Hook read_hook(std::size_t index, const Workflow& workflow, const Field& field) {
    Hook hook;
    hook.name = field["name"].text();
    hook.place = place(index, hook.name, "");
    hook.kind = kind_of(field["kind"].text());
    const std::string declared = field["declared"].text();
    hook.declared = declared == "protocol" ? plan::DeclaredResult::kProtocol
                    : declared == "custom" ? plan::DeclaredResult::kCustom
                                           : plan::DeclaredResult::kOther;
    hook.type = plan::hook_type_of(hook.kind, hook.declared);
    hook.result_type = field["result"].text();
    hook.depends = field["depends"].texts();
    hook.scripted = field["scripted"].flag();
    if (field["request"].given()) hook.request = read_request(index, workflow, hook.name, field["request"]);
    const std::string direction = field["direction"].text();
    if (direction == "provide") hook.direction = StateDirection::kProvide;
    if (direction == "use") hook.direction = StateDirection::kUse;
    hook.when = field["when"].text() == "teardown" ? ActionTime::kTeardown : ActionTime::kSetup;
    hook.metric = metric_kind(field["metric"].text());
    hook.group = field["group"].text();
    hook.tags = pairs<plan::Tag>(field["tags"]);
    for (const Field& argument : field["arguments"].list())
      hook.arguments.push_back(read_argument(index, hook.name, argument));
    return hook;
  }

  DeclaredRequest read_request(std::size_t index, const Workflow& workflow, const std::string& member,
                               const Field& field) {
    DeclaredRequest request;
    request.request = {.method = field["method"].text(),
                       .url = field["url"].text(),
                       .headers = pairs<plan::Header>(field["headers"]),
                       .body = field["body"].bytes()};
    request.request.until = field["until"].bytes();
    request.request.read_bytes = static_cast<std::uint64_t>(field["read"].number());
    const std::string written = request.request.url;
    if (written.starts_with('/')) request.request.url = workflow.base_url + written;
    if (written.starts_with('/') && workflow.base_url.empty())
      add(index, member, written,
          fmt::format("\"{}\" is not a whole URL, and the workflow has no baseUrl to put before it", written));
    else if (plan::is_raw_request(request.request))
      check_raw(index, member, written, request.request);
    else if (const auto parsed = plan::parse_url(request.request.url); !parsed)
      add(index, member, written, parsed.error().context);
    check_headers(index, member, request.request.headers);
    for (const Field& status : field["statuses"].list())
      request.expect.statuses.push_back(static_cast<std::uint16_t>(status.number()));
    request.expect.body_contains = field["bodyContains"].text();
    request.timeout = field["timeout"].ms();
    request.name = field["name"].text();
    request.group = field["group"].text();
    request.tags = pairs<plan::Tag>(field["tags"]);
    return request;
  }

  PreparedArgument read_argument(std::size_t index, const std::string& member, const Field& field) {
    PreparedArgument argument{.name = field["name"].text(),
                              .id = static_cast<std::uint32_t>(field["id"].number()),
                              .text = {},
                              .content_type = {},
                              .entries = {}};
    const std::string kind = field["kind"].text();
    if (kind == "url") {
      argument.text = field["value"].text();
      if (!argument.text.starts_with('/')) check_url(index, member, argument.text, argument.text);
    } else if (kind == "auth") {
      argument.kind = ArgumentKind::kAuth;
      argument.text = field["value"].text();
    } else if (kind == "data") {
      argument.kind = ArgumentKind::kData;
      argument.text = field["value"]["body"].bytes();
      argument.content_type = field["value"]["contentType"].text();
    } else {
      argument.kind = kind == "headers"  ? ArgumentKind::kHeaders
                      : kind == "params" ? ArgumentKind::kParams
                                         : ArgumentKind::kCookies;
      argument.entries = pairs<plan::Header>(field["value"]);
      if (argument.kind == ArgumentKind::kHeaders) check_headers(index, member, argument.entries);
    }
    return argument;
  }

  void check_url(std::size_t index, const std::string& member, const std::string& written, const std::string& url) {
    if (const Result<plan::Url> parsed = plan::parse_target_url(url); !parsed)
      add(index, member, written, parsed.error().context);
  }

  void check_raw(std::size_t index, const std::string& member, const std::string& written, plan::Request& request) {
    if (const Status fine = plan::check_raw_request(request); !fine)
      return add(index, member, written, fine.error().context);
    request.url = plan::parse_raw_url(request.url)->text();
  }

  void check_headers(std::size_t index, const std::string& member, const std::vector<plan::Header>& headers) {
    for (const plan::Header& header : headers)
      if (const Status fine = plan::check_header(header); !fine) add(index, member, header.name, fine.error().context);
  }

  // After the class has run, only the last of two fields with one name is left: so the source text is checked.
  void check_fields(std::size_t index) {
    const ClassSource* source = class_of(lineages_[index].front());
    if (source == nullptr) return;
    for (auto member = source->members.begin(); member != source->members.end(); ++member) {
      const auto same = [&](const ClassMember& other) {
        return other.name == member->name && other.is_static == member->is_static;
      };
      if (std::find_if(source->members.begin(), member, same) == member) continue;
      errors_.push_back(at(member->place, fmt::format("workflow {} has two fields called \"{}\"",
                                                      description_.workflows[index].name, member->name)));
    }
  }

  void check_unexported() {
    for (const ClassSource& source : runtime_.program().classes) {
      if (!source.extends_workflow || source.place.file != runtime_.program().modules.back().file) continue;
      const auto uses = [&](const std::vector<std::string>& lineage) {
        return std::ranges::find(lineage, source.name) != lineage.end();
      };
      if (std::ranges::none_of(lineages_, uses))
        errors_.push_back(
            at(source.place, fmt::format("workflow {} is not exported and would not run: write \"export class {}\"",
                                         source.name, source.name)));
    }
  }

  ScriptError no_workflow() const {
    ScriptError error;
    error.place.file = runtime_.program().modules.back().file;
    error.message = "the file exports no workflow: write \"export class Name extends Workflow { ... }\"";
    return error;
  }

  const ClassSource* class_of(const std::string& name) const {
    // The entry is linked last: of two classes with one name, its own is more likely.
    const auto& classes = runtime_.program().classes;
    const auto found =
        std::find_if(classes.rbegin(), classes.rend(), [&](const ClassSource& each) { return each.name == name; });
    return found == classes.rend() ? nullptr : &*found;
  }

  // The location of the field in the class or its nearest base class; of `mark` inside the field, if it exists.
  Location place(std::size_t index, const std::string& member, const std::string& mark) const {
    Location of_class;
    for (const std::string& name : lineages_[index]) {
      const ClassSource* source = class_of(name);
      if (source == nullptr) continue;
      if (of_class.file.empty()) of_class = source->place;
      const auto found = std::ranges::find(source->members, member, &ClassMember::name);
      if (member.empty() || found == source->members.end()) continue;
      const auto marked = std::ranges::find(found->marks, mark, &SourceMark::text);
      return !mark.empty() && marked != found->marks.end() ? marked->place : found->place;
    }
    return of_class;
  }

  ScriptError at(const Location& where, std::string message) const {
    ScriptError error;
    error.message = std::move(message);
    error.place = where;
    error.source_line = runtime_.engine().sources().line_at(where);
    return error;
  }

  void add(std::size_t index, const std::string& member, const std::string& mark, std::string message) {
    errors_.push_back(at(place(index, member, mark), std::move(message)));
  }

  Runtime& runtime_;
  Description description_;
  std::vector<std::vector<std::string>> lineages_;  // per workflow: its class and base classes
  ScriptErrors errors_;
};

}  // namespace

tl::expected<Description, ScriptErrors> describe(Runtime& runtime) {
  return Describer(runtime).run();
}

}  // namespace hyperscale::workflow
