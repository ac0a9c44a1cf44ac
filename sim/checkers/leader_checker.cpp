#include "sim/checkers/leader_checker.h"

#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hyperscale::sim {

Finding LeaderChecker::became_leader(std::uint32_t group, HostId host, std::uint64_t term, std::uint64_t fence) {
  auto& by_term = groups_[group].by_term;
  const auto [won, fresh] = by_term.emplace(term, Won{host, fence});
  if (!fresh && won->second.host != host) {
    return fmt::format("group {}: machines {} and {} both won term {}", group, won->second.host, host, term);
  }
  if (!fresh) return fmt::format("group {}: machine {} won term {} twice", group, host, term);
  if (won != by_term.begin() && std::prev(won)->second.fence >= fence) {
    return fmt::format("group {}: term {} begins with token {}, term {} with {}", group, term, fence,
                       std::prev(won)->first, std::prev(won)->second.fence);
  }
  if (std::next(won) != by_term.end() && std::next(won)->second.fence <= fence) {
    return fmt::format("group {}: term {} begins with token {}, term {} with {}", group, term, fence,
                       std::next(won)->first, std::next(won)->second.fence);
  }
  return std::nullopt;
}

Finding LeaderChecker::acting(std::uint32_t group, const std::vector<HostId>& hosts) {
  if (hosts.size() < 2) return std::nullopt;
  return fmt::format("group {}: machines {} may all act as leader now", group, fmt::join(hosts, ", "));
}

Finding LeaderChecker::acting_term(std::uint32_t group, HostId host, std::uint64_t term) {
  Group& seen = groups_[group];
  if (term < seen.acting_term) {
    return fmt::format("group {}: machine {} acts in term {} after machine {} has acted in term {}", group, host, term,
                       seen.acting_host, seen.acting_term);
  }
  seen.acting_term = term;
  seen.acting_host = host;
  return std::nullopt;
}

}  // namespace hyperscale::sim
