/* A live state that ticks, to be observed and commanded from C and from anything that can call C.
 *
 * A world is a grid of cells with named fields of doubles. Propagators make the next state of it, tick by tick; in
 * real time a thread of the world does so at a fixed rate, in lockstep each call of murk_step() does. Observations are
 * answered from whole snapshots and never hold the ticking up. Commands get exactly one receipt each.
 *
 * Every function is safe from any thread, throws nothing, and answers a status; negative means failure and leaves the
 * outputs alone unless said otherwise. Handles are numbers: a stale or unknown one is answered
 * MURK_ERROR_INVALID_HANDLE, and destroying one twice does no harm. Callbacks run on the world's threads, must not
 * block and must not destroy or reset the world they belong to.
 */
#ifndef HYPERSCALE_REALTIME_H
#define HYPERSCALE_REALTIME_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MURK_ABI_VERSION ((uint32_t)((1u << 16) | 0u)) /* major in the upper 16 bits */

typedef enum murk_status {
  MURK_OK = 0,
  MURK_ERROR_INVALID_HANDLE = -1,
  MURK_ERROR_PLAN_INVALIDATED = -2,
  MURK_ERROR_TIMEOUT_WAITING_FOR_TICK = -3,
  MURK_ERROR_NOT_AVAILABLE = -4,
  MURK_ERROR_INVALID_COMPOSITION = -5,
  MURK_ERROR_QUEUE_FULL = -6,
  MURK_ERROR_STALE = -7,
  MURK_ERROR_TICK_ROLLBACK = -8,
  MURK_ERROR_ALLOCATION_FAILED = -9,
  MURK_ERROR_PROPAGATOR_FAILED = -10,
  MURK_ERROR_EXECUTION_FAILED = -11,
  MURK_ERROR_INVALID_OBS_SPEC = -12,
  MURK_ERROR_WORKER_STALLED = -14,
  MURK_ERROR_SHUTTING_DOWN = -15,
  MURK_ERROR_TICK_DISABLED = -16,
  MURK_ERROR_CONFIG = -17,
  MURK_ERROR_INVALID_ARGUMENT = -18,
  MURK_ERROR_BUFFER_TOO_SMALL = -19,
  MURK_ERROR_INTERNAL = -20,
  MURK_ERROR_UNSUPPORTED_COMMAND = -21,
  MURK_ERROR_NOT_APPLIED = -22,
  MURK_ERROR_SHUTDOWN_TIMEOUT = -23 /* ended, but a tick or a worker had to be given up */
} murk_status;

typedef uint64_t murk_world; /* 0 is never a handle */
typedef uint64_t murk_plan;

/* ---- making a world ---- */

typedef enum murk_mode { MURK_REALTIME_ASYNC = 0, MURK_LOCKSTEP = 1 } murk_mode;
typedef enum murk_mutability { MURK_PER_TICK = 0, MURK_SPARSE = 1, MURK_FIXED = 2 } murk_mutability;

typedef struct murk_field {
  const char* name;
  murk_mutability mutability;
  uint32_t components; /* doubles per cell */
  double initial;      /* everywhere */
} murk_field;

/* The tick that is being made; valid during the callback only. */
typedef struct murk_step_context murk_step_context;
uint64_t murk_step_tick(const murk_step_context* context);
/* The values before this tick, and as they are now; the count of doubles in *length. NULL for an unknown field. */
const double* murk_step_read_previous(const murk_step_context* context, uint32_t field, size_t* length);
const double* murk_step_read(const murk_step_context* context, uint32_t field, size_t* length);
/* The values to be changed, starting from what murk_step_read() shows. NULL for an unknown or fixed field. */
double* murk_step_write(murk_step_context* context, uint32_t field, size_t* length);
void murk_step_parameters_changed(murk_step_context* context);

/* Not MURK_OK: the tick is rolled back. */
typedef murk_status (*murk_propagator)(murk_step_context* context, void* user);

typedef struct murk_command {
  const char* name;
  double value;
  uint8_t priority;            /* 0 system, 1 user; lower first */
  uint64_t basis_tick;         /* 0: none */
  uint64_t expires_after_tick; /* 0: never */
  uint64_t source_id;          /* with source_sequence 0: none */
  uint64_t source_sequence;
} murk_command;

/* Applies a command; not MURK_OK: it is refused with MURK_ERROR_UNSUPPORTED_COMMAND. */
typedef murk_status (*murk_command_handler)(const murk_command* command, murk_step_context* context, void* user);

typedef enum murk_log_level { MURK_WARN = 0, MURK_ERROR_LINE = 1 } murk_log_level;
typedef void (*murk_log)(murk_log_level level, const char* text, void* user);

