// StreamKeeper: sees to it that the streams of a run do not outlive a runner that is killed. It is a small process that
// waits for the runner to be gone, and then collects the run's namespace, and no other, as soon as its executors are
// gone too. For this namespace alone nobody waits until epochs are old: docs/decisions/0018.
//
// start() forks, so it comes before threads and before the driver, whose lock the process must not share. A runner that
// ends in order removes its streams itself; the destructor lets the process go.
#pragma once

#include "base/owned_fd.h"
#include "base/result.h"
#include "stream/driver.h"

#include <memory>

namespace hyperscale::node {

class StreamKeeper {
 public:
  static Result<std::unique_ptr<StreamKeeper>> start(const stream::DriverSetup& setup);
  ~StreamKeeper();
  StreamKeeper(const StreamKeeper&) = delete;
  StreamKeeper& operator=(const StreamKeeper&) = delete;

 private:
  explicit StreamKeeper(OwnedFd line) : line_(std::move(line)) {}
  OwnedFd line_;  // the process notices when this end is closed, however that happens
};

// What the process does when the runner was killed. Returns when nothing of the namespace is left, and at the latest
// after five seconds; the rest is collected by a later run.
void collect_after_runner(stream::DriverSetup setup, const stream::Nap& nap);

}  // namespace hyperscale::node
