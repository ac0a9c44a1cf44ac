#include "node/executors/child_process.h"

#include "base/errno_text.h"
#include "runtime/sandbox/environment.h"

#include <cerrno>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace hyperscale::node {
namespace {

// Beyond every number that a descriptor is moved to below.
constexpr int kParkedFrom = 10;

// Runs in the child between fork and exec, where only async-signal-safe calls are allowed.
[[noreturn]] void become(const ChildSetup& setup, char* const* arguments, char* const* environment,
                         const cpu_set_t* cores, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(kExecFailed);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);  // NOLINT(concurrency-mt-unsafe): the child of a fork has one thread
  const int control = ::fcntl(setup.control_fd, F_DUPFD, kParkedFrom);
  int regions[kChildRegions];
  for (int i = 0; i < kChildRegions; ++i)
    regions[i] = ::fcntl(setup.region_fds[static_cast<std::size_t>(i)], F_DUPFD, kParkedFrom);
  const int nothing = ::open("/dev/null", O_RDWR);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(nothing, STDOUT_FILENO);
  if (::dup2(control, kChildControlFd) < 0) ::_exit(kExecFailed);
  for (int i = 0; i < kChildRegions; ++i)
    if (::dup2(regions[i], kChildRegionFd + i) < 0) ::_exit(kExecFailed);
  ::close_range(kChildRegionFd + kChildRegions, ~0U, 0);
  // A core that was taken away meanwhile is no reason not to run.
  if (cores != nullptr) ::sched_setaffinity(0, sizeof *cores, cores);
  ::execve(setup.program.c_str(), arguments, environment);
  ::_exit(kExecFailed);
}

// As exec takes them; the texts have to stay.
std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

Result<pid_t> start_child(const ChildSetup& setup) {
  const std::vector<std::string> kept = runtime::kept_environment();
  const std::vector<char*> arguments = pointers_to(setup.arguments);
  const std::vector<char*> environment = pointers_to(kept);
  cpu_set_t cores;
  CPU_ZERO(&cores);
  const bool pinned = setup.core >= 0 && setup.core < CPU_SETSIZE;
  if (pinned) CPU_SET(static_cast<std::size_t>(setup.core), &cores);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) return fail(ErrorCode::kBusy, fmt::format("cannot start an executor: {}", errno_text(errno)));
  if (child == 0) become(setup, arguments.data(), environment.data(), pinned ? &cores : nullptr, parent);
  return child;
}

}  // namespace hyperscale::node
