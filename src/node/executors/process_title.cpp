#include "node/executors/process_title.h"

#include "base/owned_fd.h"

#include <array>
#include <cerrno>
#include <cstddef>
#include <string_view>

#include <fcntl.h>
#include <fmt/format.h>
#include <string.h>  // NOLINT(modernize-deprecated-headers): for memset on arguments
#include <sys/prctl.h>
#include <unistd.h>

namespace hyperscale::node {
namespace {

constexpr std::size_t kNameBytesMax = 15;  // of a thread

// Size of all arguments with their terminators; 0 if they exceed the buffer, and the title then stays unchanged.
std::size_t command_line_bytes() {
  std::array<char, 4096> bytes{};
  const OwnedFd file(::open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC));
  const ssize_t got = ::read(file.get(), bytes.data(), bytes.size());
  return got > 0 && static_cast<std::size_t>(got) < bytes.size() ? static_cast<std::size_t>(got) : 0;
}

}  // namespace

std::string process_title(const std::string& what, const std::string& run) {
  return fmt::format("hyperscale: {} of run-{}", what, run);
}

void show_title() {
  const std::string_view title = program_invocation_name;
  const std::size_t bytes = command_line_bytes();
  // The kernel stores the arguments contiguously.
  if (bytes > title.size() + 1) ::memset(program_invocation_name + title.size() + 1, 0, bytes - title.size() - 1);
  ::prctl(PR_SET_NAME, std::string(title.substr(0, kNameBytesMax)).c_str());
}

}  // namespace hyperscale::node
