#include "intake/settings_from_options.h"

#include "intake/connection_from_options.h"
#include "intake/load_from_options.h"
#include "plan/option_values.h"
#include "plan/segment.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::intake {
namespace {

constexpr std::uint32_t kExecutorsMax = 1024;

Result<std::vector<plan::Tag>> tags_of(const std::vector<std::string>& texts) {
  std::map<std::string, std::string> tags;
  for (const std::string& text : texts) {
    const auto pair = plan::read_pair("--tag", text, '=', "NAME=VALUE");
    if (!pair) return fail(pair.error());
    if (!tags.emplace(pair->name, pair->value).second) {
      return plan::wrong_option("--tag", fmt::format("{} is given twice", plan::shown(pair->name)));
    }
  }
  std::vector<plan::Tag> out;
  out.reserve(tags.size());
  for (const auto& [name, value] : tags) out.push_back({name, value});
  return out;
}

Result<plan::LoopBackend> backend_of(const std::string& text) {
  if (text.empty() || text == "auto") return plan::LoopBackend::kAuto;
  if (text == "epoll") return plan::LoopBackend::kEpoll;
  if (text == "io_uring") return plan::LoopBackend::kIoUring;
  return plan::wrong_option("--loop", fmt::format("{} is not one of auto, epoll, io_uring", plan::shown(text)));
}

Result<std::uint32_t> executors_of(const std::string& text, const Machine& machine) {
  if (text.empty()) return machine.cores;
  const auto asked = plan::read_count("--cores", text, 1, kExecutorsMax);
  if (!asked) return fail(asked.error());
  return static_cast<std::uint32_t>(*asked);
}

Status read_general(const RunOptions& options, RunSettings& run) {
  auto tags = tags_of(options.tags);
  if (!tags) return fail(tags.error());
  run.plan.tags = std::move(*tags);
  if (!options.load.seed.empty()) {
    const auto seed = plan::read_count("--seed", options.load.seed, 0, UINT64_MAX);
    if (!seed) return fail(seed.error());
    run.plan.seed = *seed;
  }
  if (!options.time_limit.empty()) {
    const auto limit = plan::read_duration("--time-limit", options.time_limit);
    if (!limit) return fail(limit.error());
    if (*limit == Duration::zero()) return plan::wrong_option("--time-limit", "must be above zero");
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

Result<RunSettings> settings_of(const RunOptions& options, const Machine& machine) {
  RunSettings settings;
  plan::Plan& plan = settings.plan;
  for (const Status& read : {take(network_of(options.network), plan.network), take(http_of(options.http), plan.http),
                             take(tls_of(options.tls), plan.tls), read_general(options, settings),
                             take(executors_of(options.cores, machine), settings.executors)}) {
    if (!read) return fail(read.error());
  }
  return settings;
}

std::uint32_t open_vus_default(const Machine& machine) {
  const std::uint64_t room = machine.descriptors_max > kOpenPoolSpare ? machine.descriptors_max - kOpenPoolSpare : 1;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(room, kOpenVusDefaultMax));
}

Status check_descriptors(std::string_view option, std::uint32_t vus, std::uint32_t executors, const Machine& machine) {
  const std::uint64_t needed = plan::split_vus(vus, executors).back() + kSpareDescriptors;
  if (needed <= machine.descriptors_max) return {};
  return plan::wrong_option(option,
                            fmt::format("{} users need {} open files per process, and the limit is {}; raise it with "
                                        "`ulimit -n {}` or use fewer users",
                                        vus, needed, machine.descriptors_max, needed));
}

}  // namespace hyperscale::intake
