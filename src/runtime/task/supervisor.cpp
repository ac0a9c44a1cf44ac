#include "runtime/task/supervisor.h"

#include "base/check.h"
#include "base/duration_text.h"
#include "runtime/clock/clock.h"
#include "runtime/log/log.h"
#include "runtime/metrics/metrics.h"

#include <algorithm>
#include <utility>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/system/system_error.hpp>

namespace hyperscale::runtime {
namespace {

enum class TaskState { kRunning, kWaiting, kAborting, kExited };

std::string describe(const std::exception_ptr& failure) {
  if (!failure) return "returned before it was told to stop";
  try {
    std::rethrow_exception(failure);
  } catch (const boost::system::system_error& error) {
    return error.code() == asio::error::operation_aborted ? "was cancelled" : error.what();
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "threw something that is not an exception";
  }
}

}  // namespace

struct Supervisor::Task {
  Task(TaskSpec s, asio::any_io_executor e, RestartLimits limits, Prng prng)
      : spec(std::move(s)), strand(std::move(e)), backoff(limits, prng), restart_timer(strand) {}

  TaskToken token;
  const TaskSpec spec;
  const asio::any_io_executor strand;
  asio::cancellation_signal cancel;  // used on the strand only
  TaskBackoff backoff;
  asio::steady_timer restart_timer;  // used on the strand only
  TaskState state = TaskState::kRunning;
};

struct Supervisor::Service {
  explicit Service(RestartLimits limits) : window(limits) {}
  RestartWindow window;
  std::uint64_t restarts = 0;
};

Supervisor::Supervisor(Surroundings surroundings, RestartLimits limits, Prng prng)
    : surroundings_(std::move(surroundings)), limits_(limits), prng_(prng) {}

Supervisor::~Supervisor() = default;

TaskToken Supervisor::start(TaskSpec spec) {
  std::shared_ptr<Task> task;
  {
    const concurrent::RankedLock lock(mutex_);
    const Prng jitter = prng_.stream(spec.name);
    task = std::make_shared<Task>(std::move(spec), surroundings_.make_strand(), limits_, jitter);
    tasks_.push_back(task);
    task->token = TaskToken(tasks_.size());
    auto& service = services_[task->spec.service];
    if (!service) service = std::make_unique<Service>(limits_);
  }
  launch(task);
  return task->token;
}

bool Supervisor::cancel(TaskToken token) {
  bool found = false;
  cancel_running([&](const Task& task) {
    found = found || task.token == token;
    return task.token == token;
  });
  report_if_all_exited();
  return found;
}

void Supervisor::set_limits(RestartLimits limits) {
  const concurrent::RankedLock lock(mutex_);
  limits_ = limits;
}

void Supervisor::on_all_exited(std::function<void()> callback) {
  const concurrent::RankedLock lock(mutex_);
  CHECK(!stopping_, "too late to ask");
  all_exited_ = std::move(callback);
}

void Supervisor::launch(const std::shared_ptr<Task>& task) {
  surroundings_.metrics.add(Counter::kTasksSpawned, task->spec.service);
  auto ended = [self = shared_from_this(), task](const std::exception_ptr& failure) { self->on_exit(task, failure); };
  asio::post(task->strand, [task, ended = std::move(ended)]() mutable {
    asio::co_spawn(task->strand, task->spec.body(),
                   asio::bind_cancellation_slot(task->cancel.slot(), std::move(ended)));
  });
}

void Supervisor::on_exit(const std::shared_ptr<Task>& task, const std::exception_ptr& failure) {
  const bool stop = surroundings_.stop.requested();
  bool aborting = false;
  {
    const concurrent::RankedLock lock(mutex_);
    aborting = task->state == TaskState::kAborting;
  }
  const bool crashed = !stop || (failure && task->spec.needed_to_drain);
  if (crashed && !aborting) return restart_later(task, describe(failure));
  if (failure) surroundings_.log.debug("supervisor", "{} {} while stopping", task->spec.name, describe(failure));
  surroundings_.metrics.add(failure ? Counter::kTasksCanceled : Counter::kTasksCompleted, task->spec.service);
  {
    const concurrent::RankedLock lock(mutex_);
    task->state = TaskState::kExited;
  }
  report_if_all_exited();
}

void Supervisor::restart_later(const std::shared_ptr<Task>& task, const std::string& cause) {
  const MonoTime now = mono_now();
  Duration delay{};
  bool newly_degraded = false;
  {
    const concurrent::RankedLock lock(mutex_);
    task->state = TaskState::kWaiting;
    delay = task->backoff.next_delay(now);
    Service& service = *services_.at(task->spec.service);
    const bool was_degraded = service.window.degraded(now);
    service.window.on_restart(now);
    ++service.restarts;
    newly_degraded = !was_degraded && service.window.degraded(now);
    // stopping() has already dropped the tasks that waited then.
    if (stopping_ && !task->spec.needed_to_drain) delay = Duration::zero();
  }
  surroundings_.metrics.add(Counter::kServiceRestarts, task->spec.service);
  surroundings_.log.error("supervisor", "{} {}; restarting in {}", task->spec.name, cause,
                          format_duration(std::chrono::duration_cast<std::chrono::milliseconds>(delay)));
  if (newly_degraded) surroundings_.log.warn("supervisor", "{} restarts too often: degraded", task->spec.service);
  surroundings_.bus.publish(ServiceCrashedEvent{task->spec.service, task->spec.name});
  task->restart_timer.expires_after(delay);
  task->restart_timer.async_wait([self = shared_from_this(), task](boost::system::error_code) {
    const bool give_up = self->surroundings_.stop.requested() && !task->spec.needed_to_drain;
    bool exited = false;
    {
      const concurrent::RankedLock lock(self->mutex_);
      if (give_up) task->state = TaskState::kExited;
      exited = task->state == TaskState::kExited;
      if (!exited) task->state = TaskState::kRunning;
    }
    if (exited)
      self->report_if_all_exited();
    else
      self->launch(task);
  });
}

void Supervisor::stopping() {
  std::vector<std::shared_ptr<Task>> waiting;
  {
    const concurrent::RankedLock lock(mutex_);
    stopping_ = true;
    for (const auto& task : tasks_) {
      if (task->state == TaskState::kWaiting) waiting.push_back(task);
    }
  }
  for (const auto& task : waiting) {
    asio::post(task->strand, [task] { task->restart_timer.cancel(); });
  }
  report_if_all_exited();
}

void Supervisor::report_if_all_exited() {
  std::function<void()> report;
  {
    const concurrent::RankedLock lock(mutex_);
    if (!stopping_ || !all_exited_) return;
    for (const auto& task : tasks_) {
      if (!task->spec.exits_last && task->state != TaskState::kExited) return;
    }
    report = std::exchange(all_exited_, nullptr);
  }
  report();
}

std::vector<std::shared_ptr<Supervisor::Task>> Supervisor::cancel_running(
    const std::function<bool(const Task&)>& chosen) {
  std::vector<std::shared_ptr<Task>> stragglers;
  std::vector<std::shared_ptr<Task>> waiting;
  {
    const concurrent::RankedLock lock(mutex_);
    for (const auto& task : tasks_) {
      const bool ended = task->state == TaskState::kAborting || task->state == TaskState::kExited;
      if (ended || !chosen(*task)) continue;
      const bool running = task->state == TaskState::kRunning;
      (running ? stragglers : waiting).push_back(task);
      task->state = running ? TaskState::kAborting : TaskState::kExited;  // from here on it is not restarted
    }
  }
  for (const auto& task : stragglers) {
    asio::post(task->strand, [task] { task->cancel.emit(asio::cancellation_type::terminal); });
  }
  for (const auto& task : waiting) {
    asio::post(task->strand, [task] { task->restart_timer.cancel(); });
  }
  return stragglers;
}

std::vector<std::string> Supervisor::abort_stragglers(Stragglers which) {
  const auto chosen = [which](const Task& task) {
    return !task.spec.exits_last && (which == Stragglers::kAll || task.spec.needed_to_drain);
  };
  std::vector<std::string> names;
  for (const auto& task : cancel_running(chosen)) {
    names.push_back(task->spec.name);
    surroundings_.metrics.add(Counter::kTasksAborted, task->spec.service);
    surroundings_.log.error("supervisor", "{} of {} did not stop in time: aborted", task->spec.name,
                            task->spec.service);
  }
  report_if_all_exited();
  return names;
}

void Supervisor::abort_last() {
  cancel_running([](const Task& task) { return task.spec.exits_last; });
}

unsigned Supervisor::inject_crash(const std::string& service, unsigned count) {
  std::vector<std::shared_ptr<Task>> victims;
  {
    const concurrent::RankedLock lock(mutex_);
    for (const auto& task : tasks_) {
      if (victims.size() == count) break;
      if (task->spec.service == service && task->state == TaskState::kRunning) victims.push_back(task);
    }
    // Moves the victims to the end of the list, so that repeated injections spread over all tasks of the service.
    for (const auto& task : victims) {
      const auto place = std::find(tasks_.begin(), tasks_.end(), task);
      std::rotate(place, place + 1, tasks_.end());
    }
  }
  for (const auto& task : victims) {
    asio::post(task->strand, [task] { task->cancel.emit(asio::cancellation_type::terminal); });
  }
  return static_cast<unsigned>(victims.size());
}

std::vector<ServiceStatus> Supervisor::services(MonoTime now) const {
  const concurrent::RankedLock lock(mutex_);
  std::map<std::string, ServiceStatus> by_name;
  for (const auto& task : tasks_) {
    ServiceStatus& status = by_name[task->spec.service];
    ++status.tasks;
    if (task->state == TaskState::kRunning) ++status.running;
  }
  std::vector<ServiceStatus> all;
  for (auto& [name, status] : by_name) {
    const Service& service = *services_.at(name);
    status.name = name;
    status.restarts = service.restarts;
    if (service.window.degraded(now))
      status.state = ServiceState::kDegraded;
    else
      status.state = status.running > 0 ? ServiceState::kReady : ServiceState::kUnready;
    all.push_back(status);
  }
  return all;
}

}  // namespace hyperscale::runtime
