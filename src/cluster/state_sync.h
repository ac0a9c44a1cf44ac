// StateSync: which nodes a leader asks for state, when it retries, and their answers (ARCH-3, ARCH-4). A manager that
// becomes leader asks the workers and the other managers of its datacenter, a gate leader the managers.
//
// It asks on becoming leader and whenever such a member comes up; a failed question is retried with growing pauses
// until it is answered, the member is down, or leadership is lost. Answers are refreshed periodically, which also
// detects a member that restarted too fast to be suspected. At most `asks_max` questions are pending at once; the
// others wait, in the order of their addresses. The state of a member is dropped when it is down; it is kept when
// leadership is lost, so that the next question names the known version.
//
// Every node, leader or not, answers roles that may ask: answer(). Question and answer contain the version and
// capabilities of their sender; both sides use the common ones (AD-25). Where both support fencing tokens a question
// needs one, and a token of an older term than this node knows is refused: it comes from a replaced leader (AD10-2).
//
// Sans-IO core (base/core.h): one thread at a time; for every Ask the adapter feeds exactly one Answered or Failed.
// Answers without a pending question are dropped.
#pragma once

#include "base/core.h"
#include "base/prng.h"
#include "base/result.h"
#include "base/time.h"
#include "election/fencing_token.h"
#include "wire/node_identity.h"
#include "wire/protocol_version.h"
#include "wire/state_sync.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace hyperscale::cluster {

struct StateSyncConfig {
  wire::NodeIdentity self;
  wire::Handshake hello = {};
  Duration retry_first = 200ms;
  Duration retry_max = 10s;
  Duration refresh = 60s;  // how long an answer counts as current
  std::size_t asks_max = 32;
  std::uint64_t seed = 0;
};

// State of one member, from itself.
struct SyncedMember {
  wire::NodeIdentity member;
  std::uint64_t version = 0;
  std::optional<wire::WorkerStateSnapshot> worker = {};
  std::optional<wire::ManagerStateSnapshot> manager = {};
  wire::Agreement agreed = {};
  std::string node_version = {};
  Duration age = {};  // since it was last confirmed to be current

  // Its own cores, or those of the workers that it knows.
  std::uint32_t cores() const;
};

// The state of a worker and its source. A worker is authoritative for what it runs (OV-8): reports of managers count
// only until it has answered itself, regardless of their version.
struct KnownWorker {
  wire::WorkerStateSnapshot state;
  std::string told_by;
};

struct SyncView {
  std::vector<SyncedMember> synced;  // ordered by address
  std::vector<KnownWorker> workers;  // ordered by name
  std::size_t members = 0;           // that are up and would be asked
  std::size_t pending = 0;           // of those still to answer; 0 on a node that does not lead
  std::uint64_t asked = 0;           // questions, counted from the start
  std::uint64_t failed = 0;
  std::uint64_t refused_stale = 0;  // questions of former leaders, or without a token
};

// Capabilities of this program at this version.
std::vector<std::string> capabilities_of(wire::ProtocolVersion version);

class StateSync {
 public:
  // Events.
  struct BecameLeader {
    std::uint64_t fence = 0;
  };
  struct LostLeadership {};
  struct MemberUp {
    wire::NodeIdentity member;
  };
  struct MemberDown {
    wire::NodeIdentity member;
  };
  struct Answered {
    std::uint64_t ask = 0;
    wire::StateSyncResponse response;
  };
  struct Failed {
    std::uint64_t ask = 0;
    std::string why;
  };
  struct Tick {};
  using Event = std::variant<BecameLeader, LostLeadership, MemberUp, MemberDown, Answered, Failed, Tick>;

  // Actions.
  struct Ask {
    std::uint64_t ask = 0;  // comes back with the answer
    wire::NodeIdentity member;
    wire::StateSyncRequest request;
  };
  struct Note {  // a line for the log
    bool warning = false;
    std::string text;
  };
  using Action = std::variant<Ask, Note>;

  explicit StateSync(StateSyncConfig config);

  Actions<Action> step(const Event& event, MonoTime now);
  MonoTime next_wake() const;
  SyncView view(MonoTime now) const;

  // State of this node when it is asked.
  struct SelfState {
    wire::Incarnation incarnation;
    wire::Term term;
    wire::Term latest_term;  // tokens of later ones are refused
    bool leads = false;
    std::uint32_t total_cores = 0;
    std::uint32_t available_cores = 0;

    bool operator==(const SelfState&) const = default;
  };
  // `known`: the member at the sender's address. Fails with kUnauthorized when the identities differ or its role may
  // not ask this one (AD28-SEC-4), and with kConflict for another major version or a former leader.
  Result<wire::StateSyncResponse> answer(const wire::StateSyncRequest& request,
                                         const std::optional<wire::NodeIdentity>& known, const SelfState& self);

 private:
  enum class Phase : std::uint8_t { kIdle, kWaiting, kAsked };
  struct Member {
    wire::NodeIdentity identity;
    Phase phase = Phase::kIdle;
    MonoTime due;             // when to ask; while kIdle: again
    std::uint64_t asked = 0;  // the pending question, while kAsked
    std::uint32_t failures = 0;
    std::optional<wire::Agreement> agreed;
    std::optional<SyncedMember> told;
    MonoTime answered_at;
  };

  void take(const BecameLeader& event, MonoTime now);
  void take(const LostLeadership& event, MonoTime now);
  void take(const MemberUp& event, MonoTime now);
  void take(const MemberDown& event, MonoTime now);
  void take(const Answered& event, MonoTime now);
  void take(const Failed& event, MonoTime now);
  void take(const Tick& event, MonoTime now);

  bool is_asked(const wire::NodeIdentity& member) const;
  Member* asked_by(std::uint64_t ask);
  wire::StateSyncRequest question_for(const Member& member) const;
  Status admit(const wire::StateSyncRequest& request, const SelfState& self);
  void ask_those_due(MonoTime now);
  void retry(Member& member, const std::string& why, MonoTime now);
  Duration pause_after(std::uint32_t failures);
  std::vector<KnownWorker> known_workers() const;
  Duration spread(Duration pause);
  wire::ManagerStateSnapshot manager_snapshot(const SelfState& self, std::uint64_t version) const;

  StateSyncConfig config_;
  Prng prng_;
  std::map<wire::NodeAddress, Member> members_;  // those that are up and would be asked
  bool leads_ = false;
  std::uint64_t fence_ = 0;                                // of the last term that this node led
  std::map<wire::NodeRole, election::FenceGuard> fences_;  // gates and managers count their terms apart
  std::uint64_t refused_stale_ = 0;
  std::size_t on_their_way_ = 0;
  std::uint64_t next_ask_ = 1;
  std::uint64_t asks_ = 0;
  std::uint64_t failures_ = 0;
  std::uint64_t learned_ = 0;  // changes with the state that this node could send
  std::optional<std::pair<SelfState, std::uint64_t>> last_sent_;
  std::uint32_t changes_;  // counted from a random start: a worker that restarts may have its old incarnation again
  Actions<Action> out_;
};

}  // namespace hyperscale::cluster
