// LiveLines: a file that grows by one line of JSON per interval while a run goes on (--out jsonl=FILE); "-" is standard
// output.
//
// Thread rule: one thread; blocking writes of a line. Whole lines only: a line that does not fit the disk is taken
// back. The first failure is told once, by write(), and ends the writing; the run goes on.
#pragma once

#include "base/owned_fd.h"
#include "base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace hyperscale::node {

class LiveLines {
 public:
  LiveLines() = default;  // writes nothing

  // Empties the file.
  static Result<LiveLines> open(const std::string& path);

  bool is_open() const { return file_.valid(); }
  Status write(std::string_view json);

 private:
  std::string path_;
  OwnedFd file_;
  std::int64_t size_ = 0;  // of the whole lines
};

}  // namespace hyperscale::node
