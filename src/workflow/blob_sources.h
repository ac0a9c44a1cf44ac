// The files of a script as stored in a plan: their names, and access for the linker. Any thread.
#pragma once

#include "plan/script.h"
#include "workflow/script/module_linker.h"

#include <optional>
#include <string>
#include <vector>

namespace hyperscale::workflow {

class BlobSources final : public SourceProvider {
 public:
  // `files` must outlive this object.
  explicit BlobSources(const std::vector<plan::Blob>& files) : files_(files) {}
  std::optional<std::string> read(const std::string& path) override;

 private:
  const std::vector<plan::Blob>& files_;
};

// A data file's name is relative to the folder of the script.
std::string data_path(const std::string& entry, const std::string& file);

}  // namespace hyperscale::workflow
