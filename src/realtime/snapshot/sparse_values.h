// SparseValues: the values of one sparse field, each shared by all generations until the next change.
//
// A value that was current for epochs a..b may be reused when no live generation has an epoch in a..b. Thread rule: the
// engine only; readers access a value through the generation that they pin. Invariant: with one block per live
// generation, one current and one staged, change() always finds a free block and nothing is allocated after
// construction.
#pragma once

#include "realtime/snapshot/epoch.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace hyperscale::realtime {

class SparseValues {
 public:
  SparseValues(std::size_t doubles, std::size_t live_generations_max);

  // The value of the next generation: the staged change if there is one.
  std::span<const double> next() const { return view(staged_ ? *staged_ : current_); }
  std::span<const double> current() const { return view(current_); }
  // A writable copy of the current value; the same copy for all calls within a tick.
  std::span<double> change();

  void commit(Epoch epoch);  // makes the staged change current from this epoch on
  void abandon();
  // REQUIRES: ascending. Frees values that none of these generations uses.
  void collect(std::span<const Epoch> live);

  std::size_t in_use() const { return blocks_.size() - free_.size(); }

 private:
  struct Block {
    std::unique_ptr<double[]> memory;
    Epoch first = 0;
    Epoch last = 0;
  };

  std::span<double> view(std::size_t block) const { return {blocks_[block].memory.get(), doubles_}; }

  std::size_t doubles_;
  std::vector<Block> blocks_;
  std::vector<std::size_t> free_;
  std::vector<std::size_t> old_;  // replaced values that live generations may use
  std::size_t current_;
  std::optional<std::size_t> staged_;
};

}  // namespace hyperscale::realtime
