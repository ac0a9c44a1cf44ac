#include "load/pacing/load_curve.h"

#include "base/check.h"
#include "base/duration_text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace hyperscale::load {
namespace {

constexpr double kEndless = std::numeric_limits<double>::infinity();
constexpr double kFinestStep_s = 0.001;

Duration duration_of(double seconds) {
  constexpr double kMost = 9e9;  // seconds; about the largest Duration
  return seconds >= kMost ? Duration::max() : Duration(static_cast<std::int64_t>(std::llround(seconds * 1e9)));
}

}  // namespace

LoadCurve::LoadCurve(const plan::Load& load) {
  const bool open = load.pacing == plan::Pacing::kOpen;
  const double constant = open ? load.rate_per_s : load.vus;
  const double first = load.stages.empty() || open ? constant : 0;
  if (load.warmup > Duration::zero()) {
    const double level = load.stages.empty() || open ? constant : load.stages.front().target;
    append(seconds(load.warmup), level, level);
  }
  if (load.stages.empty()) {
    append(load.duration > Duration::zero() ? seconds(load.duration) : kEndless, constant, constant);
  }
  double from = first;
  for (const plan::Stage& stage : load.stages) {
    if (stage.duration > Duration::zero()) append(seconds(stage.duration), from, stage.target);
    from = stage.target;
  }
}

void LoadCurve::append(double length_s, double from, double to) {
  Piece piece{0, length_s, from, to, 0};
  if (!pieces_.empty()) {
    const Piece& last = pieces_.back();
    piece.start_s = last.start_s + last.length_s;
    piece.total_before = last.total_before + last.total();
  }
  pieces_.push_back(piece);
  length_ = duration_of(piece.start_s + piece.length_s);
}

const LoadCurve::Piece* LoadCurve::piece_at(double time_s) const {
  for (const Piece& piece : pieces_)
    if (time_s < piece.start_s + piece.length_s) return &piece;
  return nullptr;
}

double LoadCurve::target_at(Duration time) const {
  const double time_s = seconds(time);
  const Piece* piece = piece_at(time_s);
  if (piece == nullptr) return 0;
  if (piece->from == piece->to) return piece->from;
  return piece->from + (piece->to - piece->from) * (time_s - piece->start_s) / piece->length_s;
}

double LoadCurve::highest() const {
  double most = 0;
  for (const Piece& piece : pieces_) most = std::max({most, piece.from, piece.to});
  return most;
}

double LoadCurve::total_at(Duration time) const {
  const double time_s = seconds(time);
  const Piece* piece = piece_at(time_s);
  if (piece == nullptr) return pieces_.empty() ? 0 : pieces_.back().total_before + pieces_.back().total();
  const double into = time_s - piece->start_s;
  return piece->total_before + (piece->from + target_at(time)) / 2 * into;
}

Duration LoadCurve::time_of_total(double total) const {
  for (const Piece& piece : pieces_) {
    const double wanted = total - piece.total_before;
    if (piece.length_s != kEndless && wanted >= piece.total()) continue;
    if (piece.from == piece.to) {
      return piece.from > 0 ? duration_of(piece.start_s + wanted / piece.from) : Duration::max();
    }
    // wanted = from * t + slope / 2 * t^2, solved in the form that loses no digits when the slope is small.
    const double slope = (piece.to - piece.from) / piece.length_s;
    const double root = std::sqrt(std::max(0.0, piece.from * piece.from + 2 * slope * wanted));
    const double divisor = piece.from + root;
    return duration_of(piece.start_s + (divisor > 0 ? 2 * wanted / divisor : 0));
  }
  return Duration::max();
}

std::vector<LoadCurve::Piece> LoadCurve::cut(Duration time) {
  const double time_s = std::max(seconds(time), 0.0);
  const double level = target_at(std::max(time, Duration::zero()));
  std::vector<Piece> rest;
  while (!pieces_.empty() && pieces_.back().start_s + pieces_.back().length_s > time_s) {
    Piece& last = pieces_.back();
    Piece after = last;
    if (last.start_s < time_s) {
      after.from = level;
      after.length_s = last.start_s + last.length_s - time_s;
      last.length_s = time_s - last.start_s;
      last.to = level;
      rest.push_back(after);
      break;
    }
    rest.push_back(after);
    pieces_.pop_back();
  }
  std::ranges::reverse(rest);
  return rest;
}

void LoadCurve::append_all(const std::vector<Piece>& pieces) {
  for (const Piece& piece : pieces) append(piece.length_s, piece.from, piece.to);
}

void LoadCurve::set_target(Duration from, double target) {
  std::vector<Piece> rest = paused_ ? std::exchange(rest_, {}) : cut(from);
  if (rest.empty()) return;
  double length_s = 0;
  for (const Piece& piece : rest) length_s += piece.length_s;
  rest = {Piece{0, length_s, target, target, 0}};
  if (paused_) {
    rest_ = std::move(rest);
  } else {
    append_all(rest);
  }
}

void LoadCurve::pause(Duration from) {
  CHECK(!paused_, "paused twice");
  paused_ = true;
  rest_ = cut(from);
  if (!rest_.empty()) append(kEndless, 0, 0);
}

void LoadCurve::resume(Duration from) {
  CHECK(paused_, "not paused");
  paused_ = false;
  cut(from);
  append_all(std::exchange(rest_, {}));
}

Duration LoadCurve::next_change(Duration time) const {
  const double time_s = seconds(time);
  const Piece* piece = piece_at(time_s);
  if (piece == nullptr) return Duration::max();
  const double end = piece->start_s + piece->length_s;
  if (piece->from == piece->to) return duration_of(end);
  const double per_user = std::abs(piece->length_s / (piece->to - piece->from));
  return duration_of(std::min(end, time_s + std::max(per_user / 2, kFinestStep_s)));
}

}  // namespace hyperscale::load
