// Disk: a few named records of one machine. What is written becomes durable with sync(); a crash before that loses it,
// keeps it, or leaves it torn. Records that were synced may rot. The process has to detect damage: the disk returns the
// bytes as they are.
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
  double sync_error = 0;        // sync() fails; what was written is in doubt, and the process must not go on
  double crash_at_sync = 0;     // the process dies in sync(), half of the times after the data is safe
  double torn_in_crash = 0.25;  // of the unsynced records, how many a crash leaves torn
  double kept_in_crash = 0.25;  // and how many it leaves as if they had been synced; the others are lost
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

  // False when the disk is full.
  bool write(std::string_view record, ByteView bytes);
  // False on an error of the device.
  bool sync();
  // As a process sees it: with what it wrote and did not sync yet. Nothing where no such record is.
  std::optional<std::vector<std::uint8_t>> read(std::string_view record) const;

  // The process is gone: decides about each unsynced record.
  void crash();
  // Flips a bit of one durable record, picked at random; false when there is none.
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
