// LiveLines: a file that grows by one line of JSON per interval while a run goes on (--out jsonl=FILE); "-" is standard
// output.
//
// Thread rule: one thread; blocking writes of a line. Whole lines only: a line that does not fit the disk is taken
// back. The first failure is told once, by write(), and ends the writing; the run goes on.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace hyperscale::node {

class LiveLines {
 public:
  LiveLines() = default;  // writes nothing
  LiveLines(LiveLines&& other) noexcept;
  LiveLines& operator=(LiveLines&& other) noexcept;
  ~LiveLines();

  // Empties the file.
  static Result<LiveLines> open(const std::string& path);

  bool is_open() const { return descriptor_ >= 0; }
  Status write(std::string_view json);

 private:
  void close();
  std::string path_;
  int descriptor_ = -1;
  std::int64_t size_ = 0;  // of the whole lines
};

}  // namespace hyperscale::node
