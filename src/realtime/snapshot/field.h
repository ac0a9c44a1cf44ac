// Fields of a world: named arrays of doubles over the cells of its grid.
//
// per-tick: a new value in every generation, in the generation's own segment; a tick that does not write it keeps the
// last value. sparse: a new value only when it is written, shared by the generations in between. fixed: one value,
// given at construction. A field has `components` doubles per cell, cell by cell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hyperscale::realtime {

using FieldId = std::uint32_t;  // position in WorldConfig::fields

enum class Mutability : std::uint8_t { kPerTick, kSparse, kFixed };

struct FieldDef {
  std::string name;
  Mutability mutability = Mutability::kPerTick;
  std::uint32_t components = 1;
  std::vector<double> initial = {};  // empty: zeros; one value: used everywhere; else one per cell and component
};

// Cells in rows and columns; a cell has up to four neighbours. Canonical order: row by row.
struct Grid {
  std::uint32_t rows = 1;
  std::uint32_t columns = 1;

  std::size_t cells() const { return std::size_t{rows} * columns; }
  bool operator==(const Grid&) const = default;
};

struct Cell {
  std::uint32_t row = 0;
  std::uint32_t column = 0;

  bool operator==(const Cell&) const = default;
};

}  // namespace hyperscale::realtime
