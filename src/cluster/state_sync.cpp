#include "cluster/state_sync.h"

#include "base/duration_text.h"
#include "cluster/state_versions.h"
#include "wire/certificate_identity.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::cluster {
namespace {

using wire::NodeRole;

// Warned about once; later ones are only counted.
constexpr std::uint32_t kFailuresBeforeWarning = 3;

// Implemented features. Other features of the protocol come with jobs.
constexpr std::array kBuilt{wire::kFenceTokens};

}  // namespace

std::vector<std::string> capabilities_of(wire::ProtocolVersion version) {
  std::vector<std::string> names;
  for (const std::string_view feature : kBuilt)
    if (wire::usable(feature, version, version)) names.emplace_back(feature);
  return names;
}

std::uint32_t SyncedMember::cores() const {
  if (worker) return worker->total_cores;
  std::uint32_t sum = 0;
  if (manager) {
    for (const wire::WorkerStateSnapshot& each : manager->workers) sum += each.total_cores;
  }
  return sum;
}

StateSync::StateSync(StateSyncConfig config)
    : config_(std::move(config)), prng_(Prng(config_.seed).stream("state sync")) {
  changes_ = static_cast<std::uint32_t>(prng_.below(std::uint64_t{1} << 31));
}

Actions<StateSync::Action> StateSync::step(const Event& event, MonoTime now) {
  std::visit([&](const auto& each) { take(each, now); }, event);
  ask_those_due(now);
  return std::exchange(out_, {});
}

MonoTime StateSync::next_wake() const {
  MonoTime wake = MonoTime::max();
  if (!leads_ || on_their_way_ >= config_.asks_max) return wake;
  for (const auto& [address, member] : members_)
    if (member.phase != Phase::kAsked) wake = std::min(wake, member.due);
  return wake;
}

bool StateSync::is_asked(const wire::NodeIdentity& member) const {
  if (member.address == config_.self.address) return false;
  switch (config_.self.role) {
    case NodeRole::kGate:
      return member.role == NodeRole::kManager;
    case NodeRole::kManager:
      return member.role != NodeRole::kGate && member.datacenter == config_.self.datacenter;
    case NodeRole::kWorker:
      break;
  }
  return false;
}

void StateSync::take(const BecameLeader& event, MonoTime now) {
  leads_ = true;
  fence_ = event.fence;
  for (auto& [address, member] : members_) {
    if (member.phase == Phase::kAsked) continue;  // asked in an earlier term of ours: the answer is as good
    member.phase = Phase::kWaiting;
    member.due = now;
    member.failures = 0;
  }
}

void StateSync::take(const LostLeadership&, MonoTime) {
  leads_ = false;
  for (auto& [address, member] : members_)
    if (member.phase == Phase::kWaiting) member.phase = Phase::kIdle;
}

void StateSync::take(const MemberUp& event, MonoTime now) {
  if (!is_asked(event.member)) return;
  Member& member = members_[event.member.address];
  member.identity = event.member;
  member.failures = 0;
  if (member.phase == Phase::kAsked) return;
  member.phase = leads_ ? Phase::kWaiting : Phase::kIdle;
  member.due = now;
}

void StateSync::take(const MemberDown& event, MonoTime) {
  const auto found = members_.find(event.member.address);
  if (found == members_.end()) return;
  if (found->second.phase == Phase::kAsked) --on_their_way_;
  if (found->second.told) ++learned_;
  members_.erase(found);
}

StateSync::Member* StateSync::asked_by(std::uint64_t ask) {
  for (auto& [address, member] : members_)
    if (member.phase == Phase::kAsked && member.asked == ask) return &member;
  return nullptr;
}

