// BlobIndex: which blobs a node has or is receiving, within a budget of bytes. A blob is a content named by its
// SHA-256. The index decides; its owner stores bytes, computes hashes and removes what the index evicts.
//
//   const auto removed = index.reserve("job-7", names);    // room for all of them, or a refusal that says what was
//   needed for (std::uint64_t offset : index.missing(hash)) ask_for(hash, offset); if (index.add_part(hash, offset,
//   size) == AddedPart::kLast) index.checked(hash, hash_of_file(hash)); index.release("job-7"); // the job has ended
//
// Parts of kBlobPartBytes arrive in any order. A blob counts with all of its bytes from its reservation on. It is
// present once its hash was checked, and stays for later jobs until its room is needed: least recently used first,
// never one that a job has reserved. Invariants: bytes() and blobs() are within the limits; a refusal changes nothing.
// Pure, no clock; one owner. Equal calls give equal answers.
#pragma once

#include "base/result.h"
#include "plan/limits.h"
#include "wire/jobs/dispatch.h"
#include "wire/jobs/worker_reports.h"

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace hyperscale::jobs {

inline constexpr std::size_t kBlobPartsMax = plan::kBlobBytesMax / wire::kBlobPartBytes;
inline constexpr std::size_t kBlobsIndexedMax = 100'000;
static_assert(plan::kBlobBytesMax % wire::kBlobPartBytes == 0);

struct BlobLimits {
  std::uint64_t bytes_max = std::uint64_t{1} << 30;
  std::size_t blobs_max = kBlobsIndexedMax;
};

enum class AddedPart : std::uint8_t {
  kStored,    // write it
  kLast,      // write it, then compute the hash of the blob and call checked()
  kRepeated,  // it was here
  kUnwanted,  // no blob of that name is being received
  kMisfit,    // no part of this blob begins there, or it has another size
};

struct BlobCounts {
  std::uint64_t evicted = 0;
  std::uint64_t refused = 0;  // reservations
  std::uint64_t damaged = 0;  // blobs whose hash was wrong
  bool operator==(const BlobCounts&) const = default;
};

class BlobIndex {
 public:
  explicit BlobIndex(BlobLimits limits) : limits_(limits) {}

  // Keeps these blobs for a job, also beside earlier ones; missing ones can then be received. Returns the evicted
  // blobs, which the owner removes first. Fails with one sentence: kBusy while others need the room, kTooLarge beyond
  // the whole budget, kInvalidArgument for no bytes or more than plan::kBlobBytesMax, kConflict for a known name with
  // another size.
  Result<std::vector<wire::Sha256>> reserve(const std::string& job, std::span<const wire::BlobName> names);
  // The job has ended. Its blobs may be evicted from now on. Returns those that were incomplete and are dropped.
  std::vector<wire::Sha256> release(const std::string& job);

  // A blob found in the store when the process started, least recently used first. False: it does not fit, remove it.
  // REQUIRES: its hash was checked.
  bool adopt(const wire::BlobName& name);

  AddedPart add_part(const wire::Sha256& hash, std::uint64_t offset, std::size_t bytes);
  // After kLast: the hash that the stored bytes have. False: it is another one, and all parts are missing again.
  bool checked(const wire::Sha256& hash, const wire::Sha256& found);
  // The store could not write or read it. A reserved one is missing again.
  void lost(const wire::Sha256& hash);
  // It was read: it is evicted later than all others.
  void used(const wire::Sha256& hash);

  bool present(const wire::Sha256& hash) const;
  // Offsets of the parts to receive, ascending.
  std::vector<std::uint64_t> missing(const wire::Sha256& hash) const;
  // Blobs of the job that are not present.
  std::vector<wire::BlobName> absent(const std::string& job) const;
  // How often the hash was wrong since the blob was reserved first.
  std::uint32_t failures(const wire::Sha256& hash) const;

  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t reserved_bytes() const { return reserved_bytes_; }
  std::size_t blobs() const { return blobs_.size(); }
  const BlobCounts& counts() const { return counts_; }

 private:
  enum class State : std::uint8_t { kReceiving, kUnchecked, kPresent };
  struct Blob {
    std::uint64_t bytes = 0;
    State state = State::kReceiving;
    std::uint32_t jobs = 0;      // that reserved it
    std::uint32_t failures = 0;  // of the hash
    std::uint64_t use = 0;       // key in idle_ if no job has reserved it
    std::bitset<kBlobPartsMax> parts = {};
    std::size_t parts_total() const { return (bytes + wire::kBlobPartBytes - 1) / wire::kBlobPartBytes; }
  };
  using Blobs = std::map<wire::Sha256, Blob>;

  Status check(std::span<const wire::BlobName> names) const;
  Status check_room(std::span<const wire::BlobName> names);
  void pin(Blob& blob);
  void unpin(const wire::Sha256& hash, Blob& blob);
  void erase(Blobs::iterator blob);

  BlobLimits limits_;
  Blobs blobs_;
  std::map<std::string, std::set<wire::Sha256>> jobs_;
  std::map<std::uint64_t, wire::Sha256> idle_;  // not reserved, by last use
  std::uint64_t uses_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t reserved_bytes_ = 0;
  BlobCounts counts_;
};

}  // namespace hyperscale::jobs
