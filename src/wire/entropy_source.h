// EntropySource: where the unpredictable bytes of salts and nonces come from. The node gives the system's generator,
// the simulator a seeded one, so that a core that seals messages stays replayable.
//
// Thread rule: one thread at a time. fill() cannot fail: a source that has run dry ends the process.
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
