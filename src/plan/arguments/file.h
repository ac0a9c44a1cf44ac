// File: the content of a file read before the run, and its metadata.
//
// Pure functions; any thread: the caller has read the file. kInvalidArgument on an invalid file name and on content
// beyond kBodyBytesMax.
#pragma once

#include "plan/arguments/argument.h"

#include <cstdint>
#include <string>

namespace hyperscale::plan {

inline constexpr std::size_t kFileNameBytesMax = 255;

struct FileValue {
  std::string path;  // as the user named it; the last part is the name of the file
  std::string content;
};

struct PreparedFile {
  std::string name;
  std::string content;
  std::uint64_t bytes = 0;
  std::string media_type;
  std::uint32_t crc32c = 0;  // of the content
  bool operator==(const PreparedFile&) const = default;
};

Result<PreparedFile> prepare_file(const FileValue& value);
using File = Argument<FileValue, PreparedFile, prepare_file>;

}  // namespace hyperscale::plan
