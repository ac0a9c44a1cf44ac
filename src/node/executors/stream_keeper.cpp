#include "node/executors/stream_keeper.h"

#include "base/errno_text.h"
#include "stream/abandoned.h"
#include "stream/namespace_folder.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/close_range.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hyperscale::node {
namespace {

constexpr int kLine = 3;
constexpr timespec kBetweenTries{.tv_sec = 0, .tv_nsec = 25'000'000};
// Executors die with their runner, which may take a moment.
constexpr Duration kDyingMax = 5s;

tl::unexpected<Error> failed(std::string_view what) {
  return fail(ErrorCode::kUnavailable, fmt::format("{}: {}", what, errno_text(errno)));
}

// Nothing of the runner stays open here but the line, or things would live on that should end with it.
void settle_in(int line) {
  ::prctl(PR_SET_NAME, "hs-streams");
  ::setsid();
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) ::signal(signal, SIG_IGN);
  ::dup2(line, kLine);
  const int nothing = ::open("/dev/null", O_RDWR);
  for (int fd = 0; nothing >= 0 && fd < kLine; ++fd) ::dup2(nothing, fd);
  ::close_range(kLine + 1, ~0U, 0);
}

// A word on the line: the runner has ended in order.
bool runner_was_killed() {
  char word = 0;
  ssize_t got = 0;
  do {
    got = ::read(kLine, &word, 1);
  } while (got < 0 && errno == EINTR);
  return got == 0;
}

void nap() {
  ::nanosleep(&kBetweenTries, nullptr);
}

bool is_gone(const stream::DriverSetup& setup) {
  const auto folder = stream::open_namespace(setup.shm_base_dir, setup.name_space);
  return !folder && folder.error().code == ErrorCode::kNotFound;
}

}  // namespace

void collect_after_runner(stream::DriverSetup setup, const stream::Nap& nap) {
  setup.policies.epoch_gc_min_age_ns = 1;
  const MonoTime last = setup.clock() + kDyingMax;
  for (;;) {
    (void)stream::collect_abandoned(setup.shm_base_dir, setup.policies, setup.clock(), stream::Collect::kRemove,
                                    setup.name_space);
    if (is_gone(setup) || setup.clock() > last) return;
    nap();
  }
}

Result<std::unique_ptr<StreamKeeper>> StreamKeeper::start(const stream::DriverSetup& setup) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return failed("no pipe");
  OwnedFd reading(ends[0]);
  OwnedFd writing(ends[1]);
  // Twice, so that it is no child of the runner.
  const pid_t child = ::fork();
  if (child < 0) return failed("no process");
  if (child == 0) {
    if (::fork() != 0) ::_exit(0);
    settle_in(reading.get());
    if (runner_was_killed()) collect_after_runner(setup, &nap);
    ::_exit(0);
  }
  while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  return std::unique_ptr<StreamKeeper>(new StreamKeeper(std::move(writing)));
}

StreamKeeper::~StreamKeeper() {
  (void)!::write(line_.get(), "e", 1);
}

}  // namespace hyperscale::node
