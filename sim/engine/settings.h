// Settings: named numbers that a scenario or the swarm passes to the process factory: reduced limits, probe intervals,
// the planted bug. The factory reports unknown names.
//
// Plain value; ordered, so that iteration is deterministic.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace hyperscale::sim {

class Settings {
 public:
  void set(std::string_view name, std::int64_t value) { values_[std::string(name)] = value; }
  std::int64_t get(std::string_view name, std::int64_t otherwise) const {
    const auto found = values_.find(name);
    return found == values_.end() ? otherwise : found->second;
  }
  bool has(std::string_view name) const { return values_.contains(name); }
  const std::map<std::string, std::int64_t, std::less<>>& values() const { return values_; }
  bool operator==(const Settings&) const = default;

 private:
  std::map<std::string, std::int64_t, std::less<>> values_;
};

}  // namespace hyperscale::sim
