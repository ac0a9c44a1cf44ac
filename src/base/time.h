// Time as values. Nothing in a core reads a clock: the time is passed in.
//
// MonoTime orders events inside one process and never leaves it; WallTime may cross hosts. They do not convert into
// each other and do not compare with each other, so a mix-up does not compile.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>

namespace hyperscale {

using Duration = std::chrono::nanoseconds;
using namespace std::chrono_literals;

template <typename Tag>
class TimePoint {
 public:
  constexpr TimePoint() = default;
  static constexpr TimePoint from_ns(std::int64_t ns) { return TimePoint(ns); }
  static constexpr TimePoint max() { return TimePoint(INT64_MAX); }

  constexpr std::int64_t ns() const { return ns_; }
  constexpr std::int64_t ms() const { return ns_ / 1'000'000; }

  constexpr TimePoint operator+(Duration d) const { return TimePoint(ns_ + d.count()); }
  constexpr TimePoint operator-(Duration d) const { return TimePoint(ns_ - d.count()); }
  constexpr Duration operator-(TimePoint other) const { return Duration(ns_ - other.ns_); }
  constexpr TimePoint& operator+=(Duration d) {
    ns_ += d.count();
    return *this;
  }
  constexpr auto operator<=>(const TimePoint&) const = default;

 private:
  constexpr explicit TimePoint(std::int64_t ns) : ns_(ns) {}
  std::int64_t ns_ = 0;
};

using MonoTime = TimePoint<struct MonoTimeTag>;
using WallTime = TimePoint<struct WallTimeTag>;

}  // namespace hyperscale
