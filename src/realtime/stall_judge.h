// StallJudge: detects readers that hold a pin for too long, and returns the due action for each.
//
// A pin older than max_epoch_hold is cancelled; if it still exists cancel_grace later it is force-unpinned: its caller
// is answered, a line is logged, its generation stays in quarantine. The engine never waits for the grace: it checks
// again at its next look. Verdicts are per pin sequence, so a reader that pins again is judged anew. The hold is
// measured from the start of the pin, never from the last unpin: an idle reader is not stalled. Thread rule: the engine
// thread; is_overridden() also only there. Pure: time is passed in.
#pragma once

#include "base/time.h"
#include "realtime/snapshot/worker_record.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace hyperscale::realtime {

enum class StallVerdict : std::uint8_t {
  kFine,        // unpinned, within its time, or already handled
  kCancel,      // over max_epoch_hold: ask it to stop, once
  kForceUnpin,  // still pinned after the grace: override it, once
};

class StallJudge {
 public:
  StallJudge(std::size_t readers, Duration max_epoch_hold, Duration cancel_grace)
      : hold_(max_epoch_hold), grace_(cancel_grace), cases_(readers) {}

  StallVerdict judge(std::size_t reader, const PinView& pin, MonoTime now);

  // True if this pin counts as unpinned, except for the reuse of its own generation.
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
