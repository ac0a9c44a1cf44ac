// ScriptCalls: the calls that functions make, on the HTTP clients of their users. It finds a slot for each, collects
// its answer, and keeps what a step that returns the call is measured by.
//
// Single-threaded, the executor's loop. A user's calls take the client's slots from `first_slot` on, as many as are in
// flight at once, at most kCallsAtOnceMax. Requests that repeat are prepared once.
#pragma once

#include "load/protocols/http/http_client.h"
#include "load/protocols/http/kept_bodies.h"
#include "load/protocols/prepared_request.h"
#include "load/step_script.h"
#include "stream/sample_sink.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace hyperscale::load {

inline constexpr std::uint32_t kCallsAtOnceMax = 256;  // of one user
inline constexpr std::size_t kPreparedCallsMax = 1024;

// What came of a call, redirects included.
struct CallRecord {
  stream::Sample sample;  // all but the step; duration is the call's own
  std::shared_ptr<const ScriptedRequest> what;
  results::Outcome outcome = results::Outcome::kOk;
  std::uint16_t connections_opened = 0;
  std::uint16_t tls_resumed = 0;
  std::uint16_t redirects = 0;
  std::uint16_t resent = 0;
  bool sent = false;       // and not turned away
  std::string message;     // of a failure
  std::string body_start;  // the same
};

class ScriptCalls {
 public:
  // `shape` is the plan's; answers are always wanted whole. `bodies` bounds what they may take.
  ScriptCalls(std::uint32_t first_slot, RequestShape shape, std::shared_ptr<KeptBodies> bodies);

  // Fails with one sentence when the call cannot be sent at all: it has ended. The exchange may end inside.
  Status start(HttpClient& client, ScriptCall call, MonoTime now);
  bool owns(std::uint32_t slot) const { return slot >= first_slot_; }
  // Of the call that is in flight there.
  const plan::Expectation& expectation(std::uint32_t user, std::uint32_t slot) {
    return user_at(user).slots[slot - first_slot_].record.what->expect;
  }

  // Also for slots of steps whose answer functions read.
  void header(std::uint32_t user, std::uint32_t slot, std::string_view name, std::string_view value);
  // Those of an answer that nobody will see: a redirect, one that broke off.
  void forget_headers(std::uint32_t user, std::uint32_t slot);
  // The answer as functions see it; takes the headers that were collected.
  ScriptAnswer answer_of(std::uint32_t user, std::uint32_t slot, const ExchangeReport& report);

  struct Done {
    CallNumber number = 0;
    bool wanted = false;  // somebody waits for it
  };
  // Nothing while a redirect follows.
  std::optional<Done> done(std::uint32_t user, std::uint32_t slot, const ExchangeReport& report);
  void let_go(CallNumber number) { unwanted_.push_back(number); }

  // A step of the user has returned this call. Null when it is none of the user's iteration.
  const CallRecord* returned(std::uint32_t user, CallNumber number);
  // Of an iteration that goes on: no step will return these calls.
  void forget(std::uint32_t user, std::span<const CallNumber> numbers);
  // The user's iteration is over. Gives how many of its calls no step returned.
  std::uint32_t forget(std::uint32_t user);

 private:
  struct InFlight {
    CallNumber number = 0;  // zero: free
    bool no_room = false;   // for its body, after content decoding
    MonoTime first_start;
    std::shared_ptr<const PreparedRequest> request;
    CallRecord record;
  };
  // The record lies in a list that all users share: most calls end just before their iteration does.
  struct Ended {
    CallNumber number = 0;
    std::uint32_t record = 0;
    bool returned = false;
  };
  struct User {
    std::vector<InFlight> slots;     // from first_slot_ on
    std::vector<Ended> ended;        // in this iteration, but for forgotten ones
    std::uint32_t forgotten = 0;     // that no step had returned
    std::vector<std::string> heads;  // by slot of the client
  };

  User& user_at(std::uint32_t user);
  Result<std::shared_ptr<const PreparedRequest>> prepared(const std::shared_ptr<const ScriptedRequest>& what);
  std::uint32_t keep(CallRecord record);
  static void note(InFlight& call, const ExchangeReport& report);
  bool read_body(const ExchangeReport& report, ScriptAnswer& answer) const;
  Status refuse(ScriptCall call, Error why);

  std::uint32_t first_slot_;
  RequestShape shape_;
  std::shared_ptr<KeptBodies> bodies_;
  std::vector<User> users_;
  // Keeps what it is known by, so that no other can have the same address.
  std::unordered_map<std::shared_ptr<const ScriptedRequest>, std::shared_ptr<const PreparedRequest>> known_;
  std::vector<CallNumber> unwanted_;
  std::deque<CallRecord> records_;  // they stay where they are
  std::vector<std::uint32_t> free_records_;
};

}  // namespace hyperscale::load
