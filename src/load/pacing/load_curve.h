// LoadCurve: the target (users, or iterations per second) over the time of a run, as straight pieces. Pure arithmetic.
//
// It can be changed while it is followed: what lies before the change stays as it was, so that totals go on from there.
#pragma once

#include "base/time.h"
#include "plan/plan.h"

#include <vector>

namespace hyperscale::load {

class LoadCurve {
 public:
  // The warm-up holds the first target (of closed stages, that of the first); then constant over `duration`, or the
  // stages one after the other. A closed run with stages starts at zero users, an open one at its rate. An endless
  // curve (no duration, no stages) never ends.
  explicit LoadCurve(const plan::Load& load);

  Duration length() const { return length_; }  // Duration::max(): endless
  // Zero after the end.
  double target_at(Duration time) const;
  double highest() const;
  // When the integral of the target reaches `total`; Duration::max() when it never does.
  Duration time_of_total(double total) const;
  double total_at(Duration time) const;
  // The next moment after `time` at which the target may have changed by one; Duration::max() when it stays.
  Duration next_change(Duration time) const;

  // From then on constant, up to the same end.
  void set_target(Duration from, double target);
  // From then on zero, without an end, until resume() lets the rest follow. REQUIRES: not paused() / paused().
  void pause(Duration from);
  void resume(Duration from);
  bool paused() const { return paused_; }

 private:
  struct Piece {
    double start_s;
    double length_s;
    double from;
    double to;
    double total_before;
    double total() const { return (from + to) / 2 * length_s; }
  };
  void append(double length_s, double from, double to);
  const Piece* piece_at(double time_s) const;
  // Takes what lies after the moment off the curve.
  std::vector<Piece> cut(Duration time);
  void append_all(const std::vector<Piece>& pieces);

  std::vector<Piece> pieces_;
  Duration length_{};
  std::vector<Piece> rest_;  // while paused: what is to follow
  bool paused_ = false;
};

}  // namespace hyperscale::load
