// A region laid out on a grid: its cells, and the position of each in the region's bounding box.
//
// Failure: a cell outside the grid, corners in the wrong order, an empty region, or a box that would be mostly padding
// (less than 35 % valid) is refused with one sentence.
#pragma once

#include "base/result.h"
#include "realtime/observe/obs_spec.h"

#include <cstdint>
#include <vector>

namespace hyperscale::realtime {

inline constexpr double kValidRatioLeast = 0.35;
inline constexpr double kValidRatioGood = 0.5;  // a plan below it is marked wasteful

struct RegionCells {
  static constexpr std::uint32_t kPadding = ~std::uint32_t{0};

  std::uint32_t rows = 0;
  std::uint32_t columns = 0;
  std::vector<std::uint32_t> source;  // per position of the box: the cell's canonical number, or kPadding

  double valid_ratio() const;
};

Result<RegionCells> lay_out(const Region& region, const Grid& grid);

}  // namespace hyperscale::realtime
