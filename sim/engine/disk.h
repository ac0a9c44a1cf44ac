// Disk: a few named records of one machine. Writes become durable with sync(); a crash before that loses them, keeps
// them, or leaves them torn. Synced records may rot. The process must detect damage: the disk returns the bytes as they
// are.
//
// Single-threaded. Holds at most kDiskRecordsMax records of kDiskRecordBytesMax; a world that writes more has a bug.
#pragma once

#include "base/bytes.h"
#include "base/prng.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::sim {

inline constexpr std::size_t kDiskRecordsMax = 64;
inline constexpr std::size_t kDiskRecordBytesMax = 1024 * 1024;

struct DiskFaults {
  bool full = false;            // write() fails
  double sync_error = 0;        // sync() fails; the written data is in doubt, and the process must stop
  double crash_at_sync = 0;     // the process dies in sync(), in half of the cases after the data is safe
  double torn_in_crash = 0.25;  // share of the unsynced records that a crash leaves torn
  double kept_in_crash = 0.25;  // share that it keeps as if synced; the others are lost
  Duration sync_latency{0};
};

struct DiskCounters {
  std::uint64_t writes = 0;
  std::uint64_t syncs = 0;
  std::uint64_t refused_full = 0;
  std::uint64_t sync_errors = 0;
  std::uint64_t lost = 0;
  std::uint64_t torn = 0;
  std::uint64_t rotted = 0;
};

class Disk {
 public:
  explicit Disk(Prng prng) : prng_(prng) {}

  // False if the disk is full.
  bool write(std::string_view record, ByteView bytes);
  // False on a device error.
  bool sync();
  // As seen by a process, including its unsynced writes. nullopt for a missing record.
  std::optional<std::vector<std::uint8_t>> read(std::string_view record) const;

  // The process has ended: decides the fate of each unsynced record.
  void crash();
  // Flips a bit of one random durable record; false if there are no records.
  bool rot();

  DiskFaults faults;
  const DiskCounters& counters() const { return counters_; }
  Prng& prng() { return prng_; }

 private:
  using Records = std::map<std::string, std::vector<std::uint8_t>, std::less<>>;

  void tear(const std::string& record, const std::vector<std::uint8_t>& written);

  Prng prng_;
  Records durable_;
  Records unsynced_;
  DiskCounters counters_;
};

}  // namespace hyperscale::sim
