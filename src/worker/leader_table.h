// LeaderTable: to which manager the reports of a job go. First the leader of the job, as orders and acks name it; when
// it is unknown, down or does not accept, the leader of the datacenter, then the other managers in turn: one of them
// knows who leads, or that no one does yet (PROG-ROUTE-1, PROG-ROUTE-2).
//
// Thread rule: one owner. Entries for open jobs only. Invariant: the epoch of a job only rises; a leader that is named
// under a lower epoch is ignored.
#pragma once

#include "wire/node_identity.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hyperscale::worker {

class LeaderTable {
 public:
  void manager_up(const wire::NodeIdentity& manager) { managers_.insert_or_assign(manager.address, manager); }
  void manager_down(const wire::NodeAddress& manager);
  void group_leader(const wire::NodeIdentity& leader) { group_leader_ = leader; }

  // True if this is news: the job had another leader, none, or a lower epoch. It is the next target then; else the
  // turn goes on, because the one who names a known leader may not know yet that it is gone.
  bool lead(const std::string& job, const wire::NodeIdentity& leader, std::uint64_t epoch);
  // The leader has just been heard: it is the next target.
  void lead_answers(const std::string& job);
  void forget(const std::string& job) { jobs_.erase(job); }

  // Where the next report of the job goes; none: no manager is known.
  std::optional<wire::NodeIdentity> target(const std::string& job) const;
  // `manager` did not answer, or did not accept. The target becomes the next one, if it was the target.
  void failed(const std::string& job, const wire::NodeAddress& manager);
  // How many managers a report tries before it has asked all. At least 1.
  std::size_t round(const std::string& job) const;
  std::optional<wire::NodeIdentity> leader(const std::string& job) const;
  std::uint64_t epoch(const std::string& job) const;

 private:
  struct Job {
    std::optional<wire::NodeIdentity> leader;
    std::uint64_t epoch = 0;
    std::size_t turn = 0;
  };
  std::vector<wire::NodeIdentity> candidates(const std::string& job) const;

  std::map<wire::NodeAddress, wire::NodeIdentity> managers_;  // that are up
  std::optional<wire::NodeIdentity> group_leader_;
  std::map<std::string, Job> jobs_;
};

}  // namespace hyperscale::worker
