#include "node/executors/stream_keeper.h"

#include "base/errno_text.h"
#include "base/owned_fd.h"
#include "runtime/process/child_process.h"
#include "runtime/sandbox/environment.h"
#include "stream/abandoned.h"
#include "stream/namespace_folder.h"

#include <cerrno>
#include <csignal>
#include <ctime>
#include <string>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hyperscale::node {
namespace {

constexpr timespec kBetweenTries{.tv_sec = 0, .tv_nsec = 25'000'000};
// Time for the executors to die after their runner.
constexpr Duration kDyingMax = 5s;

tl::unexpected<Error> failed(std::string_view what) {
  return fail(ErrorCode::kUnavailable, fmt::format("{}: {}", what, errno_text(errno)));
}

// It outlives its runner, so it must not keep the runner's standard error open: a reader of a pipe waits for its end.
void close_standard_error() {
  const OwnedFd null(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  if (null.valid()) ::dup2(null.get(), STDERR_FILENO);
}

// The runner writes nothing: the pipe only reports its end.
void await_end_of_runner(int line) {
  char word = 0;
  while (::read(line, &word, 1) < 0 && errno == EINTR) {
  }
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

int run_stream_keeper(int line, const stream::DriverSetup& setup) {
  ::prctl(PR_SET_NAME, "hs-streams");
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) std::signal(signal, SIG_IGN);
  close_standard_error();
  await_end_of_runner(line);
  collect_after_runner(setup, &nap);
  return 0;
}

Result<std::unique_ptr<StreamKeeper>> StreamKeeper::start(const stream::DriverSetup& setup) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return failed("no pipe");
  const OwnedFd reading(ends[0]);
  OwnedFd writing(ends[1]);
  const auto process = runtime::start_child(
      {.program = runtime::kOwnProgram,
       .arguments = {"hyperscale", "executor", "--keep-streams", setup.shm_base_dir, "--namespace", setup.name_space,
                     "--keep-epochs", std::to_string(setup.policies.epoch_gc_keep), "--control-fd",
                     std::to_string(runtime::kChildFirstFd)},
       .environment = runtime::kept_environment(),
       .descriptors = {reading.get()},
       .own_session = true});
  if (!process) return fail(process.error());
  return std::unique_ptr<StreamKeeper>(new StreamKeeper(std::move(writing), *process));
}

StreamKeeper::~StreamKeeper() {
  ::kill(process_, SIGKILL);
  while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace hyperscale::node
