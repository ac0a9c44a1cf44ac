#include "election/config.h"

#include "election/lease.h"

namespace hyperscale::election {

Timing Timing::scaled_to(Duration probe_interval) {
  return {.heartbeat_interval = probe_interval,
          .lease = probe_interval * 4,
          .pre_vote_timeout = probe_interval,
          .vote_timeout = probe_interval * 3 / 2,
          .resend_interval = probe_interval * 2 / 5,
          .rank_slot = probe_interval / 2,
          .retry_min = probe_interval,
          .retry_max = probe_interval * 2,
          .flapping_window = probe_interval * 60,
          .flapping_cooldown = probe_interval * 30};
}

Duration election_time_max(const Timing& timing) {
  constexpr int kRounds = 4;         // attempts that collide or meet an old term
  constexpr int kSlotsOfHealth = 5;  // the worst score that is eligible by default, and chance
  const Duration rank_delay = timing.rank_slot * kSlotsOfHealth;
  const Duration round = timing.pre_vote_timeout + timing.vote_timeout + timing.retry_max + rank_delay;
  return promise_length(timing.lease) + timing.flapping_cooldown + round * kRounds + timing.heartbeat_interval;
}

}  // namespace hyperscale::election
