#include "node/cluster/cluster_json.h"

#include "base/duration_text.h"
#include "base/json_writer.h"
#include "report/wall_time_text.h"

#include <cmath>
#include <optional>

namespace hyperscale::node {
namespace {

using Layout = JsonWriter::Layout;

// Below this error a coordinate predicts within a fifth of the measured value (AD35-VIV-6).
constexpr float kConvergedError = 0.2F;

void write_or_null(JsonWriter& json, std::string_view name, std::optional<double> number) {
  json.key(name);
  number ? json.value(*number) : json.null();
}

void write_name_or_null(JsonWriter& json, std::string_view name, const std::optional<wire::NodeIdentity>& node) {
  json.key(name);
  node ? json.value(node->name) : json.null();
}

void write_identity(JsonWriter& json, const wire::NodeIdentity& identity) {
  json.field("name", identity.name);
  json.field("role", wire::name(identity.role));
  json.field("datacenter", identity.datacenter);
  json.field("address", to_string(identity.address));
}

void write_member(JsonWriter& json, const cluster::MemberView& member) {
  json.begin_object();
  write_identity(json, member.identity);
  json.field("state", membership::name(member.state));
  json.field("incarnation", member.incarnation.value());
  json.field("in_state_s", seconds(member.in_state_for));
  write_or_null(json, "rtt_ms", member.rtt_ms);
  json.field("rtt_ucb_ms", member.rtt_ucb_ms);
  json.field("coordinate_quality", member.coordinate_quality);
  json.end_object();
}

void write_primary(JsonWriter& json, const cluster::PrimaryView& row) {
  json.begin_object();
  json.field("datacenter", row.datacenter);
  write_name_or_null(json, "primary", row.primary);
  write_name_or_null(json, "leader", row.leader);
  json.field("term", row.term.value());
  json.field("coordinate_unaware", row.coordinate_unaware);
  json.end_object();
}

void write_stats(JsonWriter& json, const cluster::ClusterStats& stats) {
  json.begin_object();
  json.field("datagrams_in", stats.datagrams_in);
  json.field("datagrams_out", stats.datagrams_out);
  json.field("bytes_in", stats.bytes_in);
  json.field("bytes_out", stats.bytes_out);
  json.field("refused_unsealed", stats.refused_unsealed);
  json.field("refused_forged", stats.refused_forged);
  json.field("refused_malformed", stats.refused_malformed);
  json.field("refused_replayed", stats.refused_replayed);
  json.field("refused_stale", stats.refused_stale);
  json.field("refused_role", stats.refused_role);
  json.field("refused_rate", stats.refused_rate);
  json.field("refused_opening", stats.refused_opening);
  json.field("refused_foreign", stats.refused_foreign);
  json.field("elections_started", stats.elections_started);
  json.field("elections_won", stats.elections_won);
  json.field("step_downs", stats.step_downs);
  json.field("suspicions_started", stats.membership.suspicions_started);
  json.field("suspicions_of_refused", stats.membership.suspicions_of_refused);
  json.field("probes_refused", stats.membership.probes_refused);
  json.field("refutations", stats.membership.refutations);
  json.field("deaths_detected", stats.membership.deaths_detected);
  json.field("deaths_gossiped", stats.membership.deaths_gossiped);
  json.field("recoveries", stats.membership.recoveries);
  json.end_object();
}

void write_synced(JsonWriter& json, const cluster::SyncedMember& synced) {
  json.begin_object();
  json.field("name", synced.member.name);
  json.field("role", wire::name(synced.member.role));
  json.field("version", synced.version);
  json.field("cores", synced.cores());
  json.field("protocol", to_string(synced.agreed.version));
  json.key("features");
  json.begin_array();
  for (const auto& feature : synced.agreed.features) json.value(feature);
  json.end_array();
  json.field("program", synced.node_version);
  json.field("age_s", seconds(synced.age));
  json.end_object();
}

void write_worker(JsonWriter& json, const cluster::KnownWorker& worker) {
  json.begin_object();
  json.field("name", worker.state.node_id);
  json.field("cores", worker.state.total_cores);
  json.field("workflows", worker.state.active_workflows.size());
  json.field("told_by", worker.told_by);
  json.end_object();
}

// Writes an array; `write` writes one element per row.
template <typename Rows, typename Write>
void write_rows(JsonWriter& json, std::string_view name, const Rows& rows, Write write) {
  json.key(name);
  json.begin_array();
  for (const auto& row : rows) write(json, row);
  json.end_array();
}

std::string iso(WallTime time) {
  return report::rfc3339(time);
}

}  // namespace

std::string standing_json(const ClusterStanding& standing) {
  const cluster::ClusterView& view = standing.view;
  JsonWriter json;
  json.begin_object(Layout::kCompact);
  write_identity(json, view.self);
  json.field("incarnation", view.incarnation.value());
  json.field("leadership", cluster::name(view.leadership));
  json.field("leads", standing.leads);
  json.field("fence", standing.fence);
  json.field("term", view.term.value());
  write_name_or_null(json, "leader", view.leader);
  json.field("quorum_available", view.quorum_available);
  json.field("health_score", view.stats.health_score);
  json.field("degradation", cluster::name(view.stats.degradation));
  json.field("tls", standing.tls);
  write_rows(json, "cores", standing.cores, [](JsonWriter& out, const std::string& runs) { out.value(runs); });
  json.field("sync_members", standing.sync.members);
  json.field("sync_pending", standing.sync.pending);
  write_rows(json, "synced", standing.sync.synced, write_synced);
  write_rows(json, "workers", standing.sync.workers, write_worker);
  json.key("stats");
  write_stats(json, view.stats);
  write_rows(json, "primaries", view.primaries, write_primary);
  write_rows(json, "members", view.members, write_member);
  json.end_object();
  return json.take_text();
}

std::string coordinate_json(const cluster::ClusterView& view) {
  JsonWriter json;
  json.begin_object(Layout::kCompact);
  if (view.coordinate) {
    const wire::Coordinate& own = *view.coordinate;
    write_rows(json, "position", own.position, [](JsonWriter& out, double at) { out.value(at); });
    json.field("height", double{own.height_ms});
    json.field("error", double{own.relative_error});
  }
  json.field("peer_count", view.members.size());
  const bool converged = view.coordinate && view.coordinate->relative_error < kConvergedError;
  json.field("convergence_status", !view.coordinate ? "none" : converged ? "converged" : "converging");
  json.end_object();
  return json.take_text();
}

std::string peers_json(const cluster::ClusterView& view) {
  JsonWriter json;
  json.begin_array(Layout::kCompact);
  for (const cluster::MemberView& member : view.members) {
    if (member.state == membership::MemberState::kUnconfirmed) continue;
    json.begin_object();
    json.field("peer", to_string(member.identity.address));
    write_or_null(json, "estimated_rtt_ms", member.rtt_ms);
    json.key("measured_rtt_samples");
    json.begin_array();
    if (member.measured_rtt_ms) json.value(*member.measured_rtt_ms);
    json.end_array();
    std::optional<double> miss;
    if (member.measured_rtt_ms && member.rtt_ms) miss = std::abs(*member.rtt_ms - *member.measured_rtt_ms);
    write_or_null(json, "prediction_error_ms", miss);
    json.field("adaptive_timeout_s", seconds(member.suspicion_timeout));
    json.end_object();
  }
  json.end_array();
  return json.take_text();
}

std::string unconfirmed_json(const cluster::ClusterView& view, WallTime now) {
  JsonWriter json;
  json.begin_array(Layout::kCompact);
  for (const cluster::MemberView& member : view.members) {
    if (member.state != membership::MemberState::kUnconfirmed) continue;
    json.begin_object();
    json.field("peer", to_string(member.identity.address));
    json.field("role", wire::name(member.identity.role));
    json.field("discovered_at", iso(now - member.in_state_for));
    json.field("age_seconds", seconds(member.in_state_for));
    json.field("passive_timeout_remaining", seconds(member.passive_timeout_remaining));
    json.field("confirmation_attempts", member.confirmation_attempts);
    std::optional<double> next;
    if (member.next_attempt_in) next = seconds(*member.next_attempt_in);
    write_or_null(json, "next_attempt_in", next);
    json.end_object();
  }
  json.end_array();
  return json.take_text();
}

std::string audit_json(const std::vector<membership::AuditEntry>& entries, MonoTime now, WallTime wall) {
  JsonWriter json;
  json.begin_array(Layout::kCompact);
  for (const membership::AuditEntry& entry : entries) {
    json.begin_object();
    json.field("at", iso(wall - (now - entry.time)));
    json.field("event", membership::name(entry.event));
    json.field("subject", to_string(entry.subject));
    json.field("incarnation", entry.incarnation.value());
    json.field("heard_by_gossip", entry.heard_by_gossip);
    json.end_object();
  }
  json.end_array();
  return json.take_text();
}

}  // namespace hyperscale::node
