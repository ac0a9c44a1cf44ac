#include "node/cluster/cluster_metrics.h"

#include "base/metrics_page.h"

#include <algorithm>
#include <array>
#include <utility>

namespace hyperscale::node {
namespace {

constexpr std::array kRoles{wire::NodeRole::kGate, wire::NodeRole::kManager, wire::NodeRole::kWorker};

double number(std::uint64_t count) {
  return static_cast<double>(count);
}

template <typename Counts>
void put_histogram(MetricsPage& page, const char* name, const char* help, const Counts& of,
                   const MetricsPage::Labels& labels = {}) {
  page.histogram(name, help, {.bounds = Counts::bounds(), .counts = of.counts, .sum = of.sum}, labels);
}

void put_packets(MetricsPage& page, const cluster::ClusterStats& stats) {
  page.counter("cluster_datagrams_received_total", "Packets that came", number(stats.datagrams_in));
  page.counter("cluster_datagrams_sent_total", "Packets sent", number(stats.datagrams_out));
  page.counter("cluster_received_bytes_total", "Bytes that came", number(stats.bytes_in));
  page.counter("cluster_sent_bytes_total", "Bytes sent", number(stats.bytes_out));
  const std::string name = "cluster_datagrams_refused_total";
  const std::string help = "Packets that were turned away";
  for (const auto& [reason, count] : {std::pair("unsealed", stats.refused_unsealed),
                                      {"forged", stats.refused_forged},
                                      {"malformed", stats.refused_malformed},
                                      {"replayed", stats.refused_replayed},
                                      {"stale", stats.refused_stale},
                                      {"role", stats.refused_role},
                                      {"rate", stats.refused_rate},
                                      {"opening", stats.refused_opening},
                                      {"version", stats.refused_foreign}})
    page.counter(name, help, number(count), {{"reason", reason}});
}

void put_membership(MetricsPage& page, const membership::Counters& m) {
  page.gauge("peers_unconfirmed", "Heard of, never heard from", m.peers_unconfirmed);
  page.gauge("peers_alive", "Peers that answer", m.peers_alive);
  page.gauge("peers_suspect", "Peers under suspicion", m.peers_suspect);
  page.gauge("peers_dead", "Peers known dead and not yet forgotten", m.peers_dead);
  page.counter("probes_sent_total", "Probes sent", number(m.probes_sent));
  page.counter("probes_failed_total", "Probes without a direct or indirect answer", number(m.probes_failed));
  page.counter("probes_refused_total", "Of those, refused by the peer's machine", number(m.probes_refused));
  page.counter("suspicions_started", "Suspicions by own probes", number(m.suspicions_started), {{"reason", "timeout"}});
  page.counter("suspicions_started", "Suspicions by own probes", number(m.suspicions_of_refused),
               {{"reason", "refused"}});
  page.counter("suspicions_refused_total", "Suspicions past a limit of the failure detector",
               number(m.suspicions_refused), {{"layer", "global"}});
  page.counter("suspicions_refused_total", "Suspicions past a limit of the failure detector",
               number(m.job_suspicions_refused), {{"layer", "job"}});
  page.counter("refutations_total", "Suspicions and deaths of this node that it refuted", number(m.refutations));
  page.counter("deaths_detected_total", "Deaths that this node found", number(m.deaths_detected));
  page.counter("gossip_informed_deaths", "Deaths that this node heard of", number(m.deaths_gossiped));
  page.counter("gossip_dropped_total", "News pushed out of a full buffer", number(m.gossip_dropped));
  page.gauge("gossip_queued", "News on their way", m.gossip_queued);
  page.counter("vivaldi_coordinate_updates", "Measurements folded into the coordinate", number(m.coordinate_updates));
  page.counter("unconfirmed_warnings_total", "Peers that were still unconfirmed after a minute",
               number(m.warned_unconfirmed));
  page.counter("transitions_unconfirmed_to_alive", "Peers confirmed", number(m.confirmations));
  page.counter("transitions_unconfirmed_to_removed", "Peers given up unconfirmed",
               number(m.unconfirmed_removed.total()));
  page.counter("confirmation_attempts_total", "Proactive confirmations tried", number(m.confirmation_attempts.total()));
  page.counter("confirmation_attempts_success", "Proactive confirmations answered", number(m.confirmation_successes));
  for (const auto role : kRoles) {
    const std::string name(wire::name(role));
    page.counter("peer_confirmation_attempts_total", "Proactive confirmations tried, by role",
                 number(m.confirmation_attempts[role]), {{"role", name}});
    page.counter("unconfirmed_peers_removed_" + name, "Peers given up unconfirmed",
                 number(m.unconfirmed_removed[role]));
    for (const auto& [reason, counts] :
         {std::pair("timeout", &m.unconfirmed_removed_by_timeout), {"gone", &m.unconfirmed_removed_by_gossip}})
      page.counter("unconfirmed_cleanup_total", "Peers given up unconfirmed, by role and reason",
                   number((*counts)[role]), {{"role", name}, {"reason", reason}});
  }
}

void put_distances(MetricsPage& page, const membership::Counters& m) {
  put_histogram(page, "vivaldi_prediction_error", "Milliseconds between the predicted and the measured round trip",
                m.prediction_error_ms);
  put_histogram(page, "vivaldi_convergence_time", "Seconds from the start until the coordinate had converged",
                m.convergence_time_s);
  const membership::TimeoutCounts& made = m.timeouts;
  membership::BucketCounts<membership::kSecondBounds> all;
  for (const auto role : kRoles) {
    const auto& of = made.applied_s[role];
    for (std::size_t i = 0; i < all.counts.size(); ++i) all.counts[i] += of.counts[i];
    all.sum += of.sum;
    put_histogram(page, "adaptive_timeout_seconds", "Adaptive timeouts of suspicions, by role", of,
                  {{"role", std::string(wire::name(role))}});
  }
  put_histogram(page, "adaptive_timeout_applied", "Adaptive timeouts of suspicions in seconds", all);
  put_histogram(page, "latency_multiplier", "Of adaptive timeouts: by distance", made.latency_multiplier);
  put_histogram(page, "load_multiplier", "Of adaptive timeouts: by local health", made.load_multiplier);
  put_histogram(page, "confidence_adjustment", "Of adaptive timeouts: by the coordinate's error",
                made.confidence_adjustment);
}

// One series per peer, at most kPeerSeriesMax, to bound the page. Peers without a series are counted.
void put_peers(MetricsPage& page, const std::vector<cluster::MemberView>& members) {
  const std::size_t shown = std::min(members.size(), kPeerSeriesMax);
  for (std::size_t i = 0; i < shown; ++i) {
    const MetricsPage::Labels peer{{"peer", to_string(members[i].identity.address)}};
    page.gauge("vivaldi_rtt_ucb_ms", "Bounded estimate of the round trip", members[i].rtt_ucb_ms, peer);
    page.gauge("vivaldi_coord_quality", "How far the coordinate can be trusted", members[i].coordinate_quality, peer);
  }
  page.gauge("cluster_peers_without_series", "Peers past the limit of series for each peer",
             number(members.size() - shown));
}

void put_primaries(MetricsPage& page, const std::vector<cluster::PrimaryView>& primaries) {
  for (std::size_t i = 0; i < std::min(primaries.size(), kPeerSeriesMax); ++i)
    page.gauge("cluster_has_primary", "1 while the datacenter has a manager that this node can turn to",
               primaries[i].primary ? 1 : 0, {{"datacenter", primaries[i].datacenter}});
}

}  // namespace

std::string cluster_metrics(const ClusterStanding& standing) {
  MetricsPage page;
  put_packets(page, standing.view.stats);
  put_membership(page, standing.view.stats.membership);
  page.gauge("cluster_health_score", "Local health, 0 is healthy, 8 is worst", standing.view.stats.health_score);
  page.gauge("cluster_degradation_level", "0 normal, 1 elevated, 2 high, 3 severe, 4 critical",
             static_cast<double>(standing.view.stats.degradation));
  page.gauge("cluster_states_known", "Peers of whose state a version is remembered", standing.view.stats.states_known);
  page.gauge("cluster_term", "Term of the election", static_cast<double>(standing.view.term.value()));
  page.gauge("cluster_leads", "1 while this node may act as leader", standing.leads ? 1 : 0);
  page.gauge("cluster_quorum_available", "1 while enough voters are up", standing.view.quorum_available ? 1 : 0);
  const std::string refused = "cluster_frames_refused_total";
  const std::string help = "Questions of others in frames that were turned away";
  page.counter(refused, help, number(standing.frames.refused_unsealed), {{"reason", "unsealed"}});
  page.counter(refused, help, number(standing.frames.refused_replayed), {{"reason", "replayed"}});
  page.counter("cluster_state_sync_asked_total", "Questions for the state of others", standing.sync.asked);
  page.counter("cluster_state_sync_failed_total", "Those without a usable answer", standing.sync.failed);
  page.counter("cluster_state_sync_refused_total", "Questions of leaders whose term is over",
               number(standing.sync.refused_stale));
  page.gauge("cluster_state_sync_pending", "Members that a leader still waits for",
             static_cast<double>(standing.sync.pending));
  put_distances(page, standing.view.stats.membership);
  put_peers(page, standing.view.members);
  put_primaries(page, standing.view.primaries);
  return page.text();
}

}  // namespace hyperscale::node
