// Creates, finds and removes the files of one epoch. Used by the driver and, after its death, by garbage collectors.
//
// One thread per stream folder (SHM-DRV-7). Removal renames the folder to a tombstone first, so no reader opens a
// partial epoch; the next scan removes what a crash left. Nothing is ever truncated, no link ever followed.
#pragma once

#include "base/result.h"
#include "stream/mapped_region.h"
#include "stream/policy/driver_core.h"
#include "stream/superblock.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::stream {

inline constexpr const char* kHeaderFile = "header.ring";
inline constexpr const char* kPoolFile = "1.pool";
inline constexpr const char* kCountersFile = "counters";

struct EpochRegions {
  MappedRegion header;
  MappedRegion pool;
  MappedRegion counters;

  void own(std::uint64_t pid, std::uint64_t started_ns) const;
  void disown() const { own(0, 0); }
  void refresh(std::uint64_t now_ns) const;
  // Whether a file was cut short under one of them.
  bool lost() const { return header.lost() || pool.lost() || counters.lost(); }
};

// Of a producer's process: the descriptors of header ring, pool and counters. kInvalidArgument when they are not those
// of one epoch with that layout.
Result<EpochRegions> map_regions(std::array<OwnedFd, 3> files, const RegionLayout& layout);

// kBusy when memory is short, with the bytes needed and available; kConflict when the name is taken. A failed call
// leaves no files.
Result<EpochRegions> make_epoch(int stream_folder, const Provision& what, std::uint64_t now_ns);

// The number in a folder's name; none for names that make_epoch() does not create.
std::optional<std::uint64_t> number_of(std::string_view name);

struct LookContext {
  bool pids_are_known = true;  // false: they are of another pid namespace, so every owner may be alive
};
// All epochs; other names, links and folders of other users are skipped. Finishes interrupted removals.
std::vector<EpochFacts> look_at_epochs(int stream_folder, const LookContext& context = {});
// The same, read only.
std::vector<EpochFacts> read_epochs(int stream_folder, const LookContext& context = {});

Status remove_epoch(int stream_folder, Epoch epoch);

}  // namespace hyperscale::stream
