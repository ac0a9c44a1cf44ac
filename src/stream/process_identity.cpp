#include "stream/process_identity.h"

#include "base/owned_fd.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <string_view>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace hyperscale::stream {
namespace {

constexpr std::uint64_t kNsPerSecond = 1'000'000'000;
constexpr int kStartField = 22;  // of /proc/PID/stat, the first being 1
constexpr int kStateField = 3;

// Where /proc hides the processes of other users, kill() with EPERM still shows that the process exists.
int error_of_missing(std::uint64_t pid, int error) {
  const bool hidden = error == ENOENT && ::kill(static_cast<pid_t>(pid), 0) != 0 && errno == EPERM;
  return hidden ? EPERM : error;
}

ProcessLook look_at(std::uint64_t pid) {
  const OwnedFd file(::open(fmt::format("/proc/{}/stat", pid).c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) return {.error = error_of_missing(pid, errno)};
  std::array<char, 1024> text{};
  const ssize_t size = ::read(file.get(), text.data(), text.size());
  if (size <= 0) return {.error = size < 0 ? errno : ESRCH};
  // The name may hold anything, also brackets and blanks: fields are counted from its end.
  std::string_view left(text.data(), static_cast<std::size_t>(size));
  const std::size_t name_end = left.rfind(") ");
  if (name_end == std::string_view::npos) return {.error = EIO};
  left.remove_prefix(name_end + 2);
  ProcessLook found{.state = left.empty() ? '?' : left.front()};
  for (int field = kStateField; field < kStartField; ++field) {
    const std::size_t blank = left.find(' ');
    if (blank == std::string_view::npos) return {.error = EIO};
    left.remove_prefix(blank + 1);
  }
  std::uint64_t ticks = 0;
  std::from_chars(left.data(), left.data() + left.size(), ticks);
  found.start_ns = ticks * (kNsPerSecond / static_cast<std::uint64_t>(::sysconf(_SC_CLK_TCK)));
  return found;
}

bool is_over(const ProcessLook& found) {
  return found.error == ENOENT || found.error == ESRCH || found.state == 'Z' || found.state == 'X';
}

}  // namespace

std::optional<std::uint64_t> process_start_ns(std::uint64_t pid) {
  const ProcessLook found = look_at(pid);
  if (found.error != 0 || is_over(found)) return std::nullopt;
  return found.start_ns;
}

Owner owner_by(const ProcessLook& look, std::uint64_t started_ns) {
  if (is_over(look)) return Owner::kDead;
  if (look.error != 0) return Owner::kAlive;
  return look.start_ns == started_ns ? Owner::kAlive : Owner::kDead;
}

Owner owner_state(std::uint64_t pid, std::uint64_t started_ns) {
  if (pid == 0) return Owner::kNone;
  return owner_by(look_at(pid), started_ns);
}

std::string pid_namespace() {
  std::array<char, 64> text{};
  const ssize_t size = ::readlink("/proc/self/ns/pid", text.data(), text.size());
  return size > 0 ? std::string(text.data(), static_cast<std::size_t>(size)) : std::string();
}

}  // namespace hyperscale::stream
