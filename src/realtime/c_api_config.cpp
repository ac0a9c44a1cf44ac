#include "realtime/c_api_config.h"

#include "realtime/c_api_status.h"

#include <chrono>
#include <span>
#include <string>

// A tick as C code sees it.
struct murk_step_context {
  hyperscale::realtime::StepContext& context;
  std::span<const hyperscale::realtime::FieldDef> fields;
};

namespace hyperscale::realtime {
namespace {

murk_command c_command_of(const Command& command) {
  const CommandSource source = command.source.value_or(CommandSource{});
  return murk_command{.name = command.name.c_str(),
                      .value = command.value,
                      .priority = command.priority,
                      .basis_tick = command.basis_tick.value_or(0),
                      .expires_after_tick = command.expires_after_tick.value_or(0),
                      .source_id = source.id,
                      .source_sequence = source.sequence};
}

Status as_status(murk_status status) {
  if (status == MURK_OK) return {};
  return fail(ErrorCode::kInternal, murk_status_name(status));
}

bool knows(const murk_step_context* context, uint32_t field) {
  return context != nullptr && field < context->fields.size();
}

template <typename T>
T* out(std::span<T> values, size_t* length) {
  if (length != nullptr) *length = values.size();
  return values.data();
}

void wrap_callbacks(const murk_config& from, WorldConfig& to) {
  void* user = from.user;
  const std::vector<FieldDef> fields = to.fields;
  if (from.propagator != nullptr) {
    to.propagators.push_back(
        {.name = "propagator", .writes = {}, .step = [step = from.propagator, fields, user](StepContext& context) {
           murk_step_context seen{context, fields};
           return as_status(step(&seen, user));
         }});
  }
  if (from.on_command != nullptr) {
    to.on_command = [handler = from.on_command, fields, user](const Command& command, StepContext& context) {
      murk_step_context seen{context, fields};
      const murk_command given = c_command_of(command);
      return as_status(handler(&given, &seen, user));
    };
  }
  if (from.log != nullptr) {
    to.log = [log = from.log, user](LogLevel level, std::string_view text) {
      log(level == LogLevel::kWarn ? MURK_WARN : MURK_ERROR_LINE, std::string(text).c_str(), user);
    };
  }
}

}  // namespace

Command command_of(const murk_command& command) {
  Command made{.name = command.name == nullptr ? "" : command.name,
               .value = command.value,
               .text = {},
               .priority = command.priority};
  if (command.basis_tick != 0) made.basis_tick = command.basis_tick;
  if (command.expires_after_tick != 0) made.expires_after_tick = command.expires_after_tick;
  if (command.source_sequence != 0) made.source = CommandSource{command.source_id, command.source_sequence};
  return made;
}

Result<WorldConfig> world_config_of(const murk_config& config) {
  WorldConfig made;
  made.mode = config.mode == MURK_LOCKSTEP ? Mode::kLockstep : Mode::kRealtimeAsync;
  made.grid = {config.rows, config.columns};
  for (size_t i = 0; i < config.field_count; ++i) {
    const murk_field& field = config.fields[i];
    if (field.name == nullptr || static_cast<unsigned>(field.mutability) > MURK_FIXED) {
      return fail(ErrorCode::kInvalidArgument, "a field needs a name and a known mutability");
    }
    made.fields.push_back({.name = field.name,
                           .mutability = static_cast<Mutability>(field.mutability),
                           .components = field.components,
                           .initial = {field.initial}});
  }
  made.tick_rate_hz = config.tick_rate_hz;
  made.ingress_capacity = config.ingress_capacity;
  made.epoch_config.ring_capacity = config.ring_capacity;
  made.epoch_config.max_epoch_hold = std::chrono::milliseconds(config.max_epoch_hold_ms);
  made.epoch_config.cancel_grace = std::chrono::milliseconds(config.cancel_grace_ms);
  if (config.worker_count != 0) made.epoch_config.worker_count = config.worker_count;
  made.lockstep_skew = config.lockstep_skew;
  made.backoff_config = {.initial_max_skew = config.initial_max_skew,
                         .backoff_factor = config.backoff_factor,
                         .max_skew_cap = config.max_skew_cap,
                         .decay_interval = config.decay_interval,
                         .rejection_rate_threshold = config.rejection_rate_threshold};
  wrap_callbacks(config, made);
  return made;
}

}  // namespace hyperscale::realtime

using hyperscale::realtime::knows;
using hyperscale::realtime::Mutability;

void murk_config_init(murk_config* config) {
  if (config == nullptr) return;
  const hyperscale::realtime::WorldConfig defaults;
  *config = murk_config{};
  config->mode = MURK_REALTIME_ASYNC;
  config->tick_rate_hz = defaults.tick_rate_hz;
  config->ingress_capacity = defaults.ingress_capacity;
  config->ring_capacity = defaults.epoch_config.ring_capacity;
  config->max_epoch_hold_ms =
      static_cast<uint32_t>(defaults.epoch_config.max_epoch_hold / std::chrono::milliseconds(1));
  config->cancel_grace_ms = static_cast<uint32_t>(defaults.epoch_config.cancel_grace / std::chrono::milliseconds(1));
  config->lockstep_skew = defaults.lockstep_skew;
  config->initial_max_skew = defaults.backoff_config.initial_max_skew;
  config->backoff_factor = defaults.backoff_config.backoff_factor;
  config->max_skew_cap = defaults.backoff_config.max_skew_cap;
  config->decay_interval = defaults.backoff_config.decay_interval;
  config->rejection_rate_threshold = defaults.backoff_config.rejection_rate_threshold;
}

uint64_t murk_step_tick(const murk_step_context* context) {
  return context == nullptr ? 0 : context->context.tick();
}

const double* murk_step_read_previous(const murk_step_context* context, uint32_t field, size_t* length) {
  if (!knows(context, field)) return nullptr;
  return hyperscale::realtime::out(context->context.read_previous(field), length);
}

const double* murk_step_read(const murk_step_context* context, uint32_t field, size_t* length) {
  if (!knows(context, field)) return nullptr;
  return hyperscale::realtime::out(context->context.read(field), length);
}

double* murk_step_write(murk_step_context* context, uint32_t field, size_t* length) {
  if (!knows(context, field) || context->fields[field].mutability == Mutability::kFixed) return nullptr;
  return hyperscale::realtime::out(context->context.update(field), length);
}

void murk_step_parameters_changed(murk_step_context* context) {
  if (context != nullptr) context->context.parameters_changed();
}
