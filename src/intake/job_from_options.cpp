#include "intake/job_from_options.h"

#include "intake/described_in_child.h"
#include "intake/load_from_options.h"
#include "intake/plan_from_options.h"
#include "intake/shared_users.h"
#include "intake/workflow_file.h"
#include "plan/limits.h"
#include "plan/option_values.h"
#include "plan/plan_codec.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::intake {
namespace {

// Applies only the load options that were given.
Status overrule(const LoadOptions& options, const Machine& machine, plan::Load& load) {
  const bool counts = !options.requests.empty() || !options.iterations.empty();
  const bool shape = !options.rate.empty() || !options.stages.empty();
  const auto asked = load_of(options, open_vus_default(machine));
  if (!asked) return fail(asked.error());
  if (shape) {
    load.pacing = asked->pacing;
    load.rate_per_s = asked->rate_per_s;
    load.vus = asked->vus;
  }
  if (shape || !options.duration.empty()) {
    load.stages = asked->stages;
    load.duration = asked->duration;
  }
  if (!options.vus.empty()) set_users(plan::Load(load), asked->vus, load);
  if (counts) {
    load.iterations = asked->iterations;
    if (options.duration.empty()) load.duration = {};
  }
  if (!options.think_time.empty()) load.think_time = asked->think_time;
  if (!options.warmup.empty()) load.warmup = asked->warmup;
  if (!options.graceful_stop.empty()) load.graceful_stop = asked->graceful_stop;
  if (options.poisson) load.poisson = true;
  return {};
}

// Options override the workflow's own settings.
void overrule(const HttpOptions& options, const plan::Http& asked, plan::Http& http) {
  if (!options.redirects.empty()) {
    http.redirects_max = asked.redirects_max;
    http.redirects_anywhere = asked.redirects_anywhere;
  }
  if (options.new_user_per_iteration) http.new_user_per_iteration = true;
}

Status check_new_users(const plan::Workflow& workflow) {
  const plan::Http& http = workflow.plan.http;
  if (!http.new_user_per_iteration || (http.pipeline <= 1 && http.streams <= 1)) return {};
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("workflow {} has newUserPerIteration, which contradicts --pipeline and --streams: their "
                          "requests share a user",
                          workflow.plan.name));
}

// Users and rates of several workflows are a mix: an option scales it and keeps the proportions.
Status scale_mix(const LoadOptions& options, const plan::Job& declared, plan::Job& job,
                 std::vector<std::string>& warnings) {
  if (job.workflows.size() < 2) return {};
  if (!options.stages.empty())
    return plan::wrong_option("--stage",
                              "the file has several workflows, which have a load each; write stages in the file");
  const auto say = [&](Result<std::string> shared) {
    if (!shared) return Status(fail(shared.error()));
    warnings.push_back(std::move(*shared));
    return Status();
  };
  if (!options.rate.empty()) {
    if (Status shared = say(share_rate(declared, job.workflows.front().plan.load.rate_per_s, job)); !shared)
      return shared;
  }
  if (options.vus.empty()) return {};
  const auto users = plan::read_count("--vus", options.vus, 1, plan::kVusMax);
  if (!users) return fail(users.error());
  return say(share_users(declared, static_cast<std::uint32_t>(*users), job));
}

// The file declares the requests; request options would be ignored.
Status refuse_request_options(const RequestOptions& request) {
  RequestOptions only_the_file;
  only_the_file.url = request.url;
  if (request == only_the_file) return {};
  return fail(
      ErrorCode::kInvalidArgument,
      fmt::format("{} says what is sent; options that describe a request are for a URL", plan::shown(request.url)));
}

Result<PlannedJob> job_of_file(const RunOptions& options, const Machine& machine) {
  if (Status alone = refuse_request_options(options.request); !alone) return fail(alone.error());
  const auto settings = settings_of(options, machine);
  if (!settings) return fail(settings.error());
  auto described = described_in_child(options.request.url, options.env, options.secrets, settings->plan);
  if (!described) return fail(described.error());
  const plan::Job declared = described->job;
  std::vector<std::string> warnings;
  for (plan::Workflow& workflow : described->job.workflows)
    if (Status changed = overrule(options.load, machine, workflow.plan.load); !changed) return fail(changed.error());
  if (Status scaled = scale_mix(options.load, declared, described->job, warnings); !scaled) return fail(scaled.error());
  for (plan::Workflow& workflow : described->job.workflows) {
    overrule(options.http, settings->plan.http, workflow.plan.http);
    if (Status sensible = check_new_users(workflow); !sensible) return fail(sensible.error());
    const plan::Load& load = workflow.plan.load;
    const std::uint32_t least = std::min(settings->executors, std::max(load.vus, 1U));
    if (Status enough = check_descriptors("--vus", load.vus, least, machine); !enough) return fail(enough.error());
    if (Status fits = plan::check_limits(workflow.plan); !fits) return fail(fits.error());
  }
  PlannedJob out{.job = std::move(described->job),
                 .executors = settings->executors,
                 .backend = settings->backend,
                 .time_limit = settings->time_limit,
                 .thresholds = std::move(described->thresholds),
                 .warnings = std::move(warnings)};
  out.job.name = options.name.empty() ? options.request.url : options.name;
  return out;
}

Result<PlannedJob> job_of_url(const RunOptions& options, const Machine& machine) {
  auto run = plan_of(options, machine);
  if (!run) return fail(run.error());
  PlannedJob out{.job = {.name = run->plan.name, .workflows = {}},
                 .executors = run->executors,
                 .backend = run->backend,
                 .time_limit = run->time_limit,
                 .thresholds = {},
                 .warnings = std::move(run->warnings)};
  out.job.workflows.push_back({.plan = std::move(run->plan)});
  return out;
}

}  // namespace

Result<PlannedJob> job_of(const RunOptions& options, const Machine& machine) {
  if (is_workflow_file(options.request.url)) return job_of_file(options, machine);
  if (Status url = refuse_other_file(options.request.url); !url) return fail(url.error());
  return job_of_url(options, machine);
}

}  // namespace hyperscale::intake
