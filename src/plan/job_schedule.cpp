#include "plan/job_schedule.h"

#include "base/check.h"
#include "plan/layers.h"
#include "plan/provisioner.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hyperscale::plan {
namespace {

std::uint32_t index_of(const Job& job, const std::string& workflow) {
  const auto found = std::ranges::find(job.workflows, workflow, [](const Workflow& each) { return each.plan.name; });
  CHECK(found != job.workflows.end(), "no workflow called {}", workflow);
  return static_cast<std::uint32_t>(found - job.workflows.begin());
}

// Deals cores in turn, so that workflows of a stage share a core only when all cores have been dealt.
class CoreDealer {
 public:
  explicit CoreDealer(std::uint32_t pool) : pool_(pool) {}

  std::vector<std::uint32_t> take(std::uint32_t count) {
    std::vector<std::uint32_t> cores;
    for (; count > 0; --count) cores.push_back(next_++ % pool_);
    std::ranges::sort(cores);
    return cores;
  }
  bool dealt_twice() const { return next_ > pool_; }

 private:
  std::uint32_t pool_;
  std::uint32_t next_ = 0;
};

class Scheduler {
 public:
  Scheduler(const Job& job, std::uint32_t pool) : job_(job), pool_(pool) {}

  void add_layer(const std::vector<std::uint32_t>& members, std::uint32_t layer) {
    std::vector<WorkflowClaim> claims;
    for (const std::uint32_t member : members) {
      const Workflow& workflow = job_.workflows[member];
      claims.push_back({workflow.plan.name, workflow.priority, workflow.is_test});
    }
    Batch together;
    for (Batch& batch : provision(claims, pool_)) {
      const bool alone = batch.front().priority == Priority::kExclusive && batch.front().threads > 0;
      if (alone) {
        add_stage(batch, layer);
      } else {
        together.insert(together.end(), batch.begin(), batch.end());
      }
    }
    if (!together.empty()) add_stage(together, layer);
  }

  Result<JobSchedule> take() {
    auto vus = plan_vus(vus_);
    if (!vus) return fail(vus.error());
    schedule_.workflow_vus = std::move(*vus);
    return std::move(schedule_);
  }

 private:
  void add_stage(const Batch& batch, std::uint32_t layer) {
    CoreDealer dealer(pool_);
    auto& stage = schedule_.stages.emplace_back();
    std::vector<std::string> names;
    for (const Provision& each : batch) {
      const std::uint32_t index = index_of(job_, each.workflow);
      stage.push_back({index, layer, dealer.take(cores_of(each))});
      vus_.push_back({each.workflow, job_.workflows[index].plan.load.vus, cores_of(each)});
      names.push_back(each.workflow);
    }
    if (dealer.dealt_twice()) {
      schedule_.warnings.push_back(fmt::format("{} core{} {} shared by workflows {}; they slow each other down", pool_,
                                               pool_ == 1 ? "" : "s", pool_ == 1 ? "is" : "are",
                                               fmt::join(names, ", ")));
    }
  }

  const Job& job_;
  std::uint32_t pool_;
  JobSchedule schedule_;
  std::vector<WorkflowVus> vus_;
};

}  // namespace

Result<JobSchedule> schedule_of(const Job& job, std::uint32_t pool) {
  CHECK(pool > 0, "a job is scheduled on an empty pool");
  if (job.workflows.empty()) return fail(ErrorCode::kInvalidArgument, "the job has no workflow");
  std::vector<Dependent> members;
  members.reserve(job.workflows.size());
  for (const Workflow& workflow : job.workflows) members.push_back({workflow.plan.name, workflow.depends});
  const auto layers = layers_of("workflow", members);
  if (!layers) return fail(ErrorCode::kInvalidArgument, layers.error().message);
  Scheduler scheduler(job, pool);
  for (std::uint32_t layer = 0; layer < layers->size(); ++layer) scheduler.add_layer((*layers)[layer], layer);
  return scheduler.take();
}

}  // namespace hyperscale::plan
