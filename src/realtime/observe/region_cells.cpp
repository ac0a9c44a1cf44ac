#include "realtime/observe/region_cells.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace hyperscale::realtime {
namespace {

tl::unexpected<Error> wrong(std::string text) {
  return fail(ErrorCode::kInvalidArgument, std::move(text));
}

bool inside(const Cell& cell, const Grid& grid) {
  return cell.row < grid.rows && cell.column < grid.columns;
}

std::string outside_text(const Cell& cell, const Grid& grid) {
  return fmt::format("cell ({}, {}) is outside the grid of {} x {}", cell.row, cell.column, grid.rows, grid.columns);
}

std::uint32_t rank_of(const Cell& cell, const Grid& grid) {
  return cell.row * grid.columns + cell.column;
}

Result<RegionCells> rectangle(Cell first, Cell last, const Grid& grid) {
  if (!inside(first, grid)) return wrong(outside_text(first, grid));
  if (!inside(last, grid)) return wrong(outside_text(last, grid));
  if (first.row > last.row || first.column > last.column)
    return wrong("the corners of a rectangle are the wrong way round");
  RegionCells laid{last.row - first.row + 1, last.column - first.column + 1, {}};
  for (std::uint32_t row = first.row; row <= last.row; ++row) {
    for (std::uint32_t column = first.column; column <= last.column; ++column) {
      laid.source.push_back(rank_of({row, column}, grid));
    }
  }
  return laid;
}

std::uint32_t distance(const Cell& a, const Cell& b) {
  const auto apart = [](std::uint32_t x, std::uint32_t y) { return x > y ? x - y : y - x; };
  return apart(a.row, b.row) + apart(a.column, b.column);
}

Result<RegionCells> disk(Cell centre, std::uint32_t radius, bool with_centre, const Grid& grid) {
  if (!inside(centre, grid)) return wrong(outside_text(centre, grid));
  const auto low = [radius](std::uint32_t at) { return at > radius ? at - radius : 0; };
  const auto high = [radius](std::uint32_t at, std::uint32_t size) {
    return radius < size - at ? at + radius : size - 1;
  };
  const Cell first{low(centre.row), low(centre.column)};
  const Cell last{high(centre.row, grid.rows), high(centre.column, grid.columns)};
  auto laid = rectangle(first, last, grid);
  std::size_t position = 0;
  for (std::uint32_t row = first.row; row <= last.row; ++row) {
    for (std::uint32_t column = first.column; column <= last.column; ++column, ++position) {
      const std::uint32_t steps = distance({row, column}, centre);
      if (steps > radius || (steps == 0 && !with_centre)) laid->source[position] = RegionCells::kPadding;
    }
  }
  return laid;
}

Result<RegionCells> listed(const std::vector<Cell>& cells, const Grid& grid) {
  RegionCells laid{1, static_cast<std::uint32_t>(cells.size()), {}};
  for (const Cell& cell : cells) {
    if (!inside(cell, grid)) return wrong(outside_text(cell, grid));
    laid.source.push_back(rank_of(cell, grid));
  }
  return laid;
}

struct Layouter {
  const Grid& grid;

  Result<RegionCells> operator()(const Region::All& /*all*/) const {
    return rectangle({0, 0}, {grid.rows - 1, grid.columns - 1}, grid);
  }
  Result<RegionCells> operator()(const Region::Rectangle& box) const { return rectangle(box.first, box.last, grid); }
  Result<RegionCells> operator()(const Region::Disk& round) const {
    return disk(round.centre, round.radius, true, grid);
  }
  Result<RegionCells> operator()(const Region::Neighbours& near) const {
    return disk(near.centre, near.depth, false, grid);
  }
  Result<RegionCells> operator()(const Region::Cells& list) const { return listed(list.cells, grid); }
};

}  // namespace

double RegionCells::valid_ratio() const {
  if (source.empty()) return 0;
  const auto padding = std::ranges::count(source, kPadding);
  return 1 - static_cast<double>(padding) / static_cast<double>(source.size());
}

Result<RegionCells> lay_out(const Region& region, const Grid& grid) {
  auto laid = std::visit(Layouter{grid}, region.shape);
  if (!laid) return laid;
  const double ratio = laid->valid_ratio();
  if (ratio == 0) return wrong("a region without cells");
  if (ratio < kValidRatioLeast) {
    return wrong(fmt::format("INVALID_COMPOSITION: only {:.0f} % of a region's box are cells of it", ratio * 100));
  }
  return laid;
}

}  // namespace hyperscale::realtime
