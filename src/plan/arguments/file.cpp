#include "plan/arguments/file.h"

#include "base/crc32c.h"
#include "plan/arguments/media_type.h"
#include "plan/limits.h"

#include <fmt/format.h>

namespace hyperscale::plan {

Result<PreparedFile> prepare_file(const FileValue& value) {
  const std::string name = value.path.substr(value.path.rfind('/') + 1);
  if (name.empty() || name == "." || name == ".." || name.find('\0') != std::string::npos) {
    return fail(ErrorCode::kInvalidArgument, fmt::format("{:?} is not the name of a file", value.path));
  }
  if (name.size() > kFileNameBytesMax) {
    return fail(ErrorCode::kInvalidArgument, fmt::format("the name of a file has {} bytes, at most {} are possible",
                                                         name.size(), kFileNameBytesMax));
  }
  if (value.content.size() > kBodyBytesMax) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{} has {} bytes, more than {}", name, value.content.size(), kBodyBytesMax));
  }
  const ByteView bytes(reinterpret_cast<const std::uint8_t*>(value.content.data()), value.content.size());
  return PreparedFile{.name = name,
                      .content = value.content,
                      .bytes = value.content.size(),
                      .media_type = std::string(media_type_of(name)),
                      .crc32c = crc32c(bytes)};
}

}  // namespace hyperscale::plan
