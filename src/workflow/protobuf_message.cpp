#include "workflow/protobuf_message.h"

#include "plan/arguments/json_text.h"
#include "plan/limits.h"
#include "workflow/memory_proto_files.h"
#include "workflow/well_known_types.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <google/protobuf/descriptor_database.h>
#include <google/protobuf/dynamic_message.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/util/json_util.h>
#include <google/protobuf/util/type_resolver_util.h>

namespace hyperscale::workflow {
namespace {

namespace pb = google::protobuf;

tl::unexpected<Error> bad(std::string why) {
  std::ranges::replace(why, '\n', ' ');
  return fail(ErrorCode::kInvalidArgument, std::move(why));
}

Status check_sources(const std::vector<ProtoSource>& sources) {
  if (sources.empty()) return bad("no .proto file is given");
  if (sources.size() > kProtoFilesMax) return bad(fmt::format("more than {} .proto files", kProtoFilesMax));
  std::size_t bytes = 0;
  for (const ProtoSource& source : sources) {
    bytes += source.text.size();
    if (bytes > kProtoBytesMax) return bad(fmt::format("the .proto files have more than {} bytes", kProtoBytesMax));
    if (source.path.empty()) return bad("a .proto file has no path");
    if (std::ranges::count(sources, source.path, &ProtoSource::path) > 1) {
      return bad(fmt::format("{} is given twice", source.path));
    }
  }
  return {};
}

// All types of the given sources.
class TypesOfSources {
 public:
  explicit TypesOfSources(const std::vector<ProtoSource>& sources)
      : sources_(sources),
        files_(sources),
        built_in_(well_known_types()),
        database_(&files_, &built_in_),
        pool_(&database_, database_.GetValidationErrorCollector()) {
    database_.RecordErrorsTo(&error_);
    pool_.EnforceWeakDependencies(true);
  }

  Status read() {
    for (const ProtoSource& source : sources_) {
      const pb::FileDescriptor* file = pool_.FindFileByName(source.path);
      if (!error_.text().empty()) return bad(error_.text());
      if (file == nullptr) return bad(fmt::format("{}: it cannot be read", source.path));
    }
    return {};
  }
  const pb::Descriptor* find(const std::string& type) const { return pool_.FindMessageTypeByName(type); }
  const pb::DescriptorPool& pool() const { return pool_; }

 private:
  const std::vector<ProtoSource>& sources_;
  MemoryProtoFiles files_;
  FirstProtoError error_;
  pb::DescriptorPoolDatabase built_in_;
  pb::compiler::SourceTreeDescriptorDatabase database_;
  pb::DescriptorPool pool_;
};

// Parses and serialises the message again: the converter keeps the order of the JSON, this uses the order of the type.
Result<std::string> canonical_bytes(const pb::Descriptor& type, const std::string& bytes) {
  pb::DynamicMessageFactory factory;
  const std::unique_ptr<pb::Message> message(factory.GetPrototype(&type)->New());
  if (!message->ParseFromString(bytes)) return bad(fmt::format("the JSON does not fit {}", type.full_name()));
  std::string text;
  pb::io::StringOutputStream stream(&text);
  pb::io::CodedOutputStream coded(&stream);
  coded.SetSerializationDeterministic(true);
  if (!message->SerializeToCodedStream(&coded)) return bad(fmt::format("{} cannot be encoded", type.full_name()));
  coded.Trim();
  return text;
}

Result<std::string> encode(const TypesOfSources& types, const pb::Descriptor& type, const std::string& json) {
  // libprotobuf accepts some texts that are not JSON, such as names without quotes.
  const auto text = plan::read_json_text(json);
  if (!text) return fail(text.error());
  const bool own_form = type.full_name().starts_with("google.protobuf.");  // a Timestamp is a JSON string
  if (!own_form && !text->is_object) {
    return bad(fmt::format("JSON of {}: not an object", type.full_name()));
  }
  constexpr const char* kPrefix = "type.googleapis.com";
  const std::unique_ptr<pb::util::TypeResolver> resolver(
      pb::util::NewTypeResolverForDescriptorPool(kPrefix, &types.pool()));
  std::string bytes;
  const auto converted = pb::util::JsonToBinaryString(resolver.get(), fmt::format("{}/{}", kPrefix, type.full_name()),
                                                      text->compact, &bytes);
  if (!converted.ok()) {
    // The message starts with the location, which is empty for the outermost message.
    std::string why(converted.message());
    if (why.starts_with(": ")) why.erase(0, 2);
    return bad(fmt::format("JSON of {}: {}", type.full_name(), why));
  }
  return canonical_bytes(type, bytes);
}

}  // namespace

Result<PreparedProtobuf> prepare_protobuf(const ProtobufValue& value) {
  if (Status checked = check_sources(value.sources); !checked) return fail(checked.error());
  if (value.json.size() > plan::kBodyBytesMax) {
    return bad(fmt::format("JSON of {} bytes is more than {}", value.json.size(), plan::kBodyBytesMax));
  }
  const pb::LogSilencer silence;  // the result contains the message
  TypesOfSources types(value.sources);
  if (Status read = types.read(); !read) return fail(read.error());
  const pb::Descriptor* type = types.find(value.type);
  if (type == nullptr) return bad(fmt::format("no message type {:?} in the .proto files", value.type));
  Result<std::string> bytes = encode(types, *type, value.json);
  if (!bytes) return fail(bytes.error());
  return PreparedProtobuf{.type = type->full_name(), .bytes = std::move(*bytes)};
}

}  // namespace hyperscale::workflow
