// Recording: what the runner under test did, a line each, with the virtual time. The fakes of this program write here
// and hand it the means to act on them.
//
// Thread rule: one thread. One recording at a time.
#pragma once

#include "base/result.h"
#include "load/recording/tally_recorder.h"
#include "node/control/control_socket.h"
#include "node/executors/executor_messages.h"
#include "run_script.h"
#include "stream/epoch_folder.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <sys/types.h>

namespace hyperscale::node {

// One executor that the runner has started.
struct FakeExecutor {
  jobs::ScriptTarget target;
  pid_t process = 0;
  bool prepared = false;  // the whole plan has come
  bool ready = false;
  bool gone = false;
  std::optional<stream::EpochRegions> regions;
  std::optional<load::TallyRecorder> recorder;
  std::uint64_t memory = 0;
  MonoTime start;
  std::function<void(const ExecutorMessage&)> says;  // on the runner's loop
  std::function<void(int wait_status)> ends;
};

struct Recording {
  std::vector<std::string> lines;
  boost::asio::io_context* io = nullptr;
  std::vector<std::shared_ptr<FakeExecutor>> executors;  // in the order of their starts
  std::optional<ControlActions> control;
  std::string next_launch_fails;

  void line(const std::string& what);
  FakeExecutor& running(const jobs::ScriptTarget& target);
};

// REQUIRES: a recording is under way.
Recording& recording();

// Runs the script with the real local runner and gives what it did.
std::vector<std::string> record(const jobs::RunScript& script);

}  // namespace hyperscale::node
