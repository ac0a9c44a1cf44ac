#include "sim/engine/disk.h"

#include "base/check.h"
#include "sim/engine/chance.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace hyperscale::sim {

bool Disk::write(std::string_view record, ByteView bytes) {
  CHECK(bytes.size() <= kDiskRecordBytesMax && durable_.size() + unsynced_.size() < 2 * kDiskRecordsMax,
        "a record of {} bytes beside {}", bytes.size(), durable_.size());
  if (faults.full) {
    ++counters_.refused_full;
    return false;
  }
  ++counters_.writes;
  unsynced_[std::string(record)].assign(bytes.begin(), bytes.end());
  return true;
}

bool Disk::sync() {
  ++counters_.syncs;
  if (chance(prng_, faults.sync_error)) {
    ++counters_.sync_errors;
    return false;
  }
  for (auto& [record, bytes] : unsynced_) durable_[record] = std::move(bytes);
  unsynced_.clear();
  return true;
}

std::optional<std::vector<std::uint8_t>> Disk::read(std::string_view record) const {
  if (const auto written = unsynced_.find(record); written != unsynced_.end()) return written->second;
  if (const auto kept = durable_.find(record); kept != durable_.end()) return kept->second;
  return std::nullopt;
}

void Disk::crash() {
  for (auto& [record, bytes] : unsynced_) {
    const double fate = prng_.unit();
    if (fate < faults.torn_in_crash) {
      ++counters_.torn;
      tear(record, bytes);
    } else if (fate < faults.torn_in_crash + faults.kept_in_crash) {
      durable_[record] = std::move(bytes);
    } else {
      ++counters_.lost;
    }
  }
  unsynced_.clear();
}

// A prefix of the new bytes, then the old ones.
void Disk::tear(const std::string& record, const std::vector<std::uint8_t>& written) {
  if (written.empty()) return;
  std::vector<std::uint8_t>& kept = durable_[record];
  const auto reached = static_cast<std::size_t>(prng_.below(written.size()));
  if (kept.size() < reached) kept.resize(reached);
  std::copy_n(written.begin(), reached, kept.begin());
}

bool Disk::rot() {
  if (durable_.empty()) return false;
  const auto picked = std::next(durable_.begin(), static_cast<std::ptrdiff_t>(prng_.below(durable_.size())));
  std::vector<std::uint8_t>& bytes = picked->second;
  if (bytes.empty()) return false;
  const std::uint64_t bit = prng_.below(bytes.size() * 8);
  bytes[bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
  ++counters_.rotted;
  return true;
}

}  // namespace hyperscale::sim
