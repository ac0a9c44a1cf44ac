// SimWorker: a simple model of a worker for tests of the manager. It answers the manager's questions as a worker has
// to: fences are compared, a repeated dispatch gets the stored answer, results are kept until they are released. It
// does no work: a share that runs ends when its load has passed.
//
// Time and the way to the manager are those of its host. One thread.
#pragma once

#include "base/time.h"
#include "plan/job.h"
#include "wire/jobs/job_message.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace hyperscale::manager {

// What a share really did.
struct Execution {
  wire::AttemptId attempt;
  std::string worker;
  Duration from_elapsed{};
  MonoTime begin;
  MonoTime end = MonoTime::max();
};

class SimWorker {
 public:
  using Report = std::variant<wire::ShareProgress, wire::WorkflowEvent, wire::WorkflowFinalResult, wire::CancelQuery>;
  struct Host {
    std::function<MonoTime()> now;
    std::function<void(Duration, std::function<void()>)> after;
    std::function<void(const std::string& worker, Report)> report;
    std::function<const plan::Workflow&(const wire::ShareId&)> workflow;
    std::function<Duration()> ready_after;
    std::function<void(Execution)> executed;
  };

  SimWorker(std::string name, std::uint32_t cores, std::uint64_t boot, Host& host)
      : name_(std::move(name)), cores_(cores), boot_(boot), host_(host) {}

  const std::string& name() const { return name_; }
  wire::BootId boot() const { return boot_; }
  std::uint32_t cores() const { return cores_; }
  std::uint32_t used() const;
  std::uint64_t version() const { return version_; }
  std::size_t attempts() const { return attempts_.size(); }
  bool runs(const wire::ShareId& share) const { return attempts_.contains(share); }

  wire::JobAnswer answer(const wire::JobQuestion& question);
  // The manager's answers to its reports.
  void acknowledged(const Report& report, const wire::ProgressAck& ack);
  void acknowledged(const Report& report, const wire::ReportAck& ack);
  void acknowledged(const Report& report, const wire::CancelQueryAnswer& answer);
  // The process ends; another one begins, without memory.
  void restart(std::uint64_t boot);

  // How the next attempt of a share ends; kCompleted otherwise.
  std::map<wire::ShareId, wire::AttemptEnd> ends;
  wire::Refusal refuses = wire::Refusal::kNone;  // every dispatch
  bool never_ready = false;
  bool ignores_cancel = false;
  std::size_t value_bytes = 0;  // of each of two values that a workflow provides; zero: one small one
  bool is_mute = false;         // no question reaches it; heartbeats do

 private:
  enum class Phase { kPreparing, kReady, kStarted, kFinished };
  struct Attempt {
    wire::WorkflowDispatch dispatch;
    wire::WorkflowDispatchAck ack;
    Phase phase = Phase::kPreparing;
    std::uint32_t cores = 0;
    std::uint32_t events = 0;
    std::uint64_t sequence = 0;
    std::optional<Execution> execution;
    std::optional<wire::WorkflowFinalResult> result;
    bool result_known = false;  // to the manager
  };

  wire::WorkflowDispatchAck take(const wire::WorkflowDispatch& dispatch);
  wire::OrderAck take(const wire::WorkflowStart& start);
  wire::WorkflowCancelResponse take(const wire::WorkflowCancelRequest& request);
  wire::Released take(const wire::ResultRelease& release);
  // Runs `what` later, if this attempt is still here.
  void later(Duration delay, const wire::AttemptId& id, std::function<void(Attempt&)> what);
  void send_event(Attempt& attempt, wire::AttemptEvent event);
  void progress(Attempt& attempt);
  void poll(Attempt& attempt);
  void finish(Attempt& attempt, wire::AttemptEnd end);
  void send_result(Attempt& attempt);
  void stop(Attempt& attempt);
  void drop(const wire::ShareId& share);
  Attempt* find(const wire::AttemptId& id);

  std::string name_;
  std::uint32_t cores_;
  wire::BootId boot_;
  Host& host_;
  std::uint64_t version_ = 1;
  std::map<wire::ShareId, Attempt> attempts_;
  std::map<wire::ShareId, wire::Fence> tombstones_;
};

}  // namespace hyperscale::manager
