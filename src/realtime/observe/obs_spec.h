// ObsSpec: what to observe, as written by the user: an ordered list of regions of fields.
//
//   ObsSpec spec{{.field = kRate, .region = Region::all()},
//                {.field = kLatency, .region = Region::rectangle({0, 0}, {3, 1}), .transform = Transform::normalise(0,
//                1)}};
//
// An entry yields components x cells values in row order of the region's bounding box; the mask marks which cells of
// the box belong to the region (1) and which are padding (0). Distances are counted in steps between neighbouring
// cells.
#pragma once

#include "realtime/snapshot/field.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace hyperscale::realtime {

struct Region {
  struct All {};
  struct Rectangle {
    Cell first, last;  // inclusive corners
  };
  struct Disk {
    Cell centre;
    std::uint32_t radius;
  };
  struct Neighbours {  // a Disk without its centre
    Cell centre;
    std::uint32_t depth;
  };
  struct Cells {  // as one row, in the given order
    std::vector<Cell> cells;
  };
  std::variant<All, Rectangle, Disk, Neighbours, Cells> shape;

  static Region all() { return {All{}}; }
  static Region rectangle(Cell first, Cell last) { return {Rectangle{first, last}}; }
  static Region disk(Cell centre, std::uint32_t radius) { return {Disk{centre, radius}}; }
  static Region neighbours(Cell centre, std::uint32_t depth) { return {Neighbours{centre, depth}}; }
  static Region cells(std::vector<Cell> cells) { return {Cells{std::move(cells)}}; }
};

// identity, or [low, high] to [0, 1] with clamping; equal bounds give 0.
struct Transform {
  enum class Kind : std::uint8_t { kIdentity, kNormalise };
  Kind kind = Kind::kIdentity;
  double low = 0;
  double high = 1;

  static Transform identity() { return {}; }
  static Transform normalise(double low, double high) { return {Kind::kNormalise, low, high}; }
};

// Squares of kernel x kernel cells of the bounding box, every stride cells, become one value.
struct Pooling {
  enum class Kind : std::uint8_t { kMean, kMax, kMin, kSum };
  Kind kind = Kind::kMean;
  std::uint32_t kernel = 2;
  std::uint32_t stride = 2;
};

struct ObsEntry {
  FieldId field = 0;
  Region region = Region::all();
  Transform transform = {};
  std::optional<Pooling> pooling = std::nullopt;
};

using ObsSpec = std::vector<ObsEntry>;

}  // namespace hyperscale::realtime
