#include "membership/coordinates/rtt_window.h"

#include "base/check.h"

#include <algorithm>
#include <cmath>

namespace hyperscale::membership {

bool RttWindow::add(std::uint64_t sequence, Duration rtt) {
  CHECK(rtt >= 0ns && rtt <= kRttSampleMax);
  if (!is_newer(sequence)) return false;
  last_sequence_ = sequence;
  ms_[next_] = static_cast<float>(static_cast<double>(rtt.count()) / 1e6);
  next_ = static_cast<std::uint16_t>((next_ + 1) % kRttWindow);
  count_ = static_cast<std::uint16_t>(std::min<std::size_t>(count_ + 1U, kRttWindow));
  return true;
}

Duration RttWindow::median() const {
  CHECK(count_ > 0);
  std::array<float, kRttWindow> sorted = ms_;
  std::sort(sorted.begin(), sorted.begin() + count_);
  return Duration(std::llround(double{sorted[(count_ - 1U) / 2]} * 1e6));
}

std::vector<double> RttWindow::samples_ms() const {
  std::vector<double> samples;
  samples.reserve(count_);
  const std::size_t oldest = count_ < kRttWindow ? 0 : next_;
  for (std::size_t i = 0; i < count_; ++i) samples.push_back(double{ms_[(oldest + i) % kRttWindow]});
  return samples;
}

}  // namespace hyperscale::membership
