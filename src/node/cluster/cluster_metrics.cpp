#include "node/cluster/cluster_metrics.h"

#include <utility>
#include <vector>

#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

namespace hyperscale::node {
namespace {

using prometheus::MetricFamily;
using prometheus::MetricType;
using Labels = std::vector<std::pair<std::string, std::string>>;

class Page {
 public:
  void counter(const std::string& name, const std::string& help, std::uint64_t value, const Labels& labels = {}) {
    family(name, help, MetricType::Counter).counter.value = static_cast<double>(value);
    label(labels);
  }
  void gauge(const std::string& name, const std::string& help, double value, const Labels& labels = {}) {
    family(name, help, MetricType::Gauge).gauge.value = value;
    label(labels);
  }
  std::string text() const { return prometheus::TextSerializer().Serialize(families_); }

 private:
  prometheus::ClientMetric& family(const std::string& name, const std::string& help, MetricType type) {
    if (families_.empty() || families_.back().name != name)
      families_.push_back({.name = name, .help = help, .type = type, .metric = {}});
    return families_.back().metric.emplace_back();
  }
  void label(const Labels& labels) {
    for (const auto& [name, value] : labels) families_.back().metric.back().label.push_back({name, value});
  }
  std::vector<MetricFamily> families_;
};

void put_packets(Page& page, const cluster::ClusterStats& stats) {
  page.counter("cluster_datagrams_received_total", "Packets that came", stats.datagrams_in);
  page.counter("cluster_datagrams_sent_total", "Packets sent", stats.datagrams_out);
  page.counter("cluster_received_bytes_total", "Bytes that came", stats.bytes_in);
  page.counter("cluster_sent_bytes_total", "Bytes sent", stats.bytes_out);
  const std::string name = "cluster_datagrams_refused_total";
  const std::string help = "Packets that were turned away";
  for (const auto& [reason, count] : {std::pair("unsealed", stats.refused_unsealed),
                                      {"forged", stats.refused_forged},
                                      {"malformed", stats.refused_malformed},
                                      {"replayed", stats.refused_replayed},
                                      {"stale", stats.refused_stale},
                                      {"rate", stats.refused_rate},
                                      {"version", stats.refused_foreign}})
    page.counter(name, help, count, {{"reason", reason}});
}

void put_membership(Page& page, const membership::Counters& m) {
  page.gauge("peers_unconfirmed", "Heard of, never heard from", m.peers_unconfirmed);
  page.gauge("peers_alive", "Peers that answer", m.peers_alive);
  page.gauge("peers_suspect", "Peers under suspicion", m.peers_suspect);
  page.gauge("peers_dead", "Peers known dead and not yet forgotten", m.peers_dead);
  page.counter("probes_sent_total", "Probes sent", m.probes_sent);
  page.counter("probes_failed_total", "Probes without a direct or indirect answer", m.probes_failed);
  page.counter("suspicions_started", "Suspicions by own probes", m.suspicions_started, {{"reason", "timeout"}});
  page.counter("refutations_total", "Suspicions and deaths of this node that it refuted", m.refutations);
  page.counter("deaths_detected_total", "Deaths that this node found", m.deaths_detected);
  page.counter("gossip_informed_deaths", "Deaths that this node heard of", m.deaths_gossiped);
  page.counter("gossip_dropped_total", "News pushed out of a full buffer", m.gossip_dropped);
  page.gauge("gossip_queued", "News on their way", m.gossip_queued);
  page.counter("vivaldi_coordinate_updates", "Measurements folded into the coordinate", m.coordinate_updates);
  page.counter("transitions_unconfirmed_to_alive", "Peers confirmed", m.confirmations);
  page.counter("transitions_unconfirmed_to_removed", "Peers given up unconfirmed", m.unconfirmed_removed.total());
  page.counter("confirmation_attempts_total", "Proactive confirmations tried", m.confirmation_attempts.total());
  page.counter("confirmation_attempts_success", "Proactive confirmations answered", m.confirmation_successes);
  for (const auto role : {wire::NodeRole::kGate, wire::NodeRole::kManager, wire::NodeRole::kWorker})
    page.counter("peer_confirmation_attempts_total", "Proactive confirmations tried, by role",
                 m.confirmation_attempts[role], {{"role", std::string(wire::name(role))}});
  for (const auto role : {wire::NodeRole::kGate, wire::NodeRole::kManager, wire::NodeRole::kWorker})
    page.counter("unconfirmed_peers_removed_" + std::string(wire::name(role)), "Peers given up unconfirmed",
                 m.unconfirmed_removed[role]);
}

}  // namespace

std::string cluster_metrics(const ClusterStanding& standing) {
  Page page;
  put_packets(page, standing.view.stats);
  put_membership(page, standing.view.stats.membership);
  page.gauge("cluster_health_score", "Local health, 0 is healthy, 8 is worst", standing.view.stats.health_score);
  page.gauge("cluster_term", "Term of the election", static_cast<double>(standing.view.term.value()));
  page.gauge("cluster_leads", "1 while this node may act as leader", standing.leads ? 1 : 0);
  page.gauge("cluster_quorum_available", "1 while enough voters are up", standing.view.quorum_available ? 1 : 0);
  page.counter("cluster_state_sync_asked_total", "Questions for the state of others", standing.sync.asked);
  page.counter("cluster_state_sync_failed_total", "Those without a usable answer", standing.sync.failed);
  page.gauge("cluster_state_sync_pending", "Members that a leader still waits for",
             static_cast<double>(standing.sync.pending));
  for (const cluster::MemberView& member : standing.view.members)
    page.gauge("vivaldi_rtt_ucb_ms", "Bounded estimate of the round trip", member.rtt_ucb_ms,
               {{"peer", to_string(member.identity.address)}});
  for (const cluster::MemberView& member : standing.view.members)
    page.gauge("vivaldi_coord_quality", "How far the coordinate can be trusted", member.coordinate_quality,
               {{"peer", to_string(member.identity.address)}});
  return page.text();
}

}  // namespace hyperscale::node