void StateSync::take(const Answered& event, MonoTime now) {
  Member* const member = asked_by(event.ask);
  if (member == nullptr) return;  // down since then
  const wire::StateSyncResponse& response = event.response;
  const bool unchanged = !response.worker_state && !response.manager_state;
  if (response.responder_id != member->identity.name)
    return retry(*member, fmt::format("{} answered instead", response.responder_id), now);
  const auto agreed = wire::negotiate(config_.hello, response.hello);
  if (!agreed) return retry(*member, agreed.error().context, now);
  if (unchanged && (!member->told || member->told->version != response.current_version))
    return retry(*member, "the answer has no state", now);
  --on_their_way_;
  member->phase = Phase::kIdle;
  member->failures = 0;
  member->answered_at = now;
  member->due = now + spread(config_.refresh);
  member->agreed = *agreed;
  if (unchanged) return;
  ++learned_;
  member->told = SyncedMember{.member = member->identity,
                              .version = response.current_version,
                              .worker = response.worker_state,
                              .manager = response.manager_state,
                              .agreed = *agreed,
                              .node_version = response.hello.node_version};
}

void StateSync::take(const Failed& event, MonoTime now) {
  Member* const member = asked_by(event.ask);
  if (member == nullptr) return;
  member->agreed.reset();  // it may be another program now, with other features
  retry(*member, event.why, now);
}

void StateSync::take(const Tick&, MonoTime) {}

void StateSync::retry(Member& member, const std::string& why, MonoTime now) {
  --on_their_way_;
  ++failures_;
  ++member.failures;
  member.phase = leads_ ? Phase::kWaiting : Phase::kIdle;
  const Duration pause = pause_after(member.failures);
  member.due = now + pause;
  if (leads_ && member.failures == kFailuresBeforeWarning)
    out_.push_back(Note{.warning = true, .text = fmt::format("no state of {} yet: {}", member.identity.name, why)});
}

// Shorter by up to a quarter, so that many nodes do not ask at the same time.
Duration StateSync::spread(Duration pause) {
  const auto most = static_cast<std::uint64_t>(pause.count() / 4 + 1);
  return pause - Duration(static_cast<std::int64_t>(prng_.below(most)));
}

// Doubled after each failure.
Duration StateSync::pause_after(std::uint32_t failures) {
  Duration pause = config_.retry_first;
  for (std::uint32_t i = 1; i < failures && pause < config_.retry_max; ++i) pause *= 2;
  return spread(std::min(pause, config_.retry_max));
}

void StateSync::ask_those_due(MonoTime now) {
  if (!leads_) return;
  for (auto& [address, member] : members_) {
    if (on_their_way_ >= config_.asks_max) return;
    if (member.phase == Phase::kAsked || member.due > now) continue;
    member.phase = Phase::kAsked;
    member.asked = next_ask_++;
    ++on_their_way_;
    ++asks_;
    out_.push_back(Ask{.ask = member.asked, .member = member.identity, .request = question_for(member)});
  }
}

// Of what a member can do nothing is known before its first answer, and what it does not know it ignores.
wire::StateSyncRequest StateSync::question_for(const Member& member) const {
  const bool fenced = !member.agreed || member.agreed->has(wire::kFenceTokens);
  return {.requester_id = config_.self.name,
          .requester_role = config_.self.role,
          .since_version = member.told ? member.told->version : 0,
          .hello = config_.hello,
          .fence = fenced ? fence_ : 0};
}

SyncView StateSync::view(MonoTime now) const {
  SyncView view{.synced = {},
                .workers = known_workers(),
                .members = members_.size(),
                .pending = 0,
                .asked = asks_,
                .failed = failures_,
                .refused_stale = refused_stale_};
  for (const auto& [address, member] : members_) {
    if (leads_ && member.phase != Phase::kIdle) ++view.pending;
    if (!member.told) continue;
    view.synced.push_back(*member.told);
    view.synced.back().age = now - member.answered_at;
  }
  return view;
}

