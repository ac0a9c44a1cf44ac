// StallJudge: which readers hold a pin for too long, and what is due for each.
//
// A pin older than max_epoch_hold is cancelled; one that is still there cancel_grace later is force-unpinned: its
// caller is answered, the line is logged, its generation stays in quarantine. The engine never waits for the grace: it
// asks again at its next look. Verdicts are per pin sequence, so a reader that let go and pinned again is judged
// afresh. The hold is measured from the start of the pin, never from the last unpin: an idle reader is not a stalled
// one. Thread rule: the engine thread; overridden() also only there. Pure: time is passed in.
#pragma once

#include "base/time.h"
#include "realtime/snapshot/worker_record.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace hyperscale::realtime {

enum class StallVerdict : std::uint8_t {
  kFine,        // unpinned, within its time, or already dealt with
  kCancel,      // over max_epoch_hold: ask it to stop, once
  kForceUnpin,  // still pinned after the grace: override it, once
};

class StallJudge {
 public:
  StallJudge(std::size_t readers, Duration max_epoch_hold, Duration cancel_grace)
      : hold_(max_epoch_hold), grace_(cancel_grace), cases_(readers) {}

  StallVerdict judge(std::size_t reader, const PinView& pin, MonoTime now);

  // Whether this pin counts as unpinned for everything but the reuse of its own generation.
  bool is_overridden(std::size_t reader, const PinView& pin) const;
  static Duration held(const PinView& pin, MonoTime now) { return now - MonoTime::from_ns(pin.start_ns); }

 private:
  struct Case {
    std::uint64_t sequence = 0;
    std::optional<MonoTime> cancelled_at;
    bool forced = false;
  };

  Duration hold_;
  Duration grace_;
  std::vector<Case> cases_;
};

}  // namespace hyperscale::realtime
