// StreamTable: maps stream numbers to pointers. Open addressing; numbers of streams that are open at the same time are
// mostly neighbours and so are their cells.
//
// Single-threaded. Allocates only when more streams are open than ever before. Pointers are not owned.
#pragma once

#include "base/check.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace hyperscale::load::http2 {

template <typename T>
class StreamTable {
 public:
  std::size_t size() const { return size_; }

  T* find(std::uint32_t id) const {
    if (size_ == 0) return nullptr;
    for (std::size_t at = home(id); cells_[at].value != nullptr; at = after(at))
      if (cells_[at].id == id) return cells_[at].value;
    return nullptr;
  }

  // REQUIRES: the number is not in the table.
  void insert(std::uint32_t id, T& value) {
    if ((size_ + 1) * 2 > cells_.size()) grow();
    std::size_t at = home(id);
    while (cells_[at].value != nullptr) {
      CHECK(cells_[at].id != id, "stream {} is there already", id);
      at = after(at);
    }
    cells_[at] = {id, &value};
    ++size_;
  }

  // Moves cells behind the gap up, so that no search ends too early.
  void erase(std::uint32_t id) {
    if (size_ == 0) return;
    std::size_t gap = home(id);
    while (cells_[gap].value != nullptr && cells_[gap].id != id) gap = after(gap);
    if (cells_[gap].value == nullptr) return;
    for (std::size_t at = after(gap); cells_[at].value != nullptr; at = after(at)) {
      const std::size_t distance = (at - home(cells_[at].id)) & mask();
      if (distance < ((at - gap) & mask())) continue;
      cells_[gap] = cells_[at];
      gap = at;
    }
    cells_[gap] = {};
    --size_;
  }

 private:
  static constexpr std::size_t kCellsMin = 4;
  struct Cell {
    std::uint32_t id = 0;
    T* value = nullptr;  // null: free
  };

  std::size_t mask() const { return cells_.size() - 1; }
  std::size_t home(std::uint32_t id) const { return (id >> 1) & mask(); }
  std::size_t after(std::size_t at) const { return (at + 1) & mask(); }

  void grow() {
    std::vector<Cell> old = std::exchange(cells_, std::vector<Cell>(cells_.empty() ? kCellsMin : cells_.size() * 2));
    size_ = 0;
    for (const Cell& cell : old)
      if (cell.value != nullptr) insert(cell.id, *cell.value);
  }

  std::vector<Cell> cells_;  // a power of two, at most half of them used
  std::size_t size_ = 0;
};

}  // namespace hyperscale::load::http2
