// Sample: one finished exchange. SampleSink: the interface through which an executor records samples.
//
// Single-threaded: called by the executor's loop. Recording never blocks, never allocates and loses nothing; samples
// survive the death of the executor, because the implementations write to shared memory.
#pragma once

#include "base/time.h"

#include <cstdint>

namespace hyperscale::stream {

inline constexpr Duration kNoPhase{-1};

struct Sample {
  std::uint16_t step = 0;
  std::uint8_t outcome = 0;  // results::Outcome
  std::uint16_t status = 0;  // zero: no complete answer
  std::uint64_t bytes_sent = 0;
  std::uint64_t bytes_received = 0;
  MonoTime ended;
  Duration duration{};
  Duration service{};           // kNoPhase: nothing was written
  Duration connect = kNoPhase;  // kNoPhase: on a connection that was open already
  Duration tls = kNoPhase;
  Duration first_byte = kNoPhase;

  bool operator==(const Sample&) const = default;
};

class SampleSink {
 public:
  virtual ~SampleSink() = default;
  virtual void record(const Sample& sample) = 0;
};

}  // namespace hyperscale::stream
