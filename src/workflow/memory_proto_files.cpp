#include "workflow/memory_proto_files.h"

#include <algorithm>

#include <fmt/format.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

namespace hyperscale::workflow {

// libprotobuf owns the returned stream.
google::protobuf::io::ZeroCopyInputStream* MemoryProtoFiles::Open(const std::string& path) {
  const auto found = std::ranges::find(sources_, path, &ProtoSource::path);
  if (found == sources_.end()) return nullptr;
  return new google::protobuf::io::ArrayInputStream(found->text.data(), static_cast<int>(found->text.size()));
}

// Lines and columns count from zero; -1 refers to the whole file.
void FirstProtoError::AddError(const std::string& file, int line, int column, const std::string& message) {
  if (!text_.empty()) return;
  text_ = line < 0 ? fmt::format("{}: {}", file, message)
                   : fmt::format("{}:{}:{}: {}", file, line + 1, column + 1, message);
}

}  // namespace hyperscale::workflow
