// CallRetries: whether a call between nodes is tried, tried again, and when (AD-21, FAIL-RETRY-1, FAIL-CB-1).
//
//   Result<Call> call = retries.begin(CallKind::kDispatch, worker, deadline, now);
//   if (!call) return fail(call.error());                       // the circuit of the worker is open
//   while (error of a try) {
//     const std::optional<Duration> delay = retries.failed(*call, error, now);
//     if (!delay) return fail(call->last_error);
//     ... wait *delay, try again ...
//   }
//   retries.answered(*call, now);                               // if only to reject
//
// A call with all its tries asks the circuit of its peer once and reports to it once. Only what may help is repeated: a
// failed connection, a timeout, a busy peer; not a rejection. The kinds of calls have their own tries and delays. A
// delay is random between half of and all of base * 2^retry. A budget per kind bounds the retries of all calls
// together, so that an outage of many peers does not multiply the load; cancels are outside it.
//
// Thread rule: one owner. A Call is a value of the caller, who reports its end, or drops it without.
#pragma once

#include "base/prng.h"
#include "base/result.h"
#include "base/time.h"
#include "reliability/peer_circuits.h"
#include "runtime/policy/token_bucket.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::reliability {

inline constexpr double kRetriesPerSecond = 10;  // of each kind, over all peers
inline constexpr double kRetryBurst = 100;

enum class CallKind : std::uint8_t {
  kRegisterWorker,   // worker to manager
  kProgress,         // worker to manager
  kDispatch,         // manager to worker
  kRegisterManager,  // manager to gate
  kJobProgress,      // manager to gate
  kSubmit,           // gate to manager
  kCancel,           // to any of them
  kOther,
};
inline constexpr std::size_t kCallKinds = 8;

struct CallPlan {
  CallKind kind;
  std::string_view operation;  // "dispatch": of error texts and metrics
  int retries;                 // on top of the first try
  Duration base;
  std::string_view circuit;  // the one circuit of all peers; empty: one per peer
  bool has_budget = true;
};
const CallPlan& plan_of(CallKind kind);

struct Call {
  CallKind kind = CallKind::kOther;
  std::string peer;
  MonoTime deadline;  // no try begins at it or later
  int tries = 1;      // begun
  Error last_error{ErrorCode::kInternal, {}};
};

class CallRetries {
 public:
  // `circuits` must outlive it.
  CallRetries(PeerCircuits& circuits, Prng prng);

  // Fails with kOpenCircuit.
  Result<Call> begin(CallKind kind, std::string_view peer, MonoTime deadline, MonoTime now);
  void answered(const Call& call, MonoTime now);
  // The delay before the next try; none if there is none: the call is over. An error without a text becomes "dispatch
  // failed".
  std::optional<Duration> failed(Call& call, const Error& error, MonoTime now);

  std::uint64_t retries(CallKind kind) const { return retries_[index(kind)]; }
  // Retries that did not take place because the budget was used up.
  std::uint64_t out_of_budget(CallKind kind) const { return out_of_budget_[index(kind)]; }

 private:
  std::optional<Duration> next_delay(const Call& call, MonoTime now);
  static std::size_t index(CallKind kind) { return static_cast<std::size_t>(kind); }

  PeerCircuits& circuits_;
  Prng prng_;
  std::vector<runtime::TokenBucket> budgets_;
  std::vector<std::uint64_t> retries_;
  std::vector<std::uint64_t> out_of_budget_;
};

}  // namespace hyperscale::reliability
