// CoreMap: which core of a worker runs which workflow (OV-7). It is the only source of the count of free cores.
//
//   CoreMap cores(8);
//   if (const auto mine = cores.assign("login", 4)) start_on(*mine);   // the first free ones: 0, 1, 2, 3
//   cores.release("login");
//
// Thread rule: one owner. Invariant: both directions of the map agree; a core runs at most one workflow. Failure:
// assign() gives nothing and changes nothing when too few cores are free, for no cores, and for a workflow that has
// cores already.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::worker {

using CoreIndex = std::uint32_t;

class CoreMap {
 public:
  explicit CoreMap(std::uint32_t total) : workflow_of_(total) {}

  // The first `count` free cores in the order of their numbers; they need not be neighbours.
  std::optional<std::vector<CoreIndex>> assign(const std::string& workflow, std::uint32_t count);
  // Frees the cores of the workflow and returns them.
  std::vector<CoreIndex> release(std::string_view workflow);
  // Frees one core of a workflow that continues on the others. False when the core runs something else.
  bool release_core(std::string_view workflow, CoreIndex core);

  std::uint32_t total() const { return static_cast<std::uint32_t>(workflow_of_.size()); }
  std::uint32_t available() const;
  // Empty: available. REQUIRES: core < total().
  std::string_view workflow_on(CoreIndex core) const;
  std::vector<CoreIndex> cores_of(std::string_view workflow) const;  // ascending

 private:
  std::vector<std::string> workflow_of_;  // by core; empty: available
  std::map<std::string, std::vector<CoreIndex>, std::less<>> cores_of_;
};

}  // namespace hyperscale::worker
