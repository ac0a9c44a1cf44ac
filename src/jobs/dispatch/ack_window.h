// AckWindows: dispatches whose worker has not answered yet (AD38-ACK, fleet decision 36). The answer to the dispatch is
// its acknowledgement; if it is lost, any message of the attempt is one. A dispatcher does not wait for either.
//
//   AWAITING ──5 s──► EXPIRED: ask for the worker's health ── healthy, fewer than 3 extensions ──► EXTENDED (5 s more)
//       │                └── unhealthy, no answer in 5 s, extensions used up ──► RESCHEDULE
//       └── any message of the attempt, in AWAITING, EXPIRED and EXTENDED ──► CONFIRMED
//
// RESCHEDULE is final: a message that arrives later changes nothing. The attempt may still be running there. The owner
// gives its share a new fence before another worker gets it, so the two never count together.
//
// Thread rule: one owner. Core: time in, actions out. Bounded by kAckWindowsMax; the owner of a full one dispatches
// nothing (is_full).
#pragma once

#include "base/core.h"
#include "base/time.h"
#include "wire/jobs/attempt.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace hyperscale::jobs {

inline constexpr std::size_t kAckWindowsMax = 16'384;

struct AckLimits {
  Duration window = 5s;
  int extensions_max = 3;
  Duration extension = 5s;
  bool health_check = true;     // false: an expired window is RESCHEDULE at once
  Duration health_answer = 5s;  // later: unhealthy
};

enum class AckState : std::uint8_t { kAwaiting, kExpired, kExtended, kConfirmed, kReschedule };
std::string_view name(AckState state);  // "AWAITING_ACK", "WINDOW_EXPIRED", "EXTEND_WINDOW", ...

class AckWindows {
 public:
  using Attempt = wire::AttemptId;

  // --- events
  struct Dispatched {  // REQUIRES: !is_full(). No effect if it has a window.
    Attempt attempt;
    std::string worker;
  };
  enum class Sign : std::uint8_t { kAnswer, kProgress, kCompletion, kError };
  struct Heard {  // REQUIRES: the fence of the message is that of the share
    Attempt attempt;
    Sign sign = Sign::kAnswer;
  };
  struct Health {
    Attempt attempt;
    bool healthy = false;
  };
  struct Tick {};
  using Event = std::variant<Dispatched, Heard, Health, Tick>;

  // --- actions
  struct Confirmed {
    Attempt attempt;
    Sign by = Sign::kAnswer;  // answer, progress: it runs; completion: completed; error: failed
  };
  struct CheckHealth {  // answered by Health
    Attempt attempt;
    std::string worker;
  };
  struct Reschedule {
    Attempt attempt;
    std::string worker;
    std::string why;
  };
  using Action = std::variant<Confirmed, CheckHealth, Reschedule>;

  explicit AckWindows(AckLimits limits = {});

  Actions<Action> step(const Event& event, MonoTime now);
  // When the next Tick is due. None: no window is open.
  std::optional<MonoTime> wake_at() const;

  // The attempt was rejected, ended or cancelled, or its reschedule was carried out.
  void complete(const Attempt& attempt) { windows_.erase(attempt); }
  // kConfirmed for an attempt without a window.
  AckState state_of(const Attempt& attempt) const;
  std::vector<Attempt> to_reschedule() const;  // ascending
  bool is_full() const { return windows_.size() >= kAckWindowsMax; }
  std::size_t size() const { return windows_.size(); }

 private:
  struct Window {
    std::string worker;
    AckState state = AckState::kAwaiting;
    MonoTime due;  // not of kReschedule
    int extensions = 0;
  };

  void handle(const Dispatched& dispatched, MonoTime now, Actions<Action>& out);
  void handle(const Heard& heard, MonoTime now, Actions<Action>& out);
  void handle(const Health& health, MonoTime now, Actions<Action>& out);
  void handle(const Tick& tick, MonoTime now, Actions<Action>& out);
  void expire(const Attempt& attempt, Window& window, MonoTime now, Actions<Action>& out);
  static void reschedule(const Attempt& attempt, Window& window, std::string why, Actions<Action>& out);

  AckLimits limits_;
  std::map<Attempt, Window> windows_;  // a confirmed one has none
};

static_assert(Core<AckWindows>);

}  // namespace hyperscale::jobs