std::vector<KnownWorker> StateSync::known_workers() const {
  std::map<std::string, KnownWorker> known;
  for (const auto& [address, member] : members_) {
    if (!member.told || !member.told->manager) continue;
    for (const wire::WorkerStateSnapshot& hearsay : member.told->manager->workers) {
      KnownWorker& worker = known[hearsay.node_id];
      if (worker.told_by.empty() || hearsay.version > worker.state.version) worker = {hearsay, member.identity.name};
    }
  }
  for (const auto& [address, member] : members_)
    if (member.told && member.told->worker) known[member.identity.name] = {*member.told->worker, member.identity.name};
  std::vector<KnownWorker> workers;
  workers.reserve(known.size());
  for (auto& [name, worker] : known) workers.push_back(std::move(worker));
  return workers;
}

wire::ManagerStateSnapshot StateSync::manager_snapshot(const SelfState& self, std::uint64_t version) const {
  wire::ManagerStateSnapshot snapshot{.node_id = config_.self.name,
                                      .datacenter = config_.self.datacenter,
                                      .is_leader = self.leads,
                                      .term = self.term,
                                      .version = version};
  for (const auto& [address, member] : members_) {
    if (!member.told || !member.told->worker || snapshot.workers.size() >= wire::kSnapshotWorkersMax) continue;
    snapshot.workers.push_back(*member.told->worker);
  }
  return snapshot;
}

Status StateSync::admit(const wire::StateSyncRequest& request, const SelfState& self) {
  const auto agreed = wire::negotiate(config_.hello, request.hello);
  if (!agreed) return fail(agreed.error());
  if (!agreed->has(wire::kFenceTokens)) return {};
  election::FenceGuard& guard = fences_[request.requester_role];
  if (request.requester_role == NodeRole::kManager) guard.observe(self.term);  // of its own group, or that it follows
  const election::FencingToken token(request.fence);
  const wire::Term term = election::term_of(token);
  const bool plausible = request.fence != 0 && term <= self.latest_term;
  if (plausible && guard.admit(token)) return {};
  ++refused_stale_;
  if (request.fence == 0)
    return fail(ErrorCode::kConflict, fmt::format("{} asks without a fencing token", request.requester_id));
  return fail(ErrorCode::kConflict, fmt::format("{} asks with a token of term {}, and term {} is known",
                                                request.requester_id, term, guard.term()));
}

Result<wire::StateSyncResponse> StateSync::answer(const wire::StateSyncRequest& request,
                                                  const std::optional<wire::NodeIdentity>& known,
                                                  const SelfState& self) {
  if (!known || known->name != request.requester_id || known->role != request.requester_role)
    return fail(ErrorCode::kUnauthorized, fmt::format("{} is not known at its address", request.requester_id));
  const wire::PeerRole asker = wire::peer_role(request.requester_role);
  const wire::PeerRole own = wire::peer_role(config_.self.role);
  if (!wire::may_connect(asker, own)) {
    return fail(ErrorCode::kUnauthorized,
                fmt::format("Connection denied: role '{}' cannot connect to '{}'", name(asker), name(own)));
  }
  if (config_.self.role == NodeRole::kGate)
    return fail(ErrorCode::kNotFound, "a gate has no state of workers or managers");
  if (const Status ok = admit(request, self); !ok) return fail(ok.error());
  const std::pair now_true(self, learned_);
  if (last_sent_ != now_true) {
    ++changes_;
    last_sent_ = now_true;
  }
  const std::uint64_t version = state_version(self.incarnation, changes_);
  wire::StateSyncResponse response{
      .responder_id = config_.self.name, .current_version = version, .hello = config_.hello};
  if (request.since_version == version) return response;
  if (config_.self.role == NodeRole::kManager) {
    response.manager_state = manager_snapshot(self, version);
  } else {
    response.worker_state = wire::WorkerStateSnapshot{.node_id = config_.self.name,
                                                      .state = wire::WorkerState::kHealthy,
                                                      .total_cores = self.total_cores,
                                                      .available_cores = self.available_cores,
                                                      .version = version};
  }
  return response;
}

}  // namespace hyperscale::cluster
