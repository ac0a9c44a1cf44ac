/* A world of 3 x 3 cells in lockstep, then the same in real time: tick, command, observe, end. */
#include "hyperscale/realtime.h"

#include <stdio.h>

static double rate = 1; /* touched by the world's engine only */

static murk_status grow(murk_step_context* context, void* user) {
  size_t length = 0, i;
  double* values = murk_step_write(context, 0, &length);
  (void)user;
  for (i = 0; i < length; ++i) values[i] += rate;
  return MURK_OK;
}

static murk_status set_rate(const murk_command* command, murk_step_context* context, void* user) {
  (void)user;
  rate = command->value;
  murk_step_parameters_changed(context);
  return MURK_OK;
}

static void on_receipt(const murk_receipt* receipt, void* user) {
  *(murk_status*)user = receipt->status;
}

static int must(murk_status status, const char* what) {
  if (status == MURK_OK) return 0;
  fprintf(stderr, "%s: %s\n", what, murk_status_name(status));
  return 1;
}

static int run(murk_mode mode) {
  const murk_field fields[] = {{"level", MURK_PER_TICK, 1, 0.0}};
  const murk_obs_entry all[] = {{0, MURK_REGION_ALL, 0, 0, 0, 0, 0, 0, 0.0, 0.0}};
  const murk_command faster = {"rate", 10.0, 1, 0, 0, 0, 0};
  murk_config config;
  murk_world world = 0;
  murk_plan plan = 0;
  murk_status receipt = MURK_ERROR_INTERNAL;
  murk_obs_meta meta;
  murk_shutdown_result end;
  double values[9];
  uint8_t mask[9];
  char error[200];
  size_t size = 0;
  uint64_t tick = 0;

  rate = 1;
  murk_config_init(&config);
  config.mode = mode;
  config.rows = 3;
  config.columns = 3;
  config.fields = fields;
  config.field_count = 1;
  config.propagator = grow;
  config.on_command = set_rate;
  if (murk_create(&config, &world, error, sizeof(error)) != MURK_OK) {
    fprintf(stderr, "create: %s\n", error);
    return 1;
  }
  if (must(murk_plan_compile(world, all, 1, &plan, &size), "compile")) return 1;
  if (mode == MURK_LOCKSTEP) {
    if (must(murk_step(world, &tick), "step")) return 1;
    if (must(murk_submit(world, &faster, on_receipt, &receipt), "submit")) return 1;
    if (must(murk_step(world, &tick), "step")) return 1;
    if (must(receipt, "receipt")) return 1;
    if (must(murk_observe(world, plan, values, mask, size, &meta), "observe")) return 1;
    if (meta.tick != 2 || values[4] != 11.0) return 1;
  } else {
    if (must(murk_observe_tick(world, plan, 3, 10000, values, mask, size, &meta), "observe")) return 1;
    if (meta.tick != 3 || values[4] != 3.0) return 1;
  }
  printf("tick %llu: every cell is at %g\n", (unsigned long long)meta.tick, values[4]);
  if (murk_destroy(world, &end) != MURK_OK) printf("%u threads did not end in time\n", end.leaked_threads);
  if (murk_destroy(world, &end) != MURK_ERROR_INVALID_HANDLE) return 1;
  return must(murk_plan_destroy(plan), "destroy plan");
}

int main(void) {
  return run(MURK_LOCKSTEP) || run(MURK_REALTIME_ASYNC);
}
