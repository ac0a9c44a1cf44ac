// Journal: where the decisions of a role core become durable, and where it learns what became so. Values only: a core
// returns requests among its actions and is fed the results as events. MemoryJournal satisfies the concept today;
// majorities of managers, a replicated log and etcd are further cores behind the same values.
//
// Three rules for the author of a decision:
//   1. What depends on it is held until its Appended (HeldActions). It gets Committed first: state changes there, and
//      only there, so that a follower of the same log has the same state.
//   2. Unknown is not a failure. The decision may have been taken: the author repeats it with the same op, or stops
//      owning; it never reports that it was refused. Refused is certain: it was not taken, and will not be.
//   3. Who may write for a group comes by Owns and Loses only; who leads one job is data: its newest JobLed record.
//
// Each Append gets exactly one of Appended, Refused, KeyKnown, Unknown. An author has one Append of a job in flight, so
// the order of a job's records is the order of its decisions. Committed comes per job in order, without gap, once per
// record and life of the process, and before the Appended of the same op. Plain values; any thread.
#pragma once

#include "base/bytes.h"
#include "base/core.h"
#include "base/error.h"
#include "base/strong_type.h"
#include "wire/jobs/dispatch.h"
#include "wire/node_identity.h"

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

namespace hyperscale::jobs {

inline constexpr std::size_t kRecordBytesMax = 64 * 1024;  // what is larger is a blob that the record names
inline constexpr std::size_t kTenantBytesMax = 128;
inline constexpr std::size_t kIdempotencyKeyBytesMax = 256;

using Ticket = StrongId<struct TicketTag>;  // of one Append, made by its author
using Sequence = StrongId<struct SequenceTag>;

// Names one decision; a repeat has the same. The high half is an epoch for decisions of a leader, a hash for requests.
struct OpId {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  auto operator<=>(const OpId&) const = default;
};
// What a client asked: equal for each repetition of the request. `kind` keeps different requests of one id apart.
OpId op_of_request(std::string_view tenant, std::string_view id, std::string_view kind);

// What an answer promises at most (docs/architecture/jobs.md). In memory nothing is better than kNone.
enum class Durability : std::uint8_t { kNone, kLocal, kRegional, kGlobal };

// Reserves an idempotency key in the same step as the record.
struct KeyClaim {
  std::string tenant;
  std::string key;
  wire::Sha256 digest{};  // of the whole submission: the same key with another content is a conflict
  bool operator==(const KeyClaim&) const = default;
};

// --- requests
struct Append {
  Ticket ticket;
  std::string job;
  OpId op;
  std::uint64_t epoch = 0;  // refused unless it is that of the newest JobLed of the job
  Durability wanted = Durability::kNone;
  SharedBytes event;  // an encoded Record
  std::optional<KeyClaim> key;
};
struct Forget {  // the job has ended, and nobody asks for it any more
  std::string job;
};
using JournalRequest = std::variant<Append, Forget>;

// --- results
struct Committed {
  std::string job;
  Sequence sequence;
  OpId op;
  SharedBytes event;
};
struct Appended {
  Ticket ticket;
  Sequence sequence;
  Durability reached = Durability::kNone;
  bool repeated = false;  // an earlier Append with this op was it
};
struct Refused {
  Ticket ticket;
  Error error;
};
struct KeyKnown {  // refused: the key belongs to another job
  Ticket ticket;
  std::string original;
  bool same_content = false;
};
struct Unknown {
  Ticket ticket;
  Error error;
};
// This node writes for the group. Everything committed came before.
struct Owns {
  std::string group;
  wire::Term term;
};
struct Loses {
  std::string group;
  wire::Term term;
};
using JournalEvent = std::variant<Committed, Appended, Refused, KeyKnown, Unknown, Owns, Loses>;

// Its Event has what only this kind of journal needs: messages of peers, elections, timers.
template <typename J>
concept Journal = Core<J> && std::same_as<typename J::Action, JournalEvent> &&
                  requires(J journal, const JournalRequest& request, MonoTime now) {
                    { journal.ask(request, now) } -> std::same_as<Actions<JournalEvent>>;
                  };

}  // namespace hyperscale::jobs
