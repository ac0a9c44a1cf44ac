#include "realtime/world_config.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <thread>

#include <fmt/format.h>

namespace hyperscale::realtime {
namespace {

constexpr double kTickRateLeast = 0.001;
constexpr double kTickRateMost = 10'000;
constexpr Duration kHoldMost = 1440h;
constexpr std::size_t kDoublesPerFieldMost = std::size_t{1} << 31;

tl::unexpected<Error> wrong(std::string text) {
  return fail(ErrorCode::kInvalidArgument, std::move(text));
}

Status check_epochs(const EpochConfig& config) {
  if (config.ring_capacity < kRingCapacityLeast || config.ring_capacity > kRingCapacityMost) {
    return wrong(fmt::format("epoch_config.ring_capacity is {}: it must be from {} to {}", config.ring_capacity,
                             kRingCapacityLeast, kRingCapacityMost));
  }
  const auto fits = [](Duration time) { return time > 0ns && time <= kHoldMost; };
  if (!fits(config.max_epoch_hold))
    return wrong("epoch_config.max_epoch_hold must be longer than 0 and at most 60 days");
  if (!fits(config.cancel_grace)) return wrong("epoch_config.cancel_grace must be longer than 0 and at most 60 days");
  return {};
}

Status check_fields(const WorldConfig& config) {
  if (config.grid.cells() == 0) return wrong("grid: it needs at least one row and one column");
  if (config.fields.empty() && config.block_words == 0) return wrong("fields: a world needs at least one, or a block");
  if (config.block_words > kDoublesPerFieldMost) return wrong(fmt::format("block_words is {}", config.block_words));
  for (const FieldDef& field : config.fields) {
    if (field.components == 0 || field.components > kDoublesPerFieldMost / config.grid.cells()) {
      return wrong(fmt::format("field {}: {} components per cell", field.name, field.components));
    }
    const std::size_t doubles = config.grid.cells() * field.components;
    if (field.initial.size() > 1 && field.initial.size() != doubles) {
      return wrong(fmt::format("field {}: {} initial values for {} places", field.name, field.initial.size(), doubles));
    }
  }
  return {};
}

Status check_propagators(const WorldConfig& config) {
  std::vector<const Propagator*> writer(config.fields.size(), nullptr);
  for (const Propagator& propagator : config.propagators) {
    if (!propagator.step) return wrong(fmt::format("propagator {}: it has no step function", propagator.name));
    for (const FieldId field : propagator.reads) {
      if (field >= writer.size())
        return wrong(fmt::format("propagator {}: reads field {}, which does not exist", propagator.name, field));
    }
    for (const FieldWrite& write : propagator.writes) {
      if (write.field >= writer.size()) {
        return wrong(fmt::format("propagator {}: writes field {}, which does not exist", propagator.name, write.field));
      }
      const FieldDef& field = config.fields[write.field];
      if (field.mutability == Mutability::kFixed) {
        return wrong(fmt::format("propagator {}: field {} is fixed", propagator.name, field.name));
      }
      if (writer[write.field] != nullptr) {
        return wrong(fmt::format("propagators {} and {} both write field {}", writer[write.field]->name,
                                 propagator.name, field.name));
      }
      writer[write.field] = &propagator;
    }
  }
  return {};
}

}  // namespace

std::uint32_t default_workers(std::uint32_t processors) {
  return std::clamp(processors / 2, kWorkersLeast, kWorkersMost);
}

std::uint32_t EpochConfig::workers() const {
  if (worker_count) return std::clamp(*worker_count, kWorkersLeast, kWorkersMost);
  return default_workers(std::thread::hardware_concurrency());
}

Status validate(const WorldConfig& config) {
  if (!(config.tick_rate_hz >= kTickRateLeast && config.tick_rate_hz <= kTickRateMost)) {  // also refuses NaN
    return wrong(fmt::format("tick_rate_hz is {}: it must be from {} to {}", config.tick_rate_hz, kTickRateLeast,
                             kTickRateMost));
  }
  if (config.ingress_capacity == 0) return wrong("ingress_capacity must be at least 1");
  if (config.lockstep_skew > 1)
    return wrong(fmt::format("lockstep_skew is {}: it must be 0 or 1", config.lockstep_skew));
  if (!config.clock || !config.start_thread) return wrong("clock and start_thread must be functions");
  if (auto status = check_epochs(config.epoch_config); !status) return status;
  if (auto status = validate(config.backoff_config); !status) return status;
  if (auto status = check_fields(config); !status) return status;
  return check_propagators(config);
}

}  // namespace hyperscale::realtime
