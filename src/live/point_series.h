// PointSeries: recent points of a figure over time, for plots. A ring: a full one drops its oldest point.
//
// Plain value, single-threaded. Points are `interval()` apart; the newest is the last.
#pragma once

#include "base/check.h"
#include "base/time.h"

#include <cstddef>
#include <vector>

namespace hyperscale::live {

struct SeriesPoint {
  double rate_per_s = 0;
  double errors_per_s = 0;
  Duration p50{}, p95{}, p99{};  // zero: no answers
  bool operator==(const SeriesPoint&) const = default;
};

class PointSeries {
 public:
  static constexpr std::size_t kPointsMax = 512;  // more than the columns of dots of any screen

  explicit PointSeries(Duration interval = 1s) : interval_(interval) {}

  void push(const SeriesPoint& point) {
    if (points_.size() < kPointsMax) {
      points_.push_back(point);
      return;
    }
    points_[oldest_] = point;
    oldest_ = (oldest_ + 1) % kPointsMax;
  }

  std::size_t size() const { return points_.size(); }
  bool empty() const { return points_.empty(); }
  Duration interval() const { return interval_; }
  // 0 is the oldest.
  const SeriesPoint& operator[](std::size_t i) const {
    CHECK(i < points_.size(), "point {} of {}", i, points_.size());
    return points_[(oldest_ + i) % points_.size()];
  }
  const SeriesPoint& newest() const { return (*this)[points_.size() - 1]; }
  bool operator==(const PointSeries&) const = default;

 private:
  Duration interval_;
  std::vector<SeriesPoint> points_;
  std::size_t oldest_ = 0;
};

}  // namespace hyperscale::live
