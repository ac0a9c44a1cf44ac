// SeededEntropy: the same bytes for the same seed, for the simulator and for tests. Anyone who knows the seed knows the
// bytes; never for a real network.
#pragma once

#include "base/endian.h"
#include "base/prng.h"
#include "wire/entropy_source.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace hyperscale::wire {

class SeededEntropy final : public EntropySource {
 public:
  explicit SeededEntropy(Prng prng) : prng_(prng) {}

  void fill(std::span<std::uint8_t> bytes) override {
    std::array<std::uint8_t, 8> word{};
    while (!bytes.empty()) {
      store_le64(word.data(), prng_.next());
      const std::size_t count = std::min(bytes.size(), word.size());
      std::copy_n(word.begin(), count, bytes.begin());
      bytes = bytes.subspan(count);
    }
  }

 private:
  Prng prng_;
};

}  // namespace hyperscale::wire
