#include "realtime/c_api_config.h"
#include "realtime/c_api_status.h"
#include "realtime/handle_table.h"
#include "realtime/world.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <new>
#include <span>
#include <string_view>

#include <hyperscale/realtime.h>

namespace hyperscale::realtime {
namespace {

HandleTable<World>& worlds() {
  static auto* table = new HandleTable<World>();  // never destroyed: calls at exit still use it
  return *table;
}

HandleTable<const ObsPlan>& plans() {
  static auto* table = new HandleTable<const ObsPlan>();
  return *table;
}

// No exception may cross the C interface.
template <typename Call>
murk_status guarded(Call call) {
  try {
    return call();
  } catch (const std::bad_alloc&) {
    return MURK_ERROR_ALLOCATION_FAILED;
  } catch (...) {
    return MURK_ERROR_INTERNAL;
  }
}

template <typename Call>
murk_status on_world(murk_world handle, Call call) {
  return guarded([&] {
    const auto world = worlds().find(handle);
    return world ? call(*world) : MURK_ERROR_INVALID_HANDLE;
  });
}

void copy_text(std::string_view text, char* out, size_t size) {
  if (out == nullptr || size == 0) return;
  const size_t length = std::min(text.size(), size - 1);
  std::memcpy(out, text.data(), length);
  out[length] = '\0';
}

Region region_of(const murk_obs_entry& entry) {
  switch (entry.region) {
    case MURK_REGION_RECTANGLE:
      return Region::rectangle({entry.row, entry.column}, {entry.row2, entry.column2});
    case MURK_REGION_DISK:
      return Region::disk({entry.row, entry.column}, entry.radius);
    case MURK_REGION_NEIGHBOURS:
      return Region::neighbours({entry.row, entry.column}, entry.radius);
    case MURK_REGION_ALL:
      break;
  }
  return Region::all();
}

murk_shutdown_result c_result_of(const ShutdownResult& result) {
  murk_shutdown_result made{};
  std::ranges::copy(result.phase_times_ms, made.phase_times_ms);
  made.stalled_workers = result.stalled_workers;
  made.leaked_threads = result.leaked_threads;
  made.final_tick = result.final_tick;
  made.commands_dropped = result.commands_dropped;
  return made;
}

murk_status answer_observation(const ObsResult& result, murk_obs_meta* meta) {
  if (!result) return status_of(result.error().kind);
  if (meta != nullptr) {
    *meta = {result->tick, result->age_ticks, result->coverage, result->world_generation, result->parameter_version};
  }
  return MURK_OK;
}

template <typename Observe>
murk_status observe_plan(murk_world handle, murk_plan plan_handle, double* values, uint8_t* mask, size_t size,
                         murk_obs_meta* meta, Observe observe) {
  return on_world(handle, [&](World& world) {
    const auto plan = plans().find(plan_handle);
    if (!plan) return MURK_ERROR_INVALID_HANDLE;
    if (values == nullptr || mask == nullptr) return MURK_ERROR_INVALID_ARGUMENT;
    return answer_observation(observe(world, *plan, std::span(values, size), std::span(mask, size)), meta);
  });
}

}  // namespace
}  // namespace hyperscale::realtime

using namespace hyperscale::realtime;

uint32_t murk_abi_version(void) {
  return MURK_ABI_VERSION;
}

murk_status murk_create(const murk_config* config, murk_world* world, char* error, size_t error_size) {
  if (config == nullptr || world == nullptr || (config->fields == nullptr && config->field_count > 0)) {
    copy_text("config, world and fields must be given", error, error_size);
    return MURK_ERROR_INVALID_ARGUMENT;
  }
  return guarded([&] {
    const auto refuse = [&](const hyperscale::Error& why) {
      copy_text(why.context, error, error_size);
      return why.code == hyperscale::ErrorCode::kInvalidArgument ? MURK_ERROR_CONFIG : MURK_ERROR_INTERNAL;
    };
    auto made = world_config_of(*config);
    if (!made) return refuse(made.error());
    auto started = World::make(std::move(*made));
    if (!started) return refuse(started.error());
    *world = worlds().add(std::shared_ptr<World>(std::move(*started)));
    return MURK_OK;
  });
}

murk_status murk_destroy(murk_world handle, murk_shutdown_result* result) {
  return guarded([&] {
    const auto world = worlds().remove(handle);
    if (!world) return MURK_ERROR_INVALID_HANDLE;
    const ShutdownResult ended = world->shutdown();
    if (result != nullptr) *result = c_result_of(ended);
    return ended.clean() ? MURK_OK : MURK_ERROR_SHUTDOWN_TIMEOUT;
  });
}

