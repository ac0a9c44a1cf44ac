/* When a node calls itself ready, for exhaustive checking with Spin. The code it models is
 * src/runtime/policy/readiness_graph.h with restart_policy.h; run it with ./check, which also plants bugs.
 *
 * proves part: NODE-TEST-7 (in Promela for Spin; not in TLA+)
 *
 * The graph: overlay depends on workers and on the condition config; the condition listeners stands alone. Workers crash and
 * are started again; too many restarts within the window make them degraded, never stopped. The window is abstract: a
 * restart may leave it at any moment. A shutdown may come at any moment.
 */

#define RESTARTS_ALLOWED 1

/* What the services and conditions say of themselves. */
bool config_loaded = false;
bool listener_open = false;
byte workers_up = 0;
bool overlay_up = false;
byte restarts_in_window = 0;
bool draining_shown = false;

bool stop_signal = false;
byte crashes_left = 4;

/* What the graph makes of it. */
#define WORKERS_UNREADY (workers_up == 0)
#ifdef BUG_NO_PROPAGATION
#define OVERLAY_UNREADY (!overlay_up)
#define NODE_UNREADY (OVERLAY_UNREADY || !listener_open)
#else
#define OVERLAY_UNREADY (!overlay_up || WORKERS_UNREADY || !config_loaded)
#define NODE_UNREADY (WORKERS_UNREADY || OVERLAY_UNREADY || !config_loaded || !listener_open)
#endif
#define DEGRADED (restarts_in_window > RESTARTS_ALLOWED)
#define ANSWERS_200 (!NODE_UNREADY && !draining_shown)
#define ANSWERS_READY (ANSWERS_200 && !DEGRADED)
#define EVERYTHING_UP (config_loaded && listener_open && overlay_up && workers_up > 0)

ltl ready_means_ready    { [] (ANSWERS_200 -> (EVERYTHING_UP && !stop_signal)) }
ltl unready_before_close { [] ((stop_signal && !listener_open) -> draining_shown) }
ltl draining_is_final    { [] (draining_shown -> [] (!ANSWERS_200)) }
ltl recovers             { [] <> (ANSWERS_READY || draining_shown) }

active proctype config_watcher() { config_loaded = true }

active proctype operator() {
  if
  :: skip                      /* a node may run for ever */
  :: true ->
#ifdef BUG_LATE_READYZ
    stop_signal = true; draining_shown = true
#else
    draining_shown = true; stop_signal = true
#endif
  fi
}

active proctype listeners() {
  listener_open = true;
end_serving:
  stop_signal;
  listener_open = false
}

active proctype overlay() {
  overlay_up = true;
end_serving:
  stop_signal;
  overlay_up = false
}

active [2] proctype worker() {
start:
  workers_up++;
end_serving:
  if
  :: stop_signal -> workers_up--
  :: atomic { crashes_left > 0 -> crashes_left--; workers_up-- };
#ifdef BUG_GIVES_UP
    if
    :: DEGRADED -> goto end_given_up
    :: else -> skip
    fi;
#endif
    restarts_in_window++;
    goto start
  fi;
  goto left;
end_given_up:
  false;
left:
  skip
}

active proctype restart_window() {
end_waiting:
  do
  :: restarts_in_window > 0 -> restarts_in_window--
  od
}
