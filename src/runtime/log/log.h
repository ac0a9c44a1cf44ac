// Log: the node's log. A call formats one line and puts it into a bounded queue; a thread of its own writes it out.
//
//   log.info("transport", "listening on {}", address);
//   log.log(LogLevel::kWarn, "bus", "receiver lags", {{"service", name}, {"missed", missed}});
//
// A full queue overwrites its oldest line (dropped()), so a blocked standard error never blocks a caller.
//
// Thread rule: every method from any thread; flush() and close() wait up to their limit, so never on an event loop.
//
// Lifecycle: open, log, close. close() writes queued lines within its limit and ends the log; later lines are
// discarded. The destructor without close() discards queued lines and does not wait for the reader of a pipe.
//
// Failure: open() returns why a file cannot be opened; log calls never fail, they count. Callers must not log secrets;
// the log does not redact.
#pragma once

#include "base/result.h"
#include "base/time.h"
#include "runtime/log/line_writer.h"
#include "runtime/log/log_capture.h"
#include "runtime/log/log_line.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

namespace hyperscale::runtime {

inline constexpr std::size_t kLogQueueMax = 8192;
inline constexpr Duration kLogFlushLimit = 500ms;

struct LogOptions {
  LogLevel level = LogLevel::kInfo;
  LogFormat format = LogFormat::kText;
  std::string file = {};                     // empty = the descriptor
  int descriptor = STDERR_FILENO;            // borrowed; coloured when it is a terminal and NO_COLOR is not set
  std::size_t queue_max = kLogQueueMax;      // lines
  std::shared_ptr<LogCapture> capture = {};  // tests: lines go here and nowhere else
};

class Log {
 public:
  static Result<std::unique_ptr<Log>> open(const LogOptions& options);
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  void log(LogLevel level, std::string_view component, std::string_view message,
           std::initializer_list<LogField> fields = {});

  template <typename... Args>
  void debug(std::string_view component, fmt::format_string<Args...> format, Args&&... args) {
    write(LogLevel::kDebug, component, format, std::forward<Args>(args)...);
  }
  template <typename... Args>
  void info(std::string_view component, fmt::format_string<Args...> format, Args&&... args) {
    write(LogLevel::kInfo, component, format, std::forward<Args>(args)...);
  }
  template <typename... Args>
  void warn(std::string_view component, fmt::format_string<Args...> format, Args&&... args) {
    write(LogLevel::kWarn, component, format, std::forward<Args>(args)...);
  }
  template <typename... Args>
  void error(std::string_view component, fmt::format_string<Args...> format, Args&&... args) {
    write(LogLevel::kError, component, format, std::forward<Args>(args)...);
  }

  bool enabled(LogLevel level) const;
  LogLevel level() const;
  void set_level(LogLevel level);

  // Lines accepted that never reached their destination: overwritten in the queue or not writable.
  std::uint64_t dropped() const;
  // True when everything logged before the call was handed to its destination or dropped; false at the limit.
  bool flush(Duration limit = kLogFlushLimit);
  void close(Duration limit = kLogFlushLimit);

 private:
  struct Backend;
  explicit Log(std::unique_ptr<Backend> backend);

  template <typename... Args>
  void write(LogLevel level, std::string_view component, fmt::format_string<Args...> format, Args&&... args) {
    if (enabled(level)) log(level, component, fmt::format(format, std::forward<Args>(args)...));
  }

  std::unique_ptr<Backend> backend_;
};

}  // namespace hyperscale::runtime
