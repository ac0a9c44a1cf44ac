// A folder that is gone at the end of a test.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace hyperscale::test {

class TemporaryFolder {
 public:
  TemporaryFolder() { path_ = ::mkdtemp(path_.data()); }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_ = "/tmp/hs-run-XXXXXX";
};

}  // namespace hyperscale::test
