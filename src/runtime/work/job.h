// Job: a compute request of a node without a role: small, and enough to load, delay, overload and break one in tests.
//
//   {"job":"echo","data":"hello"}                 returns the data; runs inline
//   {"job":"hash","data":"hello","rounds":1000}   SHA-256 of the data, repeated; many rounds run on the blocking pool
//   {"job":"delay","ms":10}                       waits; stands for an I/O-bound job
//   {"job":"hang"} {"job":"crash"}                with fault injection: blocks a thread forever, crashes the worker
//
// Thread rule: a Job is immutable once parsed. Limits are named below; a job beyond them is refused as InvalidArgument.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "base/time.h"
#include "runtime/http/cancel_token.h"

#include <cstdint>
#include <string_view>

#include <boost/asio/awaitable.hpp>

namespace hyperscale::runtime {

namespace asio = boost::asio;

class BlockingPool;

inline constexpr std::uint32_t kRoundsMax = 100'000'000;
inline constexpr std::uint32_t kRoundsInlineMax = 64;  // about 20 µs; more would hold up an event loop
inline constexpr Duration kDelayMax = 60s;

enum class JobKind : std::uint8_t { kEcho, kHash, kDelay, kHang, kCrash };

std::string_view name(JobKind kind);

struct Job {
  JobKind kind = JobKind::kEcho;
  SharedBytes data;
  std::uint32_t rounds = 1;
  Duration delay{};
};

// Reads a job from JSON. `faults_allowed` admits the kinds that do harm.
Result<Job> parse_job(std::string_view json, bool faults_allowed);
// An echo of raw bytes; the answer shares the buffer.
Job echo_job(SharedBytes data);

// Runs the job to its end, its deadline or its cancellation. Throws for JobKind::kCrash, as a bug in a handler would.
asio::awaitable<Result<SharedBytes>> run_job(const Job& job, BlockingPool& pool, MonoTime deadline, CancelToken cancel);

}  // namespace hyperscale::runtime
