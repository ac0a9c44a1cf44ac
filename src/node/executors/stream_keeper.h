// StreamKeeper: removes the streams of a run whose runner was killed. It is a small process (`hyperscale executor
// --keep-streams`) that waits until the runner has exited, then collects only the run's namespace as soon as its
// executors have exited too. It ignores the minimum age of epochs: docs/decisions/0018.
//
// A runner that ends in order removes its streams itself; the destructor kills the process. Any thread.
#pragma once

#include "base/owned_fd.h"
#include "base/result.h"
#include "stream/driver.h"

#include <memory>
#include <utility>

#include <sys/types.h>

namespace hyperscale::node {

class StreamKeeper {
 public:
  static Result<std::unique_ptr<StreamKeeper>> start(const stream::DriverSetup& setup);
  ~StreamKeeper();
  StreamKeeper(const StreamKeeper&) = delete;
  StreamKeeper& operator=(const StreamKeeper&) = delete;

 private:
  StreamKeeper(OwnedFd line, pid_t process) : line_(std::move(line)), process_(process) {}
  const OwnedFd line_;  // the keeper process reads end of file when this end closes
  const pid_t process_;
};

// The body of the process; `line` is the pipe from the runner. Uses base folder, namespace and epochs to keep.
int run_stream_keeper(int line, const stream::DriverSetup& setup);

// Collects after the runner was killed. Returns when the namespace is removed, or after five seconds; a later run
// collects the rest.
void collect_after_runner(stream::DriverSetup setup, const stream::Nap& nap);

}  // namespace hyperscale::node
