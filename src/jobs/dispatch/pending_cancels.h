// PendingCancels: cancels that were sent to workers and are not confirmed yet (AD20-3, WFSM-DEP-2).
//
// A cancel without an answer for kCancelAnswerTimeout is sent again, and one that failed after a delay with jitter;
// after kCancelTriesMax it ends unconfirmed: the owner must fence the attempt, because it may still run. A dead worker
// confirms. One share that cannot be cancelled holds up no other. Cancelling twice is harmless.
//
// Thread rule: one owner. Core: time in, actions out. Bounded by the shares of a job: an entry per share.
#pragma once

#include "base/core.h"
#include "base/prng.h"
#include "base/time.h"
#include "wire/jobs/attempt.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <variant>

namespace hyperscale::jobs {

inline constexpr Duration kCancelAnswerTimeout = 5s;
inline constexpr int kCancelTriesMax = 3;

class PendingCancels {
 public:
  // --- events
  struct Begin {  // no effect on a share that is being cancelled
    wire::ShareId share;
  };
  struct Answered {  // no effect on others
    wire::ShareId share;
    bool success = false;
    std::string error = {};
  };
  struct WorkerDead {
    wire::ShareId share;
  };
  struct Tick {};
  using Event = std::variant<Begin, Answered, WorkerDead, Tick>;

  // --- actions
  struct Send {  // WorkflowCancelRequest
    wire::ShareId share;
  };
  struct Failed {  // for the log; it may be sent again
    wire::ShareId share;
    std::string error;
  };
  struct Ended {
    wire::ShareId share;
    bool confirmed = false;
  };
  using Action = std::variant<Send, Failed, Ended>;

  explicit PendingCancels(Prng prng) : prng_(prng) {}

  Actions<Action> step(const Event& event, MonoTime now);
  // When the next Tick is due. None: nothing is pending.
  std::optional<MonoTime> wake_at() const;

  bool pending(const wire::ShareId& share) const { return cancels_.contains(share); }
  std::size_t size() const { return cancels_.size(); }

 private:
  struct Cancel {
    int tries = 1;
    bool sent = true;  // and not answered; otherwise it waits to be sent again
    MonoTime due;
  };

  void handle(const Begin& begin, MonoTime now, Actions<Action>& out);
  void handle(const Answered& answer, MonoTime now, Actions<Action>& out);
  void handle(const WorkerDead& dead, MonoTime now, Actions<Action>& out);
  void handle(const Tick& tick, MonoTime now, Actions<Action>& out);
  void end(const wire::ShareId& share, bool confirmed, Actions<Action>& out);

  std::map<wire::ShareId, Cancel> cancels_;
  Prng prng_;
};

static_assert(Core<PendingCancels>);

}  // namespace hyperscale::jobs
