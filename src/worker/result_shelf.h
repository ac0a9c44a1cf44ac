// ResultShelf: the results of attempts that are over, kept until the leader releases them: it does so when the merged
// result is held by a majority, so a result that only this worker has is never lost to make room.
//
// An attempt reserves its place before it begins, and a full shelf reserves nothing: the worker then refuses dispatches
// (H19). The bytes are not known in advance: what running attempts put may exceed bytes_max by their own results.
//
// Thread rule: one owner. Invariants (CHECK): every result was reserved; one per attempt. A result leaves by release()
// or end_job() only. Bodies are views; nothing is copied.
#pragma once

#include "base/bytes.h"
#include "wire/jobs/worker_reports.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace hyperscale::worker {

// With places of running attempts; as many as one WorkerAnswer holds.
inline constexpr std::size_t kResultsKeptMax = wire::kAttemptsPerWorkerMax;
inline constexpr std::uint64_t kResultsKeptBytesMax = std::uint64_t{1} << 30;

class ResultShelf {
 public:
  struct Kept {
    wire::AttemptState state;  // kFinished, with its result
    bool started = false;
    SharedBytes body;
  };

  explicit ResultShelf(std::size_t results_max = kResultsKeptMax, std::uint64_t bytes_max = kResultsKeptBytesMax)
      : results_max_(results_max), bytes_max_(bytes_max) {}

  // False: full.
  bool reserve();
  // The attempt that reserved a place leaves no result. REQUIRES: reserved() > 0.
  void give_back();
  // REQUIRES: reserved() > 0; no result of this attempt is here.
  void put(Kept kept);

  const Kept* find(const wire::AttemptId& attempt) const;
  wire::BytesPart part(const wire::ResultFetch& fetch) const;
  bool release(const wire::AttemptId& attempt);
  // Returns the attempts whose results it drops.
  std::vector<wire::AttemptId> end_job(const std::string& job);

  const std::map<wire::AttemptId, Kept>& kept() const { return kept_; }
  std::size_t reserved() const { return reserved_; }
  std::uint64_t bytes() const { return bytes_; }

 private:
  const std::size_t results_max_;
  const std::uint64_t bytes_max_;
  std::map<wire::AttemptId, Kept> kept_;
  std::size_t reserved_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace hyperscale::worker
