#include "node/run/stream_keeper.h"

#include "base/errno_text.h"
#include "stream/abandoned.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/close_range.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

namespace hyperscale::node {
namespace {

constexpr int kLine = 3;
constexpr int kTries = 200;
constexpr timespec kBetweenTries{.tv_sec = 0, .tv_nsec = 25'000'000};

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

// Epochs stay while their executors live, which die with the runner; so it may take a moment.
void collect(stream::DriverSetup setup) {
  setup.policies.epoch_gc_min_age_ns = 1;
  for (int i = 0; i < kTries; ++i) {
    const auto fates =
        stream::collect_abandoned(setup.shm_base_dir, setup.policies, setup.clock(), stream::Collect::kRemove);
    const auto is_left = [&](const stream::EpochFate& fate) {
      return fate.name_space == setup.name_space && (fate.kept || !fate.failure.empty());
    };
    if (fates && std::ranges::none_of(*fates, is_left)) return;
    ::nanosleep(&kBetweenTries, nullptr);
  }
}

}  // namespace

Result<std::unique_ptr<StreamKeeper>> StreamKeeper::start(const stream::DriverSetup& setup) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return failed("no pipe");
  stream::OwnedFd reading(ends[0]);
  stream::OwnedFd writing(ends[1]);
  // Twice, so that it is no child of the runner.
  const pid_t child = ::fork();
  if (child < 0) return failed("no process");
  if (child == 0) {
    if (::fork() != 0) ::_exit(0);
    settle_in(reading.get());
    if (runner_was_killed()) collect(setup);
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
