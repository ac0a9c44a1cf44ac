// Provides .proto sources in memory to libprotobuf, and keeps the first error in them.
//
// One thread. The sources must outlive the object.
#pragma once

#include "workflow/protobuf_message.h"

#include <string>
#include <vector>

#include <google/protobuf/compiler/importer.h>
#include <google/protobuf/descriptor.h>

namespace hyperscale::workflow {

class MemoryProtoFiles final : public google::protobuf::compiler::SourceTree {
 public:
  explicit MemoryProtoFiles(const std::vector<ProtoSource>& sources) : sources_(sources) {}

  google::protobuf::io::ZeroCopyInputStream* Open(const std::string& path) override;
  std::string GetLastErrorMessage() override { return "it is not among the given files"; }

 private:
  const std::vector<ProtoSource>& sources_;
};

// Keeps the first message of the parser: later ones are often consequences.
class FirstProtoError final : public google::protobuf::compiler::MultiFileErrorCollector {
 public:
  void AddError(const std::string& file, int line, int column, const std::string& message) override;

  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace hyperscale::workflow
