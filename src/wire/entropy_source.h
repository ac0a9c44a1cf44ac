// EntropySource: random bytes for salts and nonces. The node passes in the system's generator, the simulator a seeded
// one, so that a core that seals messages is deterministic.
//
// Thread rule: one thread at a time. fill() cannot fail: a source without entropy ends the process.
#pragma once

#include <cstdint>
#include <span>

namespace hyperscale::wire {

class EntropySource {
 public:
  EntropySource() = default;
  EntropySource(const EntropySource&) = default;
  EntropySource& operator=(const EntropySource&) = default;
  virtual ~EntropySource() = default;

  virtual void fill(std::span<std::uint8_t> bytes) = 0;
};

}  // namespace hyperscale::wire
