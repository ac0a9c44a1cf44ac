#include "node/run/plan_from_options.h"

#include "node/run/connection_from_options.h"
#include "node/run/job_from_description.h"
#include "node/run/load_from_options.h"
#include "node/run/option_values.h"
#include "node/run/request_from_options.h"
#include "node/run/workflow_file.h"
#include "plan/limits.h"
#include "plan/plan_codec.h"
#include "plan/segment.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace hyperscale::node {
namespace {

constexpr std::uint32_t kExecutorsMax = 1024;
// Left free when the pool of an open loop is sized by the limit of descriptors.
constexpr std::uint64_t kOpenPoolSpare = 100;

std::uint32_t open_vus_default(const Machine& machine) {
  const std::uint64_t room = machine.descriptors_max > kOpenPoolSpare ? machine.descriptors_max - kOpenPoolSpare : 1;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(room, kOpenVusDefaultMax));
}

std::string small_pool(std::uint32_t vus, const Machine& machine) {
  return fmt::format(
      "the limit of {} open files leaves room for {} users at once instead of {}; raise it with ulimit -n {}",
      machine.descriptors_max, vus, kOpenVusDefaultMax, kOpenVusDefaultMax + kOpenPoolSpare);
}

Result<std::vector<plan::Tag>> tags_of(const std::vector<std::string>& texts) {
  std::map<std::string, std::string> tags;
  for (const std::string& text : texts) {
    const auto pair = read_pair("--tag", text, '=', "NAME=VALUE");
    if (!pair) return fail(pair.error());
    if (!tags.emplace(pair->name, pair->value).second) {
      return wrong_option("--tag", fmt::format("{} is given twice", shown(pair->name)));
    }
  }
  std::vector<plan::Tag> out;
  out.reserve(tags.size());
  for (const auto& [name, value] : tags) out.push_back({name, value});
  return out;
}

Result<load::LoopBackend> backend_of(const std::string& text) {
  if (text.empty() || text == "auto") return load::LoopBackend::kAuto;
  if (text == "epoll") return load::LoopBackend::kEpoll;
  if (text == "io_uring") return load::LoopBackend::kIoUring;
  return wrong_option("--loop", fmt::format("{} is not one of auto, epoll, io_uring", shown(text)));
}

Result<std::uint32_t> executors_of(const std::string& text, const Machine& machine) {
  if (text.empty()) return machine.cores;
  const auto asked = read_count("--cores", text, 1, kExecutorsMax);
  if (!asked) return fail(asked.error());
  return static_cast<std::uint32_t>(*asked);
}

// Every user may have a connection open, and users are spread over the executors.
Status check_descriptors(std::uint32_t vus, std::uint32_t executors, const Machine& machine) {
  const std::uint64_t needed = plan::split_vus(vus, executors).back() + kSpareDescriptors;
  if (needed <= machine.descriptors_max) return {};
  return wrong_option("--vus",
                      fmt::format("{} users need {} open files per process, and the limit is {}; raise it with "
                                  "`ulimit -n {}` or use fewer users",
                                  vus, needed, machine.descriptors_max, needed));
}

Status read_general(const RunOptions& options, PlannedRun& run) {
  auto tags = tags_of(options.tags);
  if (!tags) return fail(tags.error());
  run.plan.tags = std::move(*tags);
  if (!options.load.seed.empty()) {
    const auto seed = read_count("--seed", options.load.seed, 0, UINT64_MAX);
    if (!seed) return fail(seed.error());
    run.plan.seed = *seed;
  }
  if (!options.time_limit.empty()) {
    const auto limit = read_duration("--time-limit", options.time_limit);
    if (!limit) return fail(limit.error());
    if (*limit == Duration::zero()) return wrong_option("--time-limit", "must be above zero");
    run.time_limit = *limit;
  }
  const auto backend = backend_of(options.loop);
  if (!backend) return fail(backend.error());
  run.backend = *backend;
  return {};
}

template <typename T>
Status take(Result<T> from, T& into) {
  if (!from) return fail(from.error());
  into = std::move(*from);
  return {};
}

}  // namespace

Result<PlannedRun> plan_of(const RunOptions& options, const Machine& machine) {
  PlannedRun run;
  plan::Plan& plan = run.plan;
  auto step = step_of(options.request);
  if (!step) return fail(step.error());
  plan.steps.push_back(std::move(*step));
  for (const Status& read : {take(load_of(options.load, open_vus_default(machine)), plan.load),
                             take(network_of(options.network), plan.network), take(http_of(options.http), plan.http),
                             take(tls_of(options.tls), plan.tls), read_general(options, run)}) {
    if (!read) return fail(read.error());
  }
  plan.name = options.name.empty() ? plan.steps.front().name : options.name;
  const auto executors = executors_of(options.cores, machine);
  if (!executors) return fail(executors.error());
  run.executors = std::min(*executors, plan.load.vus);
  if (plan.load.pacing == plan::Pacing::kOpen && options.load.vus.empty() &&
      open_vus_default(machine) < kOpenVusDefaultMax) {
    run.warnings.push_back(small_pool(plan.load.vus, machine));
  }
  if (Status enough = check_descriptors(plan.load.vus, run.executors, machine); !enough) return fail(enough.error());
  if (Status fits = plan::check_limits(plan); !fits) return fail(fits.error());
  return run;
}

namespace {

// What the options say about the load, and nothing else.
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
  if (!options.vus.empty()) load.vus = asked->vus;
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

// A file says what is sent; options about a request would be lost.
Status refuse_request_options(const RequestOptions& request) {
  RequestOptions only_the_file;
  only_the_file.url = request.url;
  if (request == only_the_file) return {};
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("{} says what is sent; options that describe a request are for a URL", shown(request.url)));
}

Result<PlannedJob> job_of_file(const RunOptions& options, const Machine& machine) {
  if (Status alone = refuse_request_options(options.request); !alone) return fail(alone.error());
  PlannedRun settings;
  for (const Status& read :
       {take(network_of(options.network), settings.plan.network), take(http_of(options.http), settings.plan.http),
        take(tls_of(options.tls), settings.plan.tls), read_general(options, settings)}) {
    if (!read) return fail(read.error());
  }
  const auto executors = executors_of(options.cores, machine);
  if (!executors) return fail(executors.error());
  const auto description = describe_file(options.request.url, options.env);
  if (!description) return fail(description.error());
  auto described = job_of(*description, settings.plan);
  if (!described) return fail(described.error());
  for (plan::Workflow& workflow : described->job.workflows) {
    plan::Load& load = workflow.plan.load;
    if (Status changed = overrule(options.load, machine, load); !changed) return fail(changed.error());
    const std::uint32_t least = std::min(*executors, std::max(load.vus, 1U));
    if (Status enough = check_descriptors(load.vus, least, machine); !enough) return fail(enough.error());
    if (Status fits = plan::check_limits(workflow.plan); !fits) return fail(fits.error());
  }
  PlannedJob out{.job = std::move(described->job),
                 .executors = *executors,
                 .backend = settings.backend,
                 .time_limit = settings.time_limit,
                 .thresholds = std::move(described->thresholds),
                 .warnings = {}};
  out.job.name = options.name.empty() ? options.request.url : options.name;
  return out;
}

}  // namespace

Result<PlannedJob> job_of(const RunOptions& options, const Machine& machine) {
  if (is_workflow_file(options.request.url)) return job_of_file(options, machine);
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

}  // namespace hyperscale::node
