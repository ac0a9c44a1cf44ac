#include "intake/plan_from_options.h"

#include "intake/load_from_options.h"
#include "intake/raw_from_options.h"
#include "intake/request_from_options.h"
#include "plan/plan_codec.h"

#include <algorithm>

#include <fmt/format.h>

namespace hyperscale::intake {
namespace {

std::string small_pool(std::uint32_t vus, const Machine& machine) {
  return fmt::format(
      "the limit of {} open files leaves room for {} users at once instead of {}; raise it with ulimit -n {}",
      machine.descriptors_max, vus, kOpenVusDefaultMax, kOpenVusDefaultMax + kOpenPoolSpare);
}

}  // namespace

Result<PlannedRun> plan_of(const RunOptions& options, const Machine& machine) {
  if (Status fine = check_protocol_options(options); !fine) return fail(fine.error());
  auto step = step_of(options.request);
  if (!step) return fail(step.error());
  auto load = load_of(options.load, open_vus_default(machine));
  if (!load) return fail(load.error());
  auto settings = settings_of(options, machine);
  if (!settings) return fail(settings.error());
  PlannedRun run{.plan = std::move(settings->plan),
                 .executors = std::min(settings->executors, load->vus),
                 .backend = settings->backend,
                 .time_limit = settings->time_limit,
                 .warnings = {}};
  plan::Plan& plan = run.plan;
  plan.steps.push_back(std::move(*step));
  plan.load = std::move(*load);
  plan.name = options.name.empty() ? plan.steps.front().name : options.name;
  if (plan.load.pacing == plan::Pacing::kOpen && options.load.vus.empty() &&
      open_vus_default(machine) < kOpenVusDefaultMax) {
    run.warnings.push_back(small_pool(plan.load.vus, machine));
  }
  if (Status enough = check_descriptors("--vus", plan.load.vus, run.executors, machine); !enough)
    return fail(enough.error());
  if (Status fits = plan::check_limits(plan); !fits) return fail(fits.error());
  return run;
}

}  // namespace hyperscale::intake
