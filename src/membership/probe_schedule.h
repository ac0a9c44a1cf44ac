// ProbeSchedule: the order of probes. A shuffled round robin: each member once per round, reshuffled for each round, so
// that a member is probed at latest 2n - 1 turns after the last time (n members). A new member gets a random place in
// the rest of the current round.
//
// Thread rule: one owner. add(), remove() and next() cost O(log n); the shuffle is O(n) once in n turns.
#pragma once

#include "base/prng.h"
#include "wire/node_identity.h"

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

namespace hyperscale::membership {

class ProbeSchedule {
 public:
  explicit ProbeSchedule(Prng prng) : prng_(prng) {}

  void add(const wire::NodeAddress& member);  // nothing when it is there already
  void remove(const wire::NodeAddress& member);
  std::optional<wire::NodeAddress> next();  // none when it is empty
  std::size_t size() const { return order_.size(); }

 private:
  void swap_places(std::size_t a, std::size_t b);

  Prng prng_;
  std::vector<wire::NodeAddress> order_;
  std::map<wire::NodeAddress, std::size_t> place_of_;
  std::size_t next_ = 0;  // before it: had their turn in this round
};

}  // namespace hyperscale::membership
