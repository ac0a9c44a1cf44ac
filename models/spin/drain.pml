/* How a node stops, for exhaustive checking with Spin. The code it models is src/runtime/policy/drain_machine.h with the
 * tasks that it stops; run it with ./check, which also plants bugs that must be found.
 *
 * proves part: NODE-TEST-7 (in Promela for Spin; not in TLA+)
 *
 * Time is abstract: a timer may fire at any moment after it was set, so what holds here holds for every choice of deadlines.
 * A task may hang, and after an abort it may leave or stay behind for good.
 *
 *   NO_TIMEOUTS  no timer fires and nothing hangs: the node must drain by itself, completely
 *   BUG_...      plants one bug
 */

#define CAPACITY 2        /* of the work queue */

#ifdef NO_TIMEOUTS
#define TIMER_FIRES false
#define HANGS 0
#else
#define TIMER_FIRES true
#define HANGS 1
#endif

mtype = { running, pre_draining, draining, aborting, stopped };
mtype state = running;

/* What the operator wants. */
bool shutdown_requested = false;
bool second_requested = false;

/* What the supervisor tells the tasks: levels, never pulses, so a late reader still sees them. */
bool draining_shown = false;   /* /readyz answers 503 */
bool stop_signal = false;
bool refuse_new_work = false;
bool abort_signal = false;
bool stop_metrics = false;

/* What the tasks tell the supervisor. */
bool ingress_confirmed = false;
bool queue_drained = false;
bool metrics_exited = false;
byte live = 4;                 /* ingress, overlay, two workers: everything but metrics */

bool listener_open = true;
bool queue_open = true;
byte queued = 0;
byte in_progress = 0;
byte workers_running = 2;

/* What happened, for the properties. */
bool deadline_passed = false;
bool grace_passed = false;
bool aborted = false;
bool late_accept = false;
byte hangs_left = HANGS;

ltl eventual_drain       { [] (shutdown_requested -> <> (state == stopped)) }
ltl metrics_last         { [] (metrics_exited -> (live == 0 || grace_passed)) }
ltl unready_before_close { [] (!listener_open -> draining_shown) }
ltl abort_after_deadline { [] (aborted -> (deadline_passed || second_requested)) }
ltl no_late_work         { [] (!late_accept) }

inline submit() {
#ifdef BUG_RACY_SUBMIT
  if
  :: queue_open && queued < CAPACITY ->
    atomic { queued++; late_accept = late_accept || !queue_open }
  :: else -> skip
  fi
#else
  atomic {
    if
    :: queue_open && queued < CAPACITY -> queued++; late_accept = late_accept || !queue_open
    :: else -> skip            /* Busy while open, refused once closed */
    fi
  }
#endif
}

inline close_intake() {
  stop_signal = true;
#ifdef BUG_LATE_READYZ
  draining_shown = true;
#endif
  refuse_new_work = true
}

inline abort_stragglers() {
  atomic { state = aborting; queue_open = false };
#ifdef BUG_METRICS_FIRST
  stop_metrics = true;
#endif
  atomic { aborted = true; abort_signal = true };
  if
  :: live == 0
#ifndef BUG_NO_ABORT_TIMER
  :: TIMER_FIRES -> grace_passed = true
#endif
  fi
}

active proctype operator() {
  shutdown_requested = true;
  if
  :: second_requested = true
  :: skip
  fi
}

active proctype supervisor() {
  shutdown_requested;
#ifndef BUG_LATE_READYZ
  draining_shown = true;
#endif

  if
  :: state = pre_draining;
    if
    :: skip                    /* duties handed over, or their time is up */
    :: second_requested -> close_intake(); abort_stragglers(); goto stop
    fi
  :: skip                      /* no pre-drain phase is configured */
  fi;

  state = draining;
  close_intake();
#ifdef BUG_EARLY_ABORT
  abort_stragglers();
#else
  do
  :: ingress_confirmed && queue_open -> queue_open = false
  :: live == 0 -> break
#ifndef BUG_NO_DRAIN_TIMER
  :: TIMER_FIRES -> deadline_passed = true; abort_stragglers(); break
#endif
  :: second_requested -> abort_stragglers(); break
  od;
#endif

stop:
  queue_open = false;
  /* A clean stop lost nothing, and without an abort nothing that was accepted is lost. */
  assert(!queue_drained || aborted || (queued == 0 && in_progress == 0));
  assert(aborted || queued == 0);
#ifdef NO_TIMEOUTS
  assert(second_requested || (queue_drained && !aborted));
#endif
  stop_metrics = true;
  metrics_exited;
  state = stopped
}

active proctype ingress() {
  do
  :: stop_signal -> break
  :: else ->
    if
    :: submit()
    :: atomic { hangs_left > 0 -> hangs_left-- }; abort_signal; break
    fi
  od;
  listener_open = false;
  atomic { ingress_confirmed = true; live-- }
}

active proctype overlay() {
  do
  :: (stop_signal && !queue_open) || abort_signal -> break
  :: else ->
    if
    :: refuse_new_work -> skip /* 503 */
    :: else -> submit()
    fi
  od;
  live--
}

active [2] proctype worker() {
  do
  :: abort_signal -> break
#ifdef BUG_WORKER_LEAVES
  :: stop_signal -> break
#endif
  :: atomic { queued > 0 -> queued--; in_progress++ };
    if
    :: in_progress--
    :: atomic { hangs_left > 0 -> hangs_left-- }; abort_signal;
      if
      :: in_progress--; break
      :: goto end_left_behind
      fi
    fi
  :: queued == 0 && !queue_open -> break
  od;
  atomic {
    workers_running--;
    if
    :: workers_running == 0 && queued == 0 && !queue_open -> queue_drained = true
    :: else -> skip
    fi;
    live--
  };
  goto left;
end_left_behind:
  false;                       /* detached; the exit of the process ends it */
left:
  skip
}

active proctype metrics() {
  stop_metrics;
  metrics_exited = true
}
