#include "runtime/config_watch/config_watcher.h"

#include "base/check.h"
#include "runtime/clock/clock.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <optional>
#include <utility>
#include <vector>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <limits.h>  // NOLINT(modernize-deprecated-headers): PATH_MAX is POSIX
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): realpath is POSIX
#include <sys/inotify.h>
#include <sys/stat.h>

namespace hyperscale::runtime {
namespace {

constexpr std::size_t kInotifyBufferBytes = 4096;
// Without IN_MODIFY: a file is checked once its writer has closed it.
constexpr std::uint32_t kDirectoryEvents = IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO |
                                           IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;

// The compared attributes; empty for a missing file.
struct Fingerprint {
  dev_t device = 0;
  ino_t inode = 0;
  off_t size_bytes = 0;
  std::int64_t modified_ns = 0;
  bool operator==(const Fingerprint&) const = default;
};

std::optional<Fingerprint> fingerprint_of(const std::string& path) {
  struct stat info{};
  if (::stat(path.c_str(), &info) != 0) return std::nullopt;
  return Fingerprint{.device = info.st_dev,
                     .inode = info.st_ino,
                     .size_bytes = info.st_size,
                     .modified_ns = info.st_mtim.tv_sec * 1'000'000'000LL + info.st_mtim.tv_nsec};
}

std::string directory_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

// The directory of the path as written, and of the file it leads to.
std::vector<std::string> directories_of(const std::string& path) {
  std::vector<std::string> directories{directory_of(path)};
  std::array<char, PATH_MAX> resolved;
  if (::realpath(path.c_str(), resolved.data()) != nullptr) directories.push_back(directory_of(resolved.data()));
  return directories;
}

}  // namespace

// All members belong to the strand, except the two atomics.
struct ConfigWatcher::State : std::enable_shared_from_this<State> {
  using Descriptor = asio::posix::stream_descriptor;

  State(asio::any_io_executor on_strand, std::string file, Duration interval, std::function<void()> callback,
        WatchMode watch_mode)
      : strand(std::move(on_strand)),
        path(std::move(file)),
        stat_interval(interval),
        on_change(std::move(callback)),
        mode(watch_mode),
        timer(strand),
        seen(fingerprint_of(path)) {}

  void open_inotify() {
    if (mode == WatchMode::kStatOnly) return;
    const int handle = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (handle < 0) return;
    inotify.emplace(strand, handle);
    read_events();
  }

  void close_inotify() {
    inotify.reset();
    watches.clear();
    notified = false;
  }

  // The kinds of events are ignored: each triggers the same check of the file.
  void read_events() {
    inotify->async_read_some(asio::buffer(events),
                             [self = shared_from_this()](boost::system::error_code error, std::size_t) {
                               if (error == asio::error::operation_aborted || !self->inotify) return;
                               if (error)
                                 self->close_inotify();
                               else
                                 self->read_events();
                               self->poked = true;
                               self->timer.cancel();
                             });
  }

  // Adding a directory again gives the same watch, so a directory that was replaced is picked up here.
  void renew_watches() {
    if (!inotify) return;
    std::vector<int> renewed;
    for (const std::string& directory : directories_of(path)) {
      const int watch = ::inotify_add_watch(inotify->native_handle(), directory.c_str(), kDirectoryEvents);
      if (watch >= 0) renewed.push_back(watch);
    }
    for (const int watch : watches) {
      if (std::find(renewed.begin(), renewed.end(), watch) == renewed.end())
        ::inotify_rm_watch(inotify->native_handle(), watch);
    }
    watches = std::move(renewed);
    notified = !watches.empty();
  }

  asio::awaitable<bool> wait(Duration limit);
  asio::awaitable<bool> settle();
  asio::awaitable<void> watch();

  const asio::any_io_executor strand;
  const std::string path;
  const Duration stat_interval;
  const std::function<void()> on_change;
  const WatchMode mode;
  asio::steady_timer timer;
  std::optional<Descriptor> inotify;
  std::vector<int> watches;
  alignas(inotify_event) std::array<char, kInotifyBufferBytes> events;
  std::optional<Fingerprint> seen;
  bool poked = false;  // an event came since the last look
  bool running = false;
  std::atomic<bool> stopped = false;
  std::atomic<bool> notified = false;
};

// Waits for an event or for the limit; false if the watcher must stop.
asio::awaitable<bool> ConfigWatcher::State::wait(Duration limit) {
  const auto token = asio::as_tuple(asio::use_awaitable);
  if (!poked && !stopped) {
    timer.expires_after(limit);
    co_await timer.async_wait(token);
  }
  poked = false;
  const auto cancellation = co_await asio::this_coro::cancellation_state;
  co_return !stopped && cancellation.cancelled() == asio::cancellation_type::none;
}

// Waits until the file looks the same at both ends of a quiet time. This lets an editor finish, and it lets the file's
// modification time fall behind the clock, so that a later write cannot hide in the same tick.
asio::awaitable<bool> ConfigWatcher::State::settle() {
  const MonoTime give_up = mono_now() + kConfigSettleMax;
  while (true) {
    const auto before = fingerprint_of(path);
    const MonoTime quiet_at = mono_now() + kConfigSettle;
    while (mono_now() < quiet_at) {
      const Duration left = quiet_at - mono_now();
      const bool go_on = co_await wait(left);
      if (!go_on) co_return false;
    }
    if (before == fingerprint_of(path) || mono_now() >= give_up) co_return true;
  }
}

asio::awaitable<void> ConfigWatcher::State::watch() {
  while (true) {
    // Watch before the check, so that no change between the two is lost.
    renew_watches();
    const auto current = fingerprint_of(path);
    if (current && current != seen) {
      const bool settled = co_await settle();
      if (!settled) co_return;
      renew_watches();
      const auto latest = fingerprint_of(path);
      if (latest && latest != seen) {
        seen = latest;
        on_change();
      }
    }
    const bool go_on = co_await wait(stat_interval);
    if (!go_on) co_return;
  }
}

ConfigWatcher::ConfigWatcher(asio::any_io_executor strand, std::string path, Duration stat_interval,
                             std::function<void()> on_change, WatchMode mode)
    : state_(std::make_shared<State>(std::move(strand), std::move(path), stat_interval, std::move(on_change), mode)) {}

ConfigWatcher::~ConfigWatcher() = default;

asio::awaitable<void> ConfigWatcher::run() {
  struct Session {
    explicit Session(std::shared_ptr<State> watched) : state(std::move(watched)) {
      CHECK(!std::exchange(state->running, true), "the watcher of {} runs already", state->path);
      state->open_inotify();
    }
    ~Session() {
      state->close_inotify();
      state->running = false;
    }
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;
    const std::shared_ptr<State> state;
  };
  const Session session(state_);
  co_await session.state->watch();
}

void ConfigWatcher::stop() {
  state_->stopped = true;
  asio::post(state_->strand, [state = state_] { state->timer.cancel(); });
}

bool ConfigWatcher::notified() const {
  return state_->notified;
}

}  // namespace hyperscale::runtime
