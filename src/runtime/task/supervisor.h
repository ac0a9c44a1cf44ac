// Supervisor: starts the long-lived tasks of a node, restarts those that crash, and joins every one of them at the end.
//
// A task is a coroutine on a strand of its own. It belongs to a service (several workers make one service), and is
// expected to run until stop is signalled: ending earlier, by an exception or by returning, is a crash. A crashed task
// is started again after a growing, jittered delay; a service that restarts too often is reported as degraded but still
// restarted. After stop only tasks that are needed to drain are restarted. Thread rule: any thread. Failure: nothing
// here throws; what a task throws is logged with its name. No task is leaked: on_all_exited is called when the last one
// has ended, and abort_stragglers() cancels tasks that do not end.
#pragma once

#include "base/prng.h"
#include "base/strong_type.h"
#include "base/time.h"
#include "concurrent/ranked_mutex.h"
#include "runtime/channel/bus.h"
#include "runtime/policy/restart_policy.h"
#include "runtime/policy/service_state.h"
#include "runtime/task/stop_signal.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

namespace hyperscale::runtime {

struct TaskSpec {
  std::string name;     // "worker-3"
  std::string service;  // "worker_pool"; also the label `kind` of the task counters
  std::function<asio::awaitable<void>()> body;
  bool needed_to_drain = false;  // restarted also while draining
  bool exits_last = false;       // not part of on_all_exited and never aborted as a straggler: the metrics server
};

// Names one started task, for as long as the supervisor lives.
using TaskToken = StrongId<struct TaskTokenTag>;

struct ServiceStatus {
  std::string name;
  ServiceState state = ServiceState::kUnready;
  unsigned tasks = 0;
  unsigned running = 0;
  std::uint64_t restarts = 0;
};

class Supervisor : public std::enable_shared_from_this<Supervisor> {
 public:
  struct Surroundings {
    Metrics& metrics;
    Log& log;
    Bus& bus;
    StopToken stop;
    std::function<asio::any_io_executor()> make_strand;
  };

  Supervisor(Surroundings surroundings, RestartLimits limits, Prng prng);
  ~Supervisor();
  Supervisor(const Supervisor&) = delete;
  Supervisor& operator=(const Supervisor&) = delete;

  TaskToken start(TaskSpec spec);
  // Ends one task for good, also one that waits for its restart. False when it has ended already.
  bool cancel(TaskToken token);
  void set_limits(RestartLimits limits);

  // Called at most once, from any thread, when stop was signalled and every task but those that exit last has ended.
  // Call it before stop is signalled.
  void on_all_exited(std::function<void()> callback);
  // Stop was signalled: tasks that wait for a restart are dropped.
  void stopping();

  enum class Stragglers { kNeededToDrain, kAll };
  // Cancels every task that still runs, or only those that others wait for (needed_to_drain), counts and logs each by
  // name. Returns the names.
  std::vector<std::string> abort_stragglers(Stragglers which = Stragglers::kAll);
  // Cancels the tasks that exit last.
  void abort_last();

  // Makes up to `count` running tasks of a service crash, for fault injection. Returns how many.
  unsigned inject_crash(const std::string& service, unsigned count);

  // A snapshot of all services, sorted by name.
  std::vector<ServiceStatus> services(MonoTime now) const;

 private:
  struct Task;
  struct Service;

  void launch(const std::shared_ptr<Task>& task);
  void on_exit(const std::shared_ptr<Task>& task, const std::exception_ptr& failure);
  void restart_later(const std::shared_ptr<Task>& task, const std::string& cause);
  void report_if_all_exited();
  std::vector<std::shared_ptr<Task>> cancel_running(const std::function<bool(const Task&)>& chosen);

  Surroundings surroundings_;
  mutable concurrent::RankedMutex mutex_{concurrent::LockRank::kStateMeta};
  RestartLimits limits_;
  Prng prng_;
  std::vector<std::shared_ptr<Task>> tasks_;
  std::map<std::string, std::unique_ptr<Service>> services_;
  std::function<void()> all_exited_;
  bool stopping_ = false;
};

}  // namespace hyperscale::runtime
