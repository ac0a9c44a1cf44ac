#include "realtime/snapshot/sparse_values.h"

#include "base/check.h"

#include <algorithm>
#include <utility>

namespace hyperscale::realtime {

SparseValues::SparseValues(std::size_t doubles, std::size_t live_generations_max)
    : doubles_(doubles), blocks_(live_generations_max + 2) {
  for (std::size_t i = blocks_.size(); i > 0; --i) {
    blocks_[i - 1].memory = std::make_unique_for_overwrite<double[]>(doubles);
    free_.push_back(i - 1);
  }
  old_.reserve(blocks_.size());
  current_ = free_.back();
  free_.pop_back();
  std::ranges::fill(view(current_), 0.0);
}

std::span<double> SparseValues::change() {
  if (!staged_) {
    CHECK(!free_.empty(), "no free sparse value: {} are seen", old_.size());
    staged_ = free_.back();
    free_.pop_back();
    std::ranges::copy(view(current_), view(*staged_).begin());
  }
  return view(*staged_);
}

void SparseValues::commit(Epoch epoch) {
  if (!staged_) return;
  blocks_[current_].last = epoch - 1;
  old_.push_back(current_);
  current_ = *std::exchange(staged_, std::nullopt);
  blocks_[current_].first = epoch;
}

void SparseValues::abandon() {
  if (staged_) free_.push_back(*std::exchange(staged_, std::nullopt));
}

void SparseValues::collect(std::span<const Epoch> live) {
  std::erase_if(old_, [&](std::size_t block) {
    const auto seen = std::ranges::lower_bound(live, blocks_[block].first);
    if (seen != live.end() && *seen <= blocks_[block].last) return false;
    free_.push_back(block);
    return true;
  });
}

}  // namespace hyperscale::realtime
