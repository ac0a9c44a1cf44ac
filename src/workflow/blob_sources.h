// The files of a script as a plan carries them: how they are named, and where the linker finds them. Any thread.
#pragma once

#include "plan/script.h"
#include "workflow/script/module_linker.h"

#include <optional>
#include <string>
#include <vector>

namespace hyperscale::workflow {

class BlobSources final : public SourceProvider {
 public:
  // `files` outlive it.
  explicit BlobSources(const std::vector<plan::Blob>& files) : files_(files) {}
  std::optional<std::string> read(const std::string& path) override;

 private:
  const std::vector<plan::Blob>& files_;
};

// A data file is named as seen from the folder of the script.
std::string data_path(const std::string& entry, const std::string& file);

}  // namespace hyperscale::workflow
