// Protobuf: the message of a gRPC request, checked against its type and encoded once, before the loop (HOOK-ARG-5).
//
// The type comes from .proto texts, the value as JSON in the mapping of proto3. Imports are found among the given
// files; those of google/protobuf/ are built in. Equal values give equal bytes, maps included. Pure functions; any
// thread; no file is opened.
//
// kInvalidArgument with one sentence: an invalid .proto file (file, line and column), an unknown type, invalid JSON, a
// field that the type lacks, a value of another type, a required field without a value, and everything beyond the
// limits below.
#pragma once

#include "plan/arguments/argument.h"

#include <cstddef>
#include <string>
#include <vector>

namespace hyperscale::workflow {

inline constexpr std::size_t kProtoFilesMax = 1'000;
inline constexpr std::size_t kProtoBytesMax = std::size_t{4} << 20;  // of all .proto files together

struct ProtoSource {
  std::string path;  // as used in imports: "shop/order.proto"
  std::string text;
};

struct ProtobufValue {
  std::vector<ProtoSource> sources;
  std::string type;  // with its package: "shop.Order"
  std::string json;
};

struct PreparedProtobuf {
  std::string type;
  std::string bytes;
};

Result<PreparedProtobuf> prepare_protobuf(const ProtobufValue& value);
using Protobuf = plan::Argument<ProtobufValue, PreparedProtobuf, prepare_protobuf>;

}  // namespace hyperscale::workflow
