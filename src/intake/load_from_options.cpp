#include "intake/load_from_options.h"

#include "plan/limits.h"
#include "plan/option_values.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace hyperscale::intake {
namespace {

Status read_time(std::string_view option, const std::string& text, Duration& into) {
  if (text.empty()) return {};
  const auto duration = plan::read_duration(option, text);
  if (!duration) return fail(duration.error());
  into = *duration;
  return {};
}

Status check_combination(const LoadOptions& options) {
  const bool open = !options.rate.empty();
  if (!options.requests.empty() && !options.iterations.empty()) {
    return plan::wrong_option("--requests", "means the same as --iterations for a URL; give one of them");
  }
  if (!options.stages.empty() && !options.duration.empty()) {
    return plan::wrong_option("--duration", "the stages say how long the run is; leave it out with --stage");
  }
  if (!options.stages.empty() && !open && !options.vus.empty()) {
    return plan::wrong_option("--vus", "the stages say how many users there are; leave it out with --stage");
  }
  if (open && !options.think_time.empty()) {
    return plan::wrong_option("--think-time", "has no meaning with --rate, where a schedule starts the iterations");
  }
  if (!open && options.poisson) return plan::wrong_option("--poisson", "needs --rate");
  return {};
}

Result<plan::Stage> read_stage(const std::string& text, bool open) {
  const auto parts = plan::read_pair("--stage", text, ':', "DURATION:TARGET, such as 30s:100");
  if (!parts) return fail(parts.error());
  const auto duration = plan::read_duration("--stage", parts->name);
  if (!duration) return fail(duration.error());
  if (open) {
    const auto rate = plan::read_rate("--stage", parts->value, true);
    if (!rate) return fail(rate.error());
    return plan::Stage{*duration, *rate};
  }
  const auto users = plan::read_count("--stage", parts->value, 0, plan::kVusMax);
  if (!users) return fail(users.error());
  return plan::Stage{*duration, static_cast<double>(*users)};
}

Status read_stages(const LoadOptions& options, plan::Load& load) {
  double highest = 0;
  for (const std::string& text : options.stages) {
    const auto stage = read_stage(text, load.pacing == plan::Pacing::kOpen);
    if (!stage) return fail(stage.error());
    highest = std::max(highest, stage->target);
    load.duration += stage->duration;
    load.stages.push_back(*stage);
  }
  if (load.stages.empty()) return {};
  if (load.duration == Duration::zero()) return plan::wrong_option("--stage", "the stages last no time at all");
  if (load.duration > plan::kPlanDurationMax)
    return plan::wrong_option("--stage", "the stages together last over a year");
  if (load.pacing == plan::Pacing::kClosed) {
    if (highest < 1) return plan::wrong_option("--stage", "no stage has a user");
    load.vus = static_cast<std::uint32_t>(highest);
  } else if (highest == 0 && load.rate_per_s == 0) {
    return plan::wrong_option("--stage", "no stage has a rate above zero");
  }
  return {};
}

Status read_users(const LoadOptions& options, std::uint32_t open_vus_default, plan::Load& load) {
  load.vus = load.pacing == plan::Pacing::kOpen ? open_vus_default : kVusDefault;
  if (options.vus.empty()) return {};
  const auto vus = plan::read_count("--vus", options.vus, 1, plan::kVusMax);
  if (!vus) return fail(vus.error());
  load.vus = static_cast<std::uint32_t>(*vus);
  return {};
}

Status read_end(const LoadOptions& options, plan::Load& load) {
  const std::string_view option = options.requests.empty() ? "--iterations" : "--requests";
  const std::string& count = options.requests.empty() ? options.iterations : options.requests;
  if (!count.empty()) {
    const auto iterations = plan::read_count(option, count, 1, UINT64_MAX >> 1);
    if (!iterations) return fail(iterations.error());
    load.iterations = *iterations;
  }
  if (Status read = read_time("--duration", options.duration, load.duration); !read) return read;
  if (!options.duration.empty() && load.duration == Duration::zero()) {
    return plan::wrong_option("--duration", "must be above zero");
  }
  if (load.duration == Duration::zero() && load.iterations == 0) load.duration = kDurationDefault;
  return {};
}

}  // namespace

Result<plan::Load> load_of(const LoadOptions& options, std::uint32_t open_vus_default) {
  if (Status checked = check_combination(options); !checked) return fail(checked.error());
  plan::Load load;
  if (!options.rate.empty()) {
    const auto rate = plan::read_rate("--rate", options.rate, !options.stages.empty());
    if (!rate) return fail(rate.error());
    load.pacing = plan::Pacing::kOpen;
    load.rate_per_s = *rate;
  }
  load.poisson = options.poisson;
  for (const Status& read : {read_users(options, open_vus_default, load), read_stages(options, load),
                             read_end(options, load), read_time("--warmup", options.warmup, load.warmup),
                             read_time("--think-time", options.think_time, load.think_time),
                             read_time("--graceful-stop", options.graceful_stop, load.graceful_stop)}) {
    if (!read) return fail(read.error());
  }
  // More users than iterations would never start one.
  if (load.pacing == plan::Pacing::kClosed && load.iterations > 0 && load.stages.empty()) {
    load.vus = static_cast<std::uint32_t>(std::min<std::uint64_t>(load.vus, load.iterations));
  }
  return load;
}

}  // namespace hyperscale::intake
