#include "tui/terminal_guard.h"

#include "base/check_prologue.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <string_view>

#include <unistd.h>

namespace hyperscale::tui::terminal_guard {
namespace {

// Alternate screen, no cursor, no wrapping at the right edge.
constexpr std::string_view kEnter = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[0m\x1b[2J";
// The first byte ends a sequence that may have been cut off.
constexpr std::string_view kLeave = "\x18\x1b[?2026l\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l";

constexpr std::array kFatal{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
// These do not end a process by default, or cannot be caught. All signals outside both lists end it.
constexpr std::array kNotEnding{SIGCHLD, SIGCONT, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGURG, SIGWINCH, SIGKILL};
constexpr std::size_t kSignalsMax = 65;

// Written before the handlers are installed, read by the handlers.
struct Guarded {
  int descriptor = -1;
  termios saved{}, raw{};
  std::array<struct sigaction, kSignalsMax> before{};
  std::array<bool, kSignalsMax> is_installed{};
  std::terminate_handler terminate_before = nullptr;
};
Guarded guarded;
std::atomic<bool> entered{false};
std::atomic<bool> resized{false};
std::atomic<bool> continued{false};

static_assert(std::atomic<bool>::is_always_lock_free, "handlers use them");

// A background job that changes terminal settings gets SIGTTOU, which would stop it unless blocked.
class NoTtyStop {
 public:
  NoTtyStop() {
    sigset_t blocked;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTTOU);
    pthread_sigmask(SIG_BLOCK, &blocked, &before_);
  }
  ~NoTtyStop() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  NoTtyStop(const NoTtyStop&) = delete;
  NoTtyStop& operator=(const NoTtyStop&) = delete;

 private:
  sigset_t before_{};
};

// The descriptor is non-blocking. If the terminal accepts nothing, its pending output is discarded once.
void write_all(std::string_view bytes) {
  bool flushed = false;
  while (!bytes.empty()) {
    const ssize_t written = ::write(guarded.descriptor, bytes.data(), bytes.size());
    if (written > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (written < 0 && errno == EINTR) {
      continue;
    } else if (written < 0 && errno == EAGAIN && !flushed) {
      flushed = true;
      ::tcflow(guarded.descriptor, TCOON);  // NOLINT(concurrency-mt-unsafe): a plain ioctl, safe in signal handlers
      ::tcflush(guarded.descriptor, TCOFLUSH);
    } else {
      return;
    }
  }
}

void enter() {
  const NoTtyStop no_stop;
  ::tcsetattr(guarded.descriptor, TCSANOW, &guarded.raw);
  write_all(kEnter);
  entered.store(true);
}

void leave() {
  if (!entered.exchange(false)) return;
  const int error = errno;
  const NoTtyStop no_stop;
  write_all(kLeave);
  ::tcsetattr(guarded.descriptor, TCSANOW, &guarded.saved);
  errno = error;
}

const struct sigaction& before(int signal) {
  return guarded.before[static_cast<std::size_t>(signal)];
}

void call_before(int signal, siginfo_t* info, void* context) {
  const struct sigaction& action = before(signal);
  if ((action.sa_flags & SA_SIGINFO) != 0) {
    action.sa_sigaction(signal, info, context);
  } else if (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN) {
    action.sa_handler(signal);
  }
}

bool is_default(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == SIG_DFL;
}

// The signal stays pending until the handler returns, then ends the process with the default action.
void raise_default(int signal) {
  struct sigaction action{};
  action.sa_handler = SIG_DFL;
  ::sigaction(signal, &action, nullptr);
  ::raise(signal);
}

void on_fatal(int signal, siginfo_t* info, void* context) {
  leave();
  if (is_default(before(signal))) return raise_default(signal);
  call_before(signal, info, context);
}

// Runs before the exception is reported: the report would vanish with the alternate screen.
void on_terminate() {
  leave();
  if (guarded.terminate_before != nullptr) guarded.terminate_before();
  std::abort();
}

void on_ending(int signal, siginfo_t*, void*) {
  leave();
  raise_default(signal);
}

using Handler = void (*)(int, siginfo_t*, void*);

bool set_handler(int signal, Handler handler, struct sigaction* before) {
  struct sigaction action{};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  return ::sigaction(signal, &action, before) == 0;
}

void on_suspend(int signal, siginfo_t*, void*) {
  const int error = errno;
  leave();
  raise_default(signal);
  sigset_t unblocked, masked;
  sigemptyset(&unblocked);
  sigaddset(&unblocked, signal);
  pthread_sigmask(SIG_UNBLOCK, &unblocked, &masked);  // stops here
  pthread_sigmask(SIG_SETMASK, &masked, nullptr);
  set_handler(signal, on_suspend, nullptr);
  errno = error;
}

void on_continue(int signal, siginfo_t* info, void* context) {
  // Another program may have changed the settings and used the screen.
  entered.store(false);
  continued.store(true);
  call_before(signal, info, context);
}

void on_resize(int signal, siginfo_t* info, void* context) {
  resized.store(true);
  call_before(signal, info, context);
}

void install(int signal, Handler handler) {
  const auto index = static_cast<std::size_t>(signal);
  guarded.is_installed[index] = set_handler(signal, handler, &guarded.before[index]);
}

void install_if_default(int signal, Handler handler) {
  struct sigaction now{};
  if (::sigaction(signal, nullptr, &now) == 0 && is_default(now)) install(signal, handler);
}

bool is_ending(int signal) {
  return std::ranges::find(kFatal, signal) == kFatal.end() && std::ranges::find(kNotEnding, signal) == kNotEnding.end();
}

// The C library refuses the signal numbers it reserves; those keep their handlers.
template <typename Action>
void for_each_ending(Action action) {
  for (int signal = 1; signal < static_cast<int>(kSignalsMax); ++signal)
    if (is_ending(signal)) action(signal);
}

// Keeps a handler that other code has installed since.
void uninstall(int signal, Handler handler) {
  const auto index = static_cast<std::size_t>(signal);
  if (!guarded.is_installed[index]) return;
  guarded.is_installed[index] = false;
  struct sigaction now{};
  if (::sigaction(signal, nullptr, &now) != 0 || now.sa_sigaction != handler) return;
  ::sigaction(signal, &guarded.before[index], nullptr);
}

}  // namespace

void guard(int descriptor, const termios& saved, const termios& raw) {
  static const bool at_exit = std::atexit(leave) == 0;
  static_cast<void>(at_exit);
  guarded.descriptor = descriptor;
  guarded.saved = saved;
  guarded.raw = raw;
  resized.store(false);
  continued.store(false);
  for (const int signal : kFatal) install(signal, on_fatal);
  for_each_ending([](int signal) { install_if_default(signal, on_ending); });
  install_if_default(SIGTSTP, on_suspend);
  install(SIGCONT, on_continue);
  install(SIGWINCH, on_resize);
  set_check_prologue(leave);
  guarded.terminate_before = std::set_terminate(on_terminate);
  enter();
}

void release() {
  leave();
  set_check_prologue(nullptr);
  if (std::get_terminate() == on_terminate) std::set_terminate(guarded.terminate_before);
  for (const int signal : kFatal) uninstall(signal, on_fatal);
  for_each_ending([](int signal) { uninstall(signal, on_ending); });
  uninstall(SIGTSTP, on_suspend);
  uninstall(SIGCONT, on_continue);
  uninstall(SIGWINCH, on_resize);
}

bool is_entered() {
  return entered.load();
}

bool reenter() {
  if (!continued.load() || is_in_background(guarded.descriptor)) return false;
  continued.store(false);
  enter();
  return true;
}

bool take_resized() {
  return resized.exchange(false);
}

bool is_in_background(int descriptor) {
  const pid_t front = ::tcgetpgrp(descriptor);
  return front > 0 && front != ::getpgrp();
}

}  // namespace hyperscale::tui::terminal_guard
