// ScriptCalls: the calls that functions make, on the clients of their users. It finds a slot for each, collects its
// answer, and keeps its measurements until it is known whether a step returns it.
//
// Single-threaded, the executor's loop. A user's calls use its clients' slots from `first_slot` on, as many as are in
// flight at once, at most kCallsAtOnceMax. Requests that repeat are prepared once.
#pragma once

#include "load/client_set.h"
#include "load/protocols/kept_bodies.h"
#include "load/protocols/prepared_request.h"
#include "load/step_script.h"
#include "stream/sample_sink.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hyperscale::load {

inline constexpr std::uint32_t kCallsAtOnceMax = 256;  // of one user
inline constexpr std::size_t kPreparedCallsMax = 1024;

// Statuses from 300 to 308 can be redirects; plan::kRedirectsMax of a call fit into a byte.
inline constexpr std::uint16_t kFirstRedirectStatus = 300;
inline constexpr std::size_t kRedirectStatuses = 9;

// Measurements and outcome of a call, redirects included.
struct CallRecord {
  stream::Sample sample;  // all but the step; duration is the call's own
  std::shared_ptr<const ScriptedRequest> what;
  results::Outcome outcome = results::Outcome::kOk;
  std::uint16_t connections_opened = 0;
  std::uint16_t tls_resumed = 0;
  std::uint16_t redirects = 0;
  std::array<std::uint8_t, kRedirectStatuses> redirect_statuses{};  // how many of them had each
  std::uint16_t resent = 0;
  bool sent = false;       // and not turned away
  bool answered = false;   // with any status
  bool counted = false;    // its iteration is recorded
  std::string message;     // of a failure
  std::string body_start;  // the same
};

class ScriptCalls {
 public:
  // `shape` is the plan's; whole answers are always requested. `bodies` bounds the memory of their bodies.
  ScriptCalls(std::uint32_t first_slot, RequestShape shape, std::shared_ptr<KeptBodies> bodies);

  // Fails with one sentence when the call cannot be sent: it has then ended. The exchange may end inside start().
  Status start(ClientSet& clients, ScriptCall call, MonoTime now, bool counted);
  std::uint32_t in_flight() const { return in_flight_; }
  bool owns(std::uint32_t slot) const { return slot >= first_slot_; }
  // Expectation of the call that is in flight in the slot.
  const plan::Expectation& expectation(std::uint32_t user, std::uint32_t slot) {
    return user_at(user).slots[slot - first_slot_].record.what->expect;
  }

  // Collects a header; also for slots of steps whose answers functions read.
  void header(std::uint32_t user, std::uint32_t slot, std::string_view name, std::string_view value);
  // Drops the headers of an answer that no function reads: a redirect, an incomplete answer.
  void forget_headers(std::uint32_t user, std::uint32_t slot);
  // The answer as functions see it; moves the collected headers out.
  ScriptAnswer answer_of(std::uint32_t user, std::uint32_t slot, const ExchangeReport& report);

  struct Done {
    CallNumber number = 0;
    bool wanted = false;  // a function waits for it
    CallRecord record;    // of a call that is not wanted
  };
  // Nothing while a redirect follows.
  std::optional<Done> done(std::uint32_t user, std::uint32_t slot, const ExchangeReport& report);
  void let_go(CallNumber number) { unwanted_.push_back(number); }

  // The record of the call that a step returned. Null when the user's iteration has no such call.
  const CallRecord* returned(std::uint32_t user, CallNumber number);
  // In a running iteration: no step will return these calls. Calls visit(const CallRecord&) for each that was sent and
  // not returned.
  template <typename Visit>
  void forget(std::uint32_t user, std::span<const CallNumber> numbers, const Visit& visit) {
    std::vector<CallNumber> gone(numbers.begin(), numbers.end());
    std::ranges::sort(gone);
    std::erase_if(user_at(user).ended, [&](const Ended& each) {
      if (!std::ranges::binary_search(gone, each.number)) return false;
      if (!each.returned) visit(std::as_const(records_[each.record]));
      records_[each.record] = {};
      free_records_.push_back(each.record);
      return true;
    });
  }
  // The user's iteration is over: does the same for all its calls.
  template <typename Visit>
  void forget(std::uint32_t user, const Visit& visit) {
    auto& ended = user_at(user).ended;
    for (const Ended& each : ended) {
      if (!each.returned) visit(std::as_const(records_[each.record]));
      free_records_.push_back(each.record);
    }
    ended.clear();
  }

 private:
  struct InFlight {
    CallNumber number = 0;  // zero: free
    bool no_room = false;   // for its body, after content decoding
    MonoTime first_start;
    std::shared_ptr<const Prepared> request;
    CallRecord record;
  };
  // The record is in a list that all users share: most calls end just before their iteration does.
  struct Ended {
    CallNumber number = 0;
    std::uint32_t record = 0;
    bool returned = false;
  };
  struct User {
    std::vector<InFlight> slots;     // from first_slot_ on
    std::vector<Ended> ended;        // in this iteration, without forgotten calls
    std::vector<std::string> heads;  // by slot of the client
  };

  User& user_at(std::uint32_t user);
  Result<std::shared_ptr<const Prepared>> prepared(const std::shared_ptr<const ScriptedRequest>& what);
  std::uint32_t keep(CallRecord record);
  static void note(InFlight& call, const ExchangeReport& report);
  bool read_body(const ExchangeReport& report, ScriptAnswer& answer) const;
  Status refuse(ScriptCall call, Error why);

  std::uint32_t first_slot_;
  RequestShape shape_;
  std::shared_ptr<KeptBodies> bodies_;
  std::vector<User> users_;
  // Holds the key, so that no other request can get the same address.
  std::unordered_map<std::shared_ptr<const ScriptedRequest>, std::shared_ptr<const Prepared>> known_;
  std::vector<CallNumber> unwanted_;
  std::uint32_t in_flight_ = 0;
  std::deque<CallRecord> records_;  // addresses are stable
  std::vector<std::uint32_t> free_records_;
};

}  // namespace hyperscale::load