typedef struct murk_config {
  murk_mode mode;
  uint32_t rows, columns;
  const murk_field* fields;
  size_t field_count;
  murk_propagator propagator;      /* may be NULL */
  murk_command_handler on_command; /* may be NULL: commands are refused */
  murk_log log;                    /* may be NULL */
  void* user;                      /* for the three callbacks */
  double tick_rate_hz;
  size_t ingress_capacity;
  size_t ring_capacity; /* 2 to 64 */
  uint32_t max_epoch_hold_ms;
  uint32_t cancel_grace_ms;
  uint32_t worker_count;  /* 0: half of the processors */
  uint64_t lockstep_skew; /* 0 or 1 */
  uint64_t initial_max_skew;
  double backoff_factor;
  uint64_t max_skew_cap;
  uint64_t decay_interval;
  double rejection_rate_threshold;
} murk_config;

uint32_t murk_abi_version(void);
/* Every default; then fields, rows and columns have to be set. */
void murk_config_init(murk_config* config);
/* The text of a refused configuration goes into error, if it is not NULL, cut to error_size. */
murk_status murk_create(const murk_config* config, murk_world* world, char* error, size_t error_size);

typedef struct murk_shutdown_result {
  uint64_t phase_times_ms[3]; /* drain, quiesce, join */
  uint32_t stalled_workers;
  uint32_t leaked_threads; /* in lockstep: a caller that is still in murk_step() */
  uint64_t final_tick;
  uint64_t commands_dropped;
} murk_shutdown_result;

/* Blocks until the world has ended, at most 300 ms with the default hold, twice that while another thread resets it.
 * The result, if it is not NULL, is filled also for MURK_ERROR_SHUTDOWN_TIMEOUT: then a callback may still be running,
 * and what `user` points to has to stay. After MURK_OK no callback runs any more. */
murk_status murk_destroy(murk_world world, murk_shutdown_result* result);
/* From the initial values, at tick 0. MURK_ERROR_SHUTDOWN_TIMEOUT: it has begun anew, but a callback of before may still
 * be running beside it. */
murk_status murk_reset(murk_world world);

/* Lockstep only. MURK_ERROR_TICK_ROLLBACK and MURK_ERROR_TICK_DISABLED are told with the newest tick in *tick. */
murk_status murk_step(murk_world world, uint64_t* tick);

/* ---- commands ---- */

typedef struct murk_receipt {
  murk_status status; /* MURK_OK: applied */
  uint64_t arrival_sequence;
  uint64_t tick;
  uint64_t basis_tick;
  uint64_t parameter_version;
} murk_receipt;
typedef void (*murk_receipt_callback)(const murk_receipt* receipt, void* user);

/* Exactly one receipt, maybe before this returns. */
murk_status murk_submit(murk_world world, const murk_command* command, murk_receipt_callback receipt, void* user);

/* ---- observations ---- */

typedef enum murk_region_kind {
  MURK_REGION_ALL = 0,
  MURK_REGION_RECTANGLE = 1, /* row, column to row2, column2, inclusive */
  MURK_REGION_DISK = 2,      /* around row, column */
  MURK_REGION_NEIGHBOURS = 3 /* the same without its centre */
} murk_region_kind;

typedef struct murk_obs_entry {
  uint32_t field;
  murk_region_kind region;
  uint32_t row, column, row2, column2;
  uint32_t radius;
  uint8_t normalise; /* 1: [low, high] becomes [0, 1] */
  double low, high;
} murk_obs_entry;

typedef struct murk_obs_meta {
  uint64_t tick;
  uint64_t age_ticks;
  double coverage;
  uint64_t world_generation;
  uint64_t parameter_version;
} murk_obs_meta;

/* *size is the number of values and mask bytes that the plan fills. */
murk_status murk_plan_compile(murk_world world, const murk_obs_entry* entries, size_t count, murk_plan* plan,
                              size_t* size);
murk_status murk_plan_destroy(murk_plan plan);
murk_status murk_observe(murk_world world, murk_plan plan, double* values, uint8_t* mask, size_t size,
                         murk_obs_meta* meta);
murk_status murk_observe_tick(murk_world world, murk_plan plan, uint64_t tick, uint32_t timeout_ms, double* values,
                              uint8_t* mask, size_t size, murk_obs_meta* meta);

/* ---- health ---- */

typedef struct murk_health {
  uint64_t latest_tick;
  uint64_t consecutive_rollbacks;
  uint64_t max_skew;
  uint64_t live_generations;
  uint64_t quarantined_generations;
  uint64_t worker_stall_events;
  uint64_t stale_rejections;
  uint64_t queue_full_rejections;
  uint8_t tick_disabled;
  uint8_t engine_stopped;
} murk_health;

murk_status murk_world_health(murk_world world, murk_health* health);
murk_status murk_consecutive_rollbacks(murk_world world, uint32_t* count);
/* "MURK_ERROR_STALE"; never NULL. */
const char* murk_status_name(murk_status status);

#ifdef __cplusplus
}
#endif

#endif
