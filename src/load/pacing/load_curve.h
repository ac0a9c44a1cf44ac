// LoadCurve: the target (users, or iterations per second) over the time of a run, piecewise linear. Pure arithmetic.
//
// It can be changed during a run: the part before the change stays as it was, so that totals continue from there.
#pragma once

#include "base/time.h"
#include "plan/plan.h"

#include <vector>

namespace hyperscale::load {

class LoadCurve {
 public:
  // The warm-up holds the first target (with closed stages, that of the first stage); then constant over `duration`, or
  // the stages in order. A closed run with stages starts at zero users, an open one at its rate. A curve without
  // duration and stages is endless.
  explicit LoadCurve(const plan::Load& load);

  Duration length() const { return length_; }  // Duration::max(): endless
  // Zero after the end.
  double target_at(Duration time) const;
  double highest() const;
  // When the integral of the target reaches `total`; Duration::max() when it never does.
  Duration time_of_total(double total) const;
  double total_at(Duration time) const;
  // The next moment after `time` at which the target may have changed by one; Duration::max() when it is constant.
  Duration next_change(Duration time) const;

  // Constant from then on, until the same end.
  void set_target(Duration from, double target);
  // Zero from then on, without an end, until resume() appends the rest. REQUIRES: not paused() / paused().
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
  // Removes the part after `time` from the curve and returns it.
  std::vector<Piece> cut(Duration time);
  void append_all(const std::vector<Piece>& pieces);

  std::vector<Piece> pieces_;
  Duration length_{};
  std::vector<Piece> rest_;  // while paused: the part after the pause
  bool paused_ = false;
};

}  // namespace hyperscale::load
