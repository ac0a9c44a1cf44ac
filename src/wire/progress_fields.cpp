#include "wire/progress_fields.h"

#include "wire/proto_fields.h"
#include "wire/wire_text.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::wire {
namespace {

Status check_number(std::string_view field, double value) {
  if (std::isfinite(value) && value >= 0) return {};
  return fail(ErrorCode::kProtocol, fmt::format("{} is not a number from 0", field));
}

Status check_step(const StepStats& step) {
  if (step.step_name.empty()) return missing("step_stats.step_name");
  return check_name("step_stats.step_name", step.step_name);
}

Result<WorkflowProgress> read_steps(const proto::WorkflowProgress& from, WorkflowProgress progress) {
  for (const proto::StepStats& step : from.step_stats()) {
    progress.step_stats.push_back({.step_name = step.step_name(),
                                   .completed_count = step.completed_count(),
                                   .failed_count = step.failed_count(),
                                   .total_count = step.total_count()});
  }
  progress.assigned_cores.assign(from.assigned_cores().begin(), from.assigned_cores().end());
  return progress;
}

}  // namespace

Status check_id(std::string_view field, std::string_view text, std::size_t bytes_max) {
  if (text.empty()) return missing(field);
  if (const Status ok = check_text(text, bytes_max); !ok) {
    return fail(ok.error().code, fmt::format("{} {}", field, ok.error().context));
  }
  return {};
}

Status check_name(std::string_view field, std::string_view text) {
  if (text.size() > kProgressNameBytesMax) {
    return fail(ErrorCode::kTooLarge,
                fmt::format("{} has {} bytes, at most {}", field, text.size(), kProgressNameBytesMax));
  }
  if (std::ranges::any_of(text, is_control)) {
    return fail(ErrorCode::kProtocol, fmt::format("{} has a control character", field));
  }
  return {};
}

Status check_count(std::string_view field, std::size_t count, std::size_t most) {
  if (count <= most) return {};
  return fail(ErrorCode::kTooLarge, fmt::format("{} has {} entries, at most {}", field, count, most));
}

Status check_workflow(const WorkflowProgress& progress) {
  if (Status ok = check_id("job_id", progress.job_id, kProgressIdBytesMax); !ok) return ok;
  if (Status ok = check_id("workflow_id", progress.workflow_id, kProgressIdBytesMax); !ok) return ok;
  if (Status ok = check_name("workflow_name", progress.workflow_name); !ok) return ok;
  for (const auto& [field, value] : {std::pair("rate_per_second", progress.rate_per_second),
                                     {"elapsed_seconds", progress.elapsed_s},
                                     {"timestamp", progress.timestamp_s}}) {
    if (Status ok = check_number(field, value); !ok) return ok;
  }
  if (Status ok = check_count("step_stats", progress.step_stats.size(), kStepsPerWorkflowMax); !ok) return ok;
  for (const StepStats& step : progress.step_stats) {
    if (Status ok = check_step(step); !ok) return ok;
  }
  return check_count("assigned_cores", progress.assigned_cores.size(), kAssignedCoresMax);
}

Status check_job(const JobProgress& progress) {
  if (Status ok = check_id("job_id", progress.job_id, kProgressIdBytesMax); !ok) return ok;
  if (const Status ok = check_text(progress.datacenter, kDatacenterBytesMax); !ok) {
    return fail(ok.error().code, "datacenter " + ok.error().context);
  }
  for (const auto& [field, value] : {std::pair("overall_rate", progress.overall_rate),
                                     {"elapsed_seconds", progress.elapsed_s},
                                     {"timestamp", progress.timestamp_s}}) {
    if (Status ok = check_number(field, value); !ok) return ok;
  }
  if (Status ok = check_count("workflows", progress.workflows.size(), kWorkflowsPerJobMax); !ok) return ok;
  for (const WorkflowProgress& workflow : progress.workflows) {
    if (const Status ok = check_workflow(workflow); !ok) return within("workflows", ok.error());
  }
  return {};
}

void write_workflow(const WorkflowProgress& from, proto::WorkflowProgress& to) {
  to.set_job_id(from.job_id);
  to.set_workflow_id(from.workflow_id);
  to.set_workflow_name(from.workflow_name);
  to.set_status(std::string(status_name(from.status)));
  to.set_completed_count(from.completed_count);
  to.set_failed_count(from.failed_count);
  to.set_rate_per_second(from.rate_per_second);
  to.set_elapsed_seconds(from.elapsed_s);
  for (const StepStats& step : from.step_stats) {
    proto::StepStats& into = *to.add_step_stats();
    into.set_step_name(step.step_name);
    into.set_completed_count(step.completed_count);
    into.set_failed_count(step.failed_count);
    into.set_total_count(step.total_count);
  }
  to.set_timestamp(from.timestamp_s);
  for (const std::uint32_t core : from.assigned_cores) to.add_assigned_cores(core);
}

void write_job(const JobProgress& from, proto::JobProgress& to) {
  to.set_job_id(from.job_id);
  to.set_datacenter(from.datacenter);
  to.set_status(std::string(status_name(from.status)));
  for (const WorkflowProgress& workflow : from.workflows) write_workflow(workflow, *to.add_workflows());
  to.set_total_completed(from.total_completed);
  to.set_total_failed(from.total_failed);
  to.set_overall_rate(from.overall_rate);
  to.set_elapsed_seconds(from.elapsed_s);
  to.set_timestamp(from.timestamp_s);
}

Result<WorkflowProgress> read_workflow(const proto::WorkflowProgress& from) {
  const auto steps = static_cast<std::size_t>(from.step_stats_size());
  const auto cores = static_cast<std::size_t>(from.assigned_cores_size());
  if (Status ok = check_count("step_stats", steps, kStepsPerWorkflowMax); !ok) return fail(ok.error());
  if (Status ok = check_count("assigned_cores", cores, kAssignedCoresMax); !ok) return fail(ok.error());
  WorkflowProgress progress{.job_id = from.job_id(),
                            .workflow_id = from.workflow_id(),
                            .workflow_name = from.workflow_name(),
                            .completed_count = from.completed_count(),
                            .failed_count = from.failed_count(),
                            .rate_per_second = from.rate_per_second(),
                            .elapsed_s = from.elapsed_seconds(),
                            .timestamp_s = from.timestamp()};
  if (Status ok = read_state("status", from.status(), progress.status); !ok) return fail(ok.error());
  return read_steps(from, std::move(progress));
}

Result<JobProgress> read_job(const proto::JobProgress& from) {
  const auto workflows = static_cast<std::size_t>(from.workflows_size());
  if (Status ok = check_count("workflows", workflows, kWorkflowsPerJobMax); !ok) return fail(ok.error());
  JobProgress progress{.job_id = from.job_id(),
                       .datacenter = from.datacenter(),
                       .total_completed = from.total_completed(),
                       .total_failed = from.total_failed(),
                       .overall_rate = from.overall_rate(),
                       .elapsed_s = from.elapsed_seconds(),
                       .timestamp_s = from.timestamp()};
  if (Status ok = read_state("status", from.status(), progress.status); !ok) return fail(ok.error());
  for (const proto::WorkflowProgress& each : from.workflows()) {
    Result<WorkflowProgress> workflow = read_workflow(each);
    if (!workflow) return within("workflows", workflow.error());
    progress.workflows.push_back(std::move(*workflow));
  }
  return progress;
}

}  // namespace hyperscale::wire
