// Election: elects the leader of one group (the managers of a datacenter, or all gates). Raft's election without its
// log: pre-vote, one durable vote per term, a lease renewed by a majority of the configured group.
//
// Thread rule: one thread at a time; follows base/core.h. The owner executes actions in order and makes a Persist
// durable before the next action; if it cannot, it stops the node. It calls step(Tick) at next_wake().
//
// Invariants under any network fault, as long as clocks run at rates within kClockRateDriftMax (lease.h):
//  - At most one node wins a term: a win takes votes of a majority, and a vote is given once per term, durably.
//  - At most one node has leads(now) at any moment, and the terms of those nodes only rise. lease.h has the proof.
//  - A term rises only after a majority granted a pre-vote, so a partitioned node does not disturb the others (AD5-2).
// leads(now) holds for `now` only. A process that is stopped between the check and the action may act late: messages
// that must not take effect then carry a fencing token (fencing_token.h), and the receiver refuses them.
//
// A healthy leader is never replaced for a better candidate (AD5-3 over LEAD-4: leadership would follow every wobble of
// the scores). LEAD-4 applies where the leader's own heartbeats report that it is too unhealthy to lead: then a better
// candidate gets pre-votes. Otherwise an unfit leader resigns, and its resignation releases the votes at once.
//
// Messages from outside the group, of surplus voters and with implausible terms only increment a counter.
#pragma once

#include "base/core.h"
#include "base/prng.h"
#include "base/time.h"
#include "election/config.h"
#include "election/eligibility.h"
#include "election/fencing_token.h"
#include "election/flapping.h"
#include "election/lease.h"
#include "election/voters.h"
#include "election/votes.h"
#include "wire/cluster_message.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace hyperscale::election {

// A heartbeat with this sequence is the leader's resignation from its term; real ones count from 1.
inline constexpr std::uint64_t kResignationSequence = 0;

enum class State : std::uint8_t { kInitial, kFollower, kPreCandidate, kCandidate, kLeader };
std::string_view name(State state);

enum class LossReason : std::uint8_t { kQuorumLost, kHigherTerm, kUnhealthy, kDegraded, kLeaving };
std::string_view name(LossReason reason);

// What survives a restart.
struct DurableVote {
  wire::Term term;
  std::string voted_for;  // empty: no vote given in this term

  bool operator==(const DurableVote&) const = default;
};

// Counters grow only.
struct ElectionStats {
  std::uint64_t pre_votes_started = 0;
  std::uint64_t elections_started = 0;
  std::uint64_t elections_won = 0;
  std::uint64_t step_downs = 0;
  std::uint64_t cooldowns = 0;
  std::uint64_t refused_strangers = 0;  // another role, another datacenter, this node's own name
  std::uint64_t refused_surplus = 0;    // more voters than configured
  std::uint64_t refused_terms = 0;      // implausible
  std::uint64_t refused_leaders = 0;    // a second leader of one term
  std::uint64_t refused_replays = 0;    // heartbeats and acknowledgements that are old or impossible
};

class Election {
 public:
  // Events.
  struct Start {};  // this node joined: it may vote once old promises have expired
  struct Received {
    wire::NodeIdentity from;
    wire::ClusterBody body;  // kinds other than those of elections are a bug of the owner and ignored
  };
  struct Tick {};
  struct PeerUp {  // alive for membership; nodes that are not voters of this group are ignored
    wire::NodeIdentity peer;
  };
  struct PeerDown {
    wire::NodeIdentity peer;
  };
  struct HealthChanged {
    std::uint8_t score = 0;  // this node's local health multiplier, 0 to 8
  };
  struct DegradationChanged {
    Degradation level = Degradation::kNormal;
  };
  struct Leave {};  // resigns; this node stays a voter until it exits, and is never a candidate again
  using Event = std::variant<Start, Received, Tick, PeerUp, PeerDown, HealthChanged, DegradationChanged, Leave>;

  // Actions.
  struct Send {
    wire::NodeIdentity to;
    wire::ClusterBody body;
  };
  struct Persist {
    DurableVote vote;
  };
  struct BecameLeader {  // won the term; leads() follows when a majority has answered the first heartbeat
    wire::Term term;
    FencingToken fence;  // first of the term
  };
  struct LostLeadership {
    wire::Term term;
    LossReason reason;
    std::string text;
  };
  struct LeaderChanged {  // also for this node itself; none when the leader's lease has expired here
    std::optional<wire::NodeIdentity> leader;
    wire::Term term;
  };
  struct Note {
    bool warning = false;
    std::string text;
  };
  using Action = std::variant<Send, Persist, BecameLeader, LostLeadership, LeaderChanged, Note>;

  // REQUIRES: durable.term <= kTermMax; config.group_size in [1, kGroupSizeMax]; config.voters empty, or group_size
  // names with self's among them.
  Election(ElectionConfig config, DurableVote durable);

  Actions<Action> step(const Event& event, MonoTime now);
  // Messages with a later term are ignored (term_bounds.h).
  void believe_up_to(wire::Term latest) { latest_term_ = latest; }
  MonoTime next_wake() const;

