// JobWorkers: for a manager, which worker has which workflow of which job, and which workflows to place again when a
// worker is lost: of all jobs when it is dead, of one job when it no longer answers for it (AD-30, part "Use by node
// types"). Liveness comes from ClusterNode's job layer. No program uses it yet: managers run no jobs.
//
//   JobWorkers workers(node);                        // node: this manager's ClusterNode
//   workers.step(JobWorkers::WorkerUp{w}, now);      // from MemberUp, MemberDown, JobNodeDown
//   if (const auto worker = workers.choose("job-1", entropy)) workers.assign("job-1", "login", *worker);
//   workers.step(JobWorkers::ResponseTimedOut{"job-1", w.address}, now);
//
// Thread rule: one owner, the one of the ClusterNode. Follows base/core.h. Bounded by the workers that are up and by
// kAssignmentsMax. Failure: assign() refuses a worker that is not up, a workflow that is placed already and what is
// past the limit; events about what is not known change nothing.
#pragma once

#include "base/core.h"
#include "base/result.h"
#include "cluster/cluster_node.h"
#include "wire/entropy_source.h"
#include "wire/node_identity.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace hyperscale::cluster {

inline constexpr std::size_t kAssignmentsMax = 100'000;

class JobWorkers {
 public:
  // Events.
  struct WorkerUp {
    wire::NodeIdentity worker;
  };
  struct WorkerDown {  // dead or left, for all jobs
    wire::NodeAddress worker;
  };
  struct JobWorkerDown {  // for this job only
    std::string job;
    wire::NodeAddress worker;
  };
  struct ResponseTimedOut {  // the worker did not answer for a workflow of the job
    std::string job;
    wire::NodeAddress worker;
  };
  struct Responded {
    std::string job;
    wire::NodeAddress worker;
  };
  struct WorkflowEnded {
    std::string job;
    std::string workflow;
  };
  struct JobCompleted {
    std::string job;
  };
  using Event =
      std::variant<WorkerUp, WorkerDown, JobWorkerDown, ResponseTimedOut, Responded, WorkflowEnded, JobCompleted>;

  // Actions.
  struct PlaceAgain {  // its worker is lost; it is placed nowhere now
    std::string job;
    std::string workflow;
    wire::NodeIdentity lost;
  };
  struct Note {  // a line for the log
    std::string text;
  };
  using Action = std::variant<PlaceAgain, Note>;

  // `node` outlives this object.
  explicit JobWorkers(ClusterNode& node) : node_(node) {}

  Actions<Action> step(const Event& event, MonoTime now);

  // A random worker that is up and answers for the job, each as likely; nullopt when there is none (AD30-INT-5).
  std::optional<wire::NodeIdentity> choose(std::string_view job, wire::EntropySource& entropy) const;
  Status assign(const std::string& job, const std::string& workflow, const wire::NodeIdentity& worker);

  // Workers that have a workflow of the job; ordered by address.
  std::vector<wire::NodeIdentity> workers_of(std::string_view job) const;
  std::optional<wire::NodeAddress> worker_of(std::string_view job, std::string_view workflow) const;
  std::size_t workers_up() const { return up_.size(); }

 private:
  using Workflows = std::map<std::string, wire::NodeIdentity, std::less<>>;  // who has it

  void take(const WorkerUp& event, MonoTime now);
  void take(const WorkerDown& event, MonoTime now);
  void take(const JobWorkerDown& event, MonoTime now);
  void take(const ResponseTimedOut& event, MonoTime now);
  void take(const Responded& event, MonoTime now);
  void take(const WorkflowEnded& event, MonoTime now);
  void take(const JobCompleted& event, MonoTime now);
  void take_from(const std::string& job, Workflows& workflows, const wire::NodeAddress& worker);
  void drop_if_empty(const std::string& job);

  ClusterNode& node_;
  std::map<wire::NodeAddress, wire::NodeIdentity> up_;
  std::map<std::string, Workflows, std::less<>> jobs_;
  std::size_t assignments_ = 0;
  Actions<Action> out_;  // of the current step
};

static_assert(Core<JobWorkers>);

}  // namespace hyperscale::cluster
