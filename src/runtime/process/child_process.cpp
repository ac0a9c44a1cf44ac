#include "runtime/process/child_process.h"

#include "base/errno_text.h"
#include "base/owned_fd.h"

#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <spawn.h>
#include <unistd.h>

namespace hyperscale::runtime {
namespace {

tl::unexpected<Error> failed(const ChildSetup& setup, int error) {
  return fail(ErrorCode::kBusy, fmt::format("cannot start {}: {}", setup.program, errno_text(error)));
}

// The argument form of exec; `texts` must outlive the pointers.
std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

class FileActions {
 public:
  FileActions() { ::posix_spawn_file_actions_init(&actions_); }
  ~FileActions() { ::posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;

  // Zero, or an error number.
  int give(const std::vector<int>& descriptors) {
    for (const int standard : {STDIN_FILENO, STDOUT_FILENO})
      if (const int error = ::posix_spawn_file_actions_addopen(&actions_, standard, "/dev/null", O_RDWR, 0); error != 0)
        return error;
    int next = kChildFirstFd;
    // Beyond the numbers in the child, so that no descriptor is overwritten before it is duplicated.
    const int parked_from = kChildFirstFd + static_cast<int>(descriptors.size());
    for (const int descriptor : descriptors) {
      parked_.emplace_back(::fcntl(descriptor, F_DUPFD_CLOEXEC, parked_from));
      if (!parked_.back().valid()) return errno;
      if (const int error = ::posix_spawn_file_actions_adddup2(&actions_, parked_.back().get(), next++); error != 0)
        return error;
    }
    return ::posix_spawn_file_actions_addclosefrom_np(&actions_, next);
  }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
  std::vector<OwnedFd> parked_;
};

class Attributes {
 public:
  explicit Attributes(bool own_session) {
    ::posix_spawnattr_init(&attributes_);
    sigset_t none;
    ::sigemptyset(&none);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    const int session = own_session ? POSIX_SPAWN_SETSID : 0;
    ::posix_spawnattr_setflags(&attributes_, static_cast<short>(POSIX_SPAWN_SETSIGMASK | session));
  }
  ~Attributes() { ::posix_spawnattr_destroy(&attributes_); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

// This thread on a core while it lives, so that a child is there from its first instruction, with all threads that it
// starts. A core that has become unavailable is not an error.
class OnCore {
 public:
  explicit OnCore(int core) {
    if (core < 0 || core >= CPU_SETSIZE || ::sched_getaffinity(0, sizeof before_, &before_) != 0) return;
    cpu_set_t cores;
    CPU_ZERO(&cores);
    CPU_SET(static_cast<std::size_t>(core), &cores);
    moved_ = ::sched_setaffinity(0, sizeof cores, &cores) == 0;
  }
  ~OnCore() {
    if (moved_) (void)::sched_setaffinity(0, sizeof before_, &before_);
  }
  OnCore(const OnCore&) = delete;
  OnCore& operator=(const OnCore&) = delete;

 private:
  cpu_set_t before_{};
  bool moved_ = false;
};

Result<pid_t> spawn(const ChildSetup& setup) {
  FileActions files;
  if (const int error = files.give(setup.descriptors); error != 0) return failed(setup, error);
  const Attributes attributes(setup.own_session);
  const std::vector<char*> arguments = pointers_to(setup.arguments);
  const std::vector<char*> environment = pointers_to(setup.environment);
  pid_t child = 0;
  const OnCore there(setup.core);
  const int error =
      ::posix_spawn(&child, setup.program.c_str(), files.get(), attributes.get(), arguments.data(), environment.data());
  if (error != 0) return failed(setup, error);
  return child;
}

// The thread that starts children, from the first one on.
class Starter {
 public:
  // Never destroyed: its thread may still use it when the process exits.
  static Starter& instance() {
    static auto* const starter = new Starter;
    return *starter;
  }

  Result<pid_t> start(const ChildSetup& setup) {
    const std::lock_guard turn(turn_);
    std::unique_lock lock(mutex_);
    if (const int error = run_thread(); error != 0) return failed(setup, error);
    asked_ = &setup;
    changed_.notify_all();
    changed_.wait(lock, [this] { return answer_.has_value(); });
    Result<pid_t> answer = std::move(*answer_);
    answer_.reset();
    return answer;
  }

 private:
  // Zero, or an error number.
  int run_thread() {
    if (runs_) return 0;
    try {
      std::thread([this] { serve(); }).detach();
    } catch (const std::system_error& error) {
      return error.code().value();
    }
    runs_ = true;
    return 0;
  }

  [[noreturn]] void serve() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, nullptr);
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return asked_ != nullptr; });
      answer_ = spawn(*asked_);
      asked_ = nullptr;
      changed_.notify_all();
    }
  }

  std::mutex turn_;  // serialises callers
  std::mutex mutex_;
  std::condition_variable changed_;
  bool runs_ = false;
  const ChildSetup* asked_ = nullptr;
  std::optional<Result<pid_t>> answer_;
};

}  // namespace

Result<pid_t> start_child(const ChildSetup& setup) {
  return Starter::instance().start(setup);
}

}  // namespace hyperscale::runtime