  State state() const { return state_; }
  wire::Term term() const { return vote_.term; }
  // The leader that this node follows, itself when it leads.
  const std::optional<wire::NodeIdentity>& leader() const { return leader_; }
  // True while this node holds the lease of its term.
  bool leads(MonoTime now) const;
  std::size_t quorum_size() const;
  // For monitoring only (AD3-2): nothing is decided by it.
  bool has_quorum_available() const;
  bool cooling_down(MonoTime now) const { return flapping_.cooling_down(now); }
  const Voters& voters() const { return voters_; }
  const ElectionStats& stats() const { return stats_; }

 private:
  // election.cpp: events, time, terms
  void start(MonoTime now);
  void receive(const Received& received, MonoTime now);
  void refuse_sender(const wire::NodeIdentity& node, Voters::Refusal refusal);
  void expire(MonoTime now);
  void tick(MonoTime now);
  void peer_up(const wire::NodeIdentity& peer);
  void peer_down(const wire::NodeIdentity& peer);
  void judge_fitness(MonoTime now);
  void leave(MonoTime now);
  // A higher term ends the candidacy or leadership of this node.
  void enter_term(wire::Term term, MonoTime now);
  bool newer(wire::Term term) const { return term > vote_.term && !config_.mutations.ignore_higher_term; }
  void become_follower(MonoTime now, Duration election_in);
  void vote_for(const std::string& name);
  void flush_vote();
  void send(const wire::NodeIdentity& to, wire::ClusterBody body);
  void send_to_all(const wire::ClusterBody& body);
  void report_leader(MonoTime now);
  void report_quorum();
  void note(bool warning, std::string text) { out_.push_back(Note{warning, std::move(text)}); }

  // election_campaign.cpp
  bool may_stand() const;
  Duration delay_by_rank();
  Duration retry_delay();
  void stand_or_wait(MonoTime now);
  void open_ballot(State state, Duration timeout, MonoTime now);
  void start_pre_vote(MonoTime now);
  void start_election(MonoTime now);
  void ask_again(MonoTime now);
  void give_up(MonoTime now);
  bool count_answer(State asked_as, std::size_t seat, wire::Term term, bool granted, MonoTime now);
  void handle(std::size_t seat, const wire::PreVoteResponse& response, MonoTime now);
  void handle(std::size_t seat, const wire::VoteResponse& response, MonoTime now);
  wire::CandidateRank own_rank() const { return {.health_score = health_, .priority = config_.priority}; }

  // election_voting.cpp
  void handle(std::size_t seat, const wire::PreVoteRequest& request, MonoTime now);
  void handle(std::size_t seat, const wire::VoteRequest& request, MonoTime now);
  bool grants_pre_vote(std::size_t seat, const wire::PreVoteRequest& request, MonoTime now) const;
  bool contests(std::size_t seat, const wire::PreVoteRequest& request, MonoTime now) const;
  bool eligible(std::size_t seat, const wire::CandidateRank& rank) const;
  bool promised(MonoTime now) const { return promise_.binds(now); }

  // election_lead.cpp
  void win(MonoTime now);
  void beat(MonoTime now);
  bool successor_known(MonoTime now) const;
  void step_down(LossReason reason, MonoTime now);
  void handle(std::size_t seat, const wire::LeaderAnnounce& announce, MonoTime now);
  void handle(std::size_t seat, const wire::LeaderHeartbeat& heartbeat, MonoTime now);
  void handle(std::size_t seat, const wire::LeaderHeartbeatAck& ack, MonoTime now);
  void take_resignation(std::size_t seat, const wire::LeaderHeartbeat& heartbeat, MonoTime now);
  bool follow(std::size_t seat, wire::Term term, MonoTime now);

  ElectionConfig config_;
  Prng prng_;
  DurableVote vote_;
  bool vote_unsaved_ = false;
  Voters voters_;
  State state_ = State::kInitial;
  std::uint8_t health_ = 0;
  Degradation degradation_ = Degradation::kNormal;
  bool leaving_ = false;

  VotePromise promise_;
  std::optional<wire::NodeIdentity> leader_;
  wire::CandidateRank leader_rank_;
  std::string term_leader_;           // leader of this term, also after it resigned; empty: unknown
  std::uint64_t heartbeat_seen_ = 0;  // highest sequence in this term
  bool contested_ = false;            // since there was a leader, a worse candidate has been contested once

  MonoTime election_at_ = MonoTime::max();  // follower without a leader: when it becomes a candidate
  MonoTime attempt_ends_ = MonoTime::max();
  MonoTime ask_again_at_ = MonoTime::max();
  Votes votes_;
  LeaderLease lease_;
  MonoTime beat_at_ = MonoTime::max();
  FlappingDetector flapping_;

  std::optional<wire::NodeIdentity> reported_leader_;  // last reported to the owner
  wire::Term reported_term_;
  wire::Term latest_term_ = kTermMax;
  bool quorum_reported_ = false;
  ElectionStats stats_;
  Actions<Action> out_;  // of the current step
};

std::string to_string(const Election::Action& action);

}  // namespace hyperscale::election
