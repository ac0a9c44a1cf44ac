// PrimaryManagers: the primary manager of a node in each datacenter it works with, and the leader there. A worker has
// one, in its own datacenter; a gate has one in each; a manager has none. A primary that dies, stops answering for its
// datacenter or degrades is replaced at once; PeerChoice decides the rest (AD31-9, AD30-INT-8).
//
// ClusterNode feeds it member changes, heartbeats and periodic checks, in which a gate suspects managers without a
// recent heartbeat, for their datacenter only. Thread rule: one owner. Bounded by the members that are up. Failure: a
// datacenter without a usable manager has no primary.
#pragma once

#include "base/time.h"
#include "cluster/cluster_view.h"
#include "cluster/peer_choice.h"
#include "membership/membership.h"
#include "wire/heartbeat.h"
#include "wire/node_identity.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace hyperscale::cluster {

// Past it datacenters without a primary are evicted.
inline constexpr std::size_t kDatacentersMax = 256;

// Health bucket of a manager by its heartbeat: kUnhealthy while it drains, kDegraded while it syncs.
HealthBucket bucket_of(const wire::ManagerHeartbeat& heartbeat);

class PrimaryManagers {
 public:
  struct PrimaryChanged {
    std::string datacenter;
    std::optional<wire::NodeIdentity> manager;
    ChoiceReason reason = ChoiceReason::kFirst;
  };
  struct LeaderLearned {  // none: the known leader is down or no longer leads
    std::string datacenter;
    std::optional<wire::NodeIdentity> leader;
    wire::Term term;
  };
  using News = std::variant<PrimaryChanged, LeaderLearned>;

  // `membership` provides distances, suspicions and the liveness per datacenter; it outlives this object.
  PrimaryManagers(const wire::NodeIdentity& self, Duration probe_interval, membership::Membership& membership);

  void member_up(const wire::NodeIdentity& member, MonoTime now);
  void member_down(const wire::NodeIdentity& member, MonoTime now);
  void job_node_down(std::string_view job, const wire::NodeIdentity& member, MonoTime now);
  // Every message with a state is a heartbeat; its content is passed only when it is new.
  void heard(const wire::NodeIdentity& member, MonoTime now);
  void told(const wire::NodeIdentity& member, const wire::ManagerHeartbeat& heartbeat, MonoTime now);
  void failed(const wire::NodeAddress& manager, MonoTime now);  // a request to it failed
  // At most once per probe interval, when something else wakes the node.
  void look(MonoTime now);

  std::vector<News> take_news() { return std::exchange(news_, {}); }
  std::vector<PrimaryView> view() const;  // ordered by datacenter

 private:
  struct Manager {
    wire::NodeIdentity identity;
    std::optional<wire::ManagerHeartbeat> heartbeat;
    MonoTime up_since;
    std::optional<MonoTime> heard_at;  // none: no heartbeat yet, not counted as missed
    bool missed = false;               // suspected for its datacenter since
  };
  struct Datacenter {
    PeerChoice choice;
    std::optional<wire::NodeIdentity> leader;
    wire::Term term;
  };

  bool is_wanted(const wire::NodeIdentity& member) const;
  Datacenter& datacenter(const std::string& name);
  Duration round() const;
  Duration silence_max() const;
  void miss_the_silent(MonoTime now);
  void choose(const std::string& datacenter, MonoTime now);
  void choose_all(MonoTime now);
  std::vector<PeerCandidate> candidates(const std::string& datacenter, MonoTime now) const;
  void set_leader(const std::string& name, Datacenter& datacenter, std::optional<wire::NodeIdentity> leader);

  wire::NodeIdentity self_;
  Duration probe_interval_;
  membership::Membership& membership_;
  std::map<wire::NodeAddress, Manager> managers_;  // that are up
  std::map<std::string, Datacenter> datacenters_;
  std::optional<MonoTime> looked_at_;
  std::vector<News> news_;
};

}  // namespace hyperscale::cluster
