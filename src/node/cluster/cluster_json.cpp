#include "node/cluster/cluster_json.h"

#include "report/wall_time_text.h"

#include <nlohmann/json.hpp>

namespace hyperscale::node {
namespace {

using nlohmann::json;

// A coordinate this good predicts within a fifth of what is measured (AD35-VIV-6).
constexpr float kConvergedError = 0.2F;

double seconds(Duration duration) {
  return static_cast<double>(duration.count()) / 1e9;
}

json identity_json(const wire::NodeIdentity& identity) {
  return {{"name", identity.name},
          {"role", wire::name(identity.role)},
          {"datacenter", identity.datacenter},
          {"address", to_string(identity.address)}};
}

json member_json(const cluster::MemberView& member) {
  json row = identity_json(member.identity);
  row["state"] = membership::name(member.state);
  row["incarnation"] = member.incarnation.value();
  row["in_state_s"] = seconds(member.in_state_for);
  row["rtt_ms"] = member.rtt_ms ? json(*member.rtt_ms) : json();
  row["rtt_ucb_ms"] = member.rtt_ucb_ms;
  row["coordinate_quality"] = member.coordinate_quality;
  return row;
}

json primary_json(const cluster::PrimaryView& row) {
  return {{"datacenter", row.datacenter},
          {"primary", row.primary ? json(row.primary->name) : json()},
          {"leader", row.leader ? json(row.leader->name) : json()},
          {"term", row.term.value()},
          {"coordinate_unaware", row.coordinate_unaware}};
}

json stats_json(const cluster::ClusterStats& stats) {
  return {{"datagrams_in", stats.datagrams_in},
          {"datagrams_out", stats.datagrams_out},
          {"bytes_in", stats.bytes_in},
          {"bytes_out", stats.bytes_out},
          {"refused_unsealed", stats.refused_unsealed},
          {"refused_forged", stats.refused_forged},
          {"refused_malformed", stats.refused_malformed},
          {"refused_replayed", stats.refused_replayed},
          {"refused_stale", stats.refused_stale},
          {"refused_role", stats.refused_role},
          {"refused_rate", stats.refused_rate},
          {"refused_opening", stats.refused_opening},
          {"refused_foreign", stats.refused_foreign},
          {"elections_started", stats.elections_started},
          {"elections_won", stats.elections_won},
          {"step_downs", stats.step_downs},
          {"suspicions_started", stats.membership.suspicions_started},
          {"suspicions_of_refused", stats.membership.suspicions_of_refused},
          {"probes_refused", stats.membership.probes_refused},
          {"refutations", stats.membership.refutations},
          {"deaths_detected", stats.membership.deaths_detected},
          {"deaths_gossiped", stats.membership.deaths_gossiped},
          {"recoveries", stats.membership.recoveries}};
}

json synced_json(const cluster::SyncedMember& synced) {
  return {{"name", synced.member.name},
          {"role", wire::name(synced.member.role)},
          {"version", synced.version},
          {"cores", synced.cores()},
          {"protocol", to_string(synced.agreed.version)},
          {"features", synced.agreed.features},
          {"program", synced.node_version},
          {"age_s", seconds(synced.age)}};
}

json worker_json(const cluster::KnownWorker& worker) {
  return {{"name", worker.state.node_id},
          {"cores", worker.state.total_cores},
          {"workflows", worker.state.active_workflows.size()},
          {"told_by", worker.told_by}};
}

std::string iso(WallTime time) {
  return report::rfc3339(time);
}

}  // namespace

std::string standing_json(const ClusterStanding& standing) {
  const cluster::ClusterView& view = standing.view;
  json out = identity_json(view.self);
  out["incarnation"] = view.incarnation.value();
  out["leadership"] = cluster::name(view.leadership);
  out["leads"] = standing.leads;
  out["fence"] = standing.fence;
  out["term"] = view.term.value();
  out["leader"] = view.leader ? json(view.leader->name) : json();
  out["quorum_available"] = view.quorum_available;
  out["health_score"] = view.stats.health_score;
  out["degradation"] = cluster::name(view.stats.degradation);
  out["tls"] = standing.tls;
  out["cores"] = standing.cores;
  out["sync_members"] = standing.sync.members;
  out["sync_pending"] = standing.sync.pending;
  out["synced"] = json::array();
  for (const cluster::SyncedMember& synced : standing.sync.synced) out["synced"].push_back(synced_json(synced));
  out["workers"] = json::array();
  for (const cluster::KnownWorker& worker : standing.sync.workers) out["workers"].push_back(worker_json(worker));
  out["stats"] = stats_json(view.stats);
  out["primaries"] = json::array();
  for (const cluster::PrimaryView& row : view.primaries) out["primaries"].push_back(primary_json(row));
  out["members"] = json::array();
  for (const cluster::MemberView& member : view.members) out["members"].push_back(member_json(member));
  return out.dump();
}

std::string coordinate_json(const cluster::ClusterView& view) {
  if (!view.coordinate) return json{{"peer_count", view.members.size()}, {"convergence_status", "none"}}.dump();
  const wire::Coordinate& own = *view.coordinate;
  const bool converged = own.relative_error < kConvergedError;
  return json{{"position", own.position},
              {"height", own.height_ms},
              {"error", own.relative_error},
              {"peer_count", view.members.size()},
              {"convergence_status", converged ? "converged" : "converging"}}
      .dump();
}

std::string peers_json(const cluster::ClusterView& view) {
  json rows = json::array();
  for (const cluster::MemberView& member : view.members) {
    if (member.state == membership::MemberState::kUnconfirmed) continue;
    json samples = json::array();
    if (member.measured_rtt_ms) samples.push_back(*member.measured_rtt_ms);
    const bool both = member.measured_rtt_ms && member.rtt_ms;
    rows.push_back({{"peer", to_string(member.identity.address)},
                    {"estimated_rtt_ms", member.rtt_ms ? json(*member.rtt_ms) : json()},
                    {"measured_rtt_samples", samples},
                    {"prediction_error_ms", both ? json(std::abs(*member.rtt_ms - *member.measured_rtt_ms)) : json()},
                    {"adaptive_timeout_s", seconds(member.suspicion_timeout)}});
  }
  return rows.dump();
}

std::string unconfirmed_json(const cluster::ClusterView& view, WallTime now) {
  json rows = json::array();
  for (const cluster::MemberView& member : view.members) {
    if (member.state != membership::MemberState::kUnconfirmed) continue;
    rows.push_back({{"peer", to_string(member.identity.address)},
                    {"role", wire::name(member.identity.role)},
                    {"discovered_at", iso(now - member.in_state_for)},
                    {"age_seconds", seconds(member.in_state_for)},
                    {"passive_timeout_remaining", seconds(member.passive_timeout_remaining)},
                    {"confirmation_attempts", member.confirmation_attempts},
                    {"next_attempt_in", member.next_attempt_in ? json(seconds(*member.next_attempt_in)) : json()}});
  }
  return rows.dump();
}

std::string audit_json(const std::vector<membership::AuditEntry>& entries, MonoTime now, WallTime wall) {
  json rows = json::array();
  for (const membership::AuditEntry& entry : entries) {
    rows.push_back({{"at", iso(wall - (now - entry.time))},
                    {"event", membership::name(entry.event)},
                    {"subject", to_string(entry.subject)},
                    {"incarnation", entry.incarnation.value()},
                    {"heard_by_gossip", entry.heard_by_gossip}});
  }
  return rows.dump();
}

}  // namespace hyperscale::node
