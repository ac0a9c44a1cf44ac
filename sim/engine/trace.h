// Trace: all events of a virtual world as one rolling hash, and as text on request. Two runs of one seed must end with
// the same number; the first differing line shows where they diverge.
//
// Single-threaded. Text is expensive and only made while a sink is set: callers check text() before they format.
#pragma once

#include "base/bytes.h"
#include "sim/engine/sim_time.h"

#include <cstdint>
#include <functional>
#include <string_view>

namespace hyperscale::sim {

std::uint64_t mixed(std::uint64_t hash, std::uint64_t word);
std::uint64_t hash_of(ByteView bytes);
std::uint64_t hash_of(std::string_view text);

// Kinds of events; the numbers are part of the hash.
enum class Happening : std::uint8_t {
  kStart = 1,
  kEnd,
  kPause,
  kResume,
  kSlow,
  kClock,
  kInstall,
  kOrder,
  kSend,
  kDeliver,
  kWake,
  kNote,
  kFault
};

class Trace {
 public:
  using Sink = std::function<void(SimTime at, std::string_view line)>;

  void set_sink(Sink sink) { sink_ = std::move(sink); }
  bool text() const { return static_cast<bool>(sink_); }

  void add(SimTime at, Happening what, HostId host, std::uint64_t detail);
  // REQUIRES: text().
  void line(SimTime at, std::string_view text) const { sink_(at, text); }

  std::uint64_t hash() const { return hash_; }
  std::uint64_t entries() const { return entries_; }

 private:
  std::uint64_t hash_ = 0x9e3779b97f4a7c15;
  std::uint64_t entries_ = 0;
  Sink sink_;
};

}  // namespace hyperscale::sim
