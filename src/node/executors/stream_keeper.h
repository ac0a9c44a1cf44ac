// StreamKeeper: removes the streams of a run whose runner was killed. It is a small process (`hyperscale executor
// --keep-streams`) that waits until the runner is gone, and then collects the run's namespace, and no other, as soon as
// its executors are gone too. For this namespace alone nobody waits until epochs are old: docs/decisions/0018.
//
// A runner that ends in order removes its streams itself; the destructor ends the process. Any thread.
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
  const OwnedFd line_;  // the process notices when this end is closed, however that happens
  const pid_t process_;
};

// The body of the process; `line` ends with the runner. Of the setup it uses base folder, namespace and epochs to keep.
int run_stream_keeper(int line, const stream::DriverSetup& setup);

// What the process does when the runner was killed. Returns when nothing of the namespace is left, and at the latest
// after five seconds; the rest is collected by a later run.
void collect_after_runner(stream::DriverSetup setup, const stream::Nap& nap);

}  // namespace hyperscale::node