murk_status murk_reset(murk_world handle) {
  return on_world(handle, [](World& world) {
    const auto ended = world.reset();
    if (!ended) return MURK_ERROR_SHUTTING_DOWN;
    return ended->clean() ? MURK_OK : MURK_ERROR_SHUTDOWN_TIMEOUT;
  });
}

murk_status murk_step(murk_world handle, uint64_t* tick) {
  return on_world(handle, [&](World& world) {
    const auto outcome = world.step();
    if (!outcome) {
      const bool ended = outcome.error().code == hyperscale::ErrorCode::kUnavailable;
      return ended ? MURK_ERROR_SHUTTING_DOWN : MURK_ERROR_INVALID_ARGUMENT;
    }
    if (tick != nullptr) *tick = outcome->tick;
    if (outcome->kind == TickOutcome::Kind::kRolledBack) return MURK_ERROR_TICK_ROLLBACK;
    return outcome->kind == TickOutcome::Kind::kDisabled ? MURK_ERROR_TICK_DISABLED : MURK_OK;
  });
}

murk_status murk_submit(murk_world handle, const murk_command* command, murk_receipt_callback receipt, void* user) {
  if (command == nullptr || command->name == nullptr) return MURK_ERROR_INVALID_ARGUMENT;
  return on_world(handle, [&](World& world) {
    world.submit(command_of(*command), [receipt, user](const Receipt& got) {
      if (receipt == nullptr) return;
      const murk_receipt told{status_of(got.outcome), got.arrival_sequence, got.tick, got.basis_tick.value_or(0),
                              got.parameter_version};
      receipt(&told, user);
    });
    return MURK_OK;
  });
}

murk_status murk_plan_compile(murk_world handle, const murk_obs_entry* entries, size_t count, murk_plan* plan,
                              size_t* size) {
  if (entries == nullptr || plan == nullptr) return MURK_ERROR_INVALID_ARGUMENT;
  return on_world(handle, [&](World& world) {
    ObsSpec spec;
    for (const murk_obs_entry& entry : std::span(entries, count)) {
      const bool normalised = entry.normalise != 0;
      spec.push_back({.field = entry.field,
                      .region = region_of(entry),
                      .transform = normalised ? Transform::normalise(entry.low, entry.high) : Transform::identity()});
    }
    auto compiled = world.compile(spec);
    if (!compiled) {
      const bool sparse = compiled.error().context.find("INVALID_COMPOSITION") != std::string::npos;
      return sparse ? MURK_ERROR_INVALID_COMPOSITION : MURK_ERROR_INVALID_OBS_SPEC;
    }
    if (size != nullptr) *size = compiled->size();
    *plan = plans().add(std::make_shared<const ObsPlan>(std::move(*compiled)));
    return MURK_OK;
  });
}

murk_status murk_plan_destroy(murk_plan plan) {
  return guarded([&] { return plans().remove(plan) ? MURK_OK : MURK_ERROR_INVALID_HANDLE; });
}

murk_status murk_observe(murk_world handle, murk_plan plan, double* values, uint8_t* mask, size_t size,
                         murk_obs_meta* meta) {
  return observe_plan(handle, plan, values, mask, size, meta,
                      [](World& world, const ObsPlan& with, std::span<double> to, std::span<uint8_t> valid) {
                        return world.observe(with, to, valid);
                      });
}

murk_status murk_observe_tick(murk_world handle, murk_plan plan, uint64_t tick, uint32_t timeout_ms, double* values,
                              uint8_t* mask, size_t size, murk_obs_meta* meta) {
  return observe_plan(handle, plan, values, mask, size, meta,
                      [&](World& world, const ObsPlan& with, std::span<double> to, std::span<uint8_t> valid) {
                        return world.observe_tick(tick, std::chrono::milliseconds(timeout_ms), with, to, valid);
                      });
}

murk_status murk_world_health(murk_world handle, murk_health* health) {
  if (health == nullptr) return MURK_ERROR_INVALID_ARGUMENT;
  return on_world(handle, [&](World& world) {
    const WorldHealth now = world.health();
    *health = murk_health{.latest_tick = now.latest_tick,
                          .consecutive_rollbacks = now.consecutive_rollbacks,
                          .max_skew = now.max_skew,
                          .live_generations = now.live_generations,
                          .quarantined_generations = now.quarantined_generations,
                          .worker_stall_events = now.worker_stall_events,
                          .stale_rejections = now.stale_rejections,
                          .queue_full_rejections = now.queue_full_rejections,
                          .tick_disabled = now.tick_disabled,
                          .engine_stopped = now.engine_stopped};
    return MURK_OK;
  });
}

murk_status murk_consecutive_rollbacks(murk_world handle, uint32_t* count) {
  if (count == nullptr) return MURK_ERROR_INVALID_ARGUMENT;
  return on_world(handle, [&](World& world) {
    *count = world.consecutive_rollbacks();
    return MURK_OK;
  });
}
