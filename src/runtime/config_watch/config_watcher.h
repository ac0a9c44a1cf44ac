// ConfigWatcher: detects changes of one file: written in place, replaced by rename, or by a symbolic link that now
// points elsewhere (as Kubernetes updates a mounted ConfigMap).
//
// It watches the directory of the path and the directory of the file that the path resolves to (inotify), and polls the
// file every stat_interval in any case, for file systems without notification and for links in between. A change is a
// new device, inode, size or modification time. Changes that follow each other closely are one: the file is reported
// when it has been quiet for kConfigSettle, at the latest after kConfigSettleMax. A missing file is not reported, its
// return is.
//
// The baseline is the file at construction: construct the watcher before reading the file.
//
// Thread rule: run() and on_change on the strand given; stop() and notified() from any thread. The event loop
// outlives the watcher; the watcher may be destroyed while run() is active.
//
// Only stat calls are made on the strand; nothing is read from the file and nothing written.
//
// Failure: without inotify it falls back to polling; exceptions of on_change leave run(), which may then be started
// again.
#pragma once

#include "base/time.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

namespace hyperscale::runtime {

namespace asio = boost::asio;

inline constexpr Duration kConfigStatInterval = 5s;
inline constexpr Duration kConfigSettle = 50ms;
inline constexpr Duration kConfigSettleMax = 1s;

enum class WatchMode : std::uint8_t { kInotifyAndStat, kStatOnly };

class ConfigWatcher {
 public:
  ConfigWatcher(asio::any_io_executor strand, std::string path, Duration stat_interval, std::function<void()> on_change,
                WatchMode mode = WatchMode::kInotifyAndStat);
  ~ConfigWatcher();
  ConfigWatcher(const ConfigWatcher&) = delete;
  ConfigWatcher& operator=(const ConfigWatcher&) = delete;

  // Runs until stop() or until the coroutine is cancelled. At most one at a time.
  asio::awaitable<void> run();
  void stop();
  // Whether run() is active and inotify works for it.
  bool notified() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace hyperscale::runtime
