// LogCapture: log lines in memory, for tests. Lines arrive from the log's own thread, so either flush the log before
// reading, or wait for a text.
//
// Thread rule: every method from any thread.
#pragma once

#include "base/time.h"
#include "runtime/log/line_writer.h"

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::runtime {

// The oldest lines are evicted first.
inline constexpr std::size_t kLogCaptureLinesMax = 10'000;

class LogCapture final : public LineWriter {
 public:
  std::vector<std::string> lines() const;  // without line ends
  bool contains(std::string_view text) const;
  // False when no line with `text` came within `limit`.
  bool wait_for(std::string_view text, Duration limit) const;
  void clear();

  void write(std::string_view line) override;
  void abandon() override {}
  std::uint64_t lost() const override { return 0; }

 private:
  bool contains_locked(std::string_view text) const;

  mutable std::mutex mutex_;
  mutable std::condition_variable arrived_;
  std::deque<std::string> lines_;
};

}  // namespace hyperscale::runtime
