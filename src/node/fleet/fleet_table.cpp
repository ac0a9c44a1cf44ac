#include "node/fleet/fleet_table.h"

#include "base/terminal_text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <simdjson.h>

namespace hyperscale::node {
namespace {

using simdjson::dom::element;
using Value = std::optional<element>;  // none: missing, or its parent is not an object

constexpr std::array kHeads{"node",       "role",   "dc",   "address", "process", "seen as", "inc",
                            "leadership", "leader", "term", "synced",  "primary", "rtt"};
constexpr std::string_view kMissing = "-";
using Cells = std::array<std::string, kHeads.size()>;

// A node may run another version and answer anything: each value is read by its type, and a missing or mistyped one is
// shown as "-".
Value field(const Value& object, std::string_view key) {
  element found;
  if (!object || (*object)[key].get(found) != simdjson::SUCCESS) return std::nullopt;
  return found;
}

std::string text_of(const Value& value) {
  std::string_view text;
  return value && value->get(text) == simdjson::SUCCESS ? std::string(text) : std::string(kMissing);
}

std::string number_of(const Value& value) {
  std::uint64_t number = 0;
  return value && value->get(number) == simdjson::SUCCESS ? fmt::format("{}", number) : std::string(kMissing);
}

bool is_true(const Value& value) {
  bool yes = false;
  return value && value->get(yes) == simdjson::SUCCESS && yes;
}

// The elements of an array; empty for any other type.
std::vector<Value> rows_of(const Value& value) {
  std::vector<Value> rows;
  simdjson::dom::array array;
  if (!value || value->get(array) != simdjson::SUCCESS) return rows;
  for (const element each : array) rows.emplace_back(each);
  return rows;
}

// How the answering nodes see a node: "alive", or "alive 3, suspect 1" when they differ.
std::string seen_as(const std::string& name, const std::vector<Value>& standings) {
  std::map<std::string, int> counts;
  for (const Value& standing : standings)
    for (const Value& member : rows_of(field(standing, "members")))
      if (text_of(field(member, "name")) == name) ++counts[text_of(field(member, "state"))];
  if (counts.empty()) return std::string(kMissing);
  if (counts.size() == 1) return counts.begin()->first;
  std::vector<std::string> parts;
  parts.reserve(counts.size());
  for (const auto& [state, count] : counts) parts.push_back(fmt::format("{} {}", state, count));
  return fmt::format("{}", fmt::join(parts, ", "));
}

// The range of estimated round trips from the node to its members.
std::string rtt_of(const Value& standing) {
  double least = -1;
  double most = -1;
  for (const Value& member : rows_of(field(standing, "members"))) {
    double rtt = 0;
    const Value value = field(member, "rtt_ms");
    if (!value || value->get(rtt) != simdjson::SUCCESS) continue;
    least = least < 0 ? rtt : std::min(least, rtt);
    most = std::max(most, rtt);
  }
  return most < 0 ? std::string(kMissing) : fmt::format("{:.2f}-{:.2f} ms", least, most);
}

// For a leader: number of members that sent it their state, of those that it asks.
std::string synced_of(const Value& standing) {
  const Value synced = field(standing, "synced");
  if (!is_true(field(standing, "leads")) || !synced || !synced->is_array()) return std::string(kMissing);
  return fmt::format("{} of {}", rows_of(synced).size(), number_of(field(standing, "sync_members")));
}

// The primary managers of a worker or gate, one for each datacenter; "-" if it has none.
std::string primary_of(const Value& standing) {
  std::vector<std::string> names;
  for (const Value& row : rows_of(field(standing, "primaries"))) names.push_back(text_of(field(row, "primary")));
  return names.empty() ? std::string(kMissing) : fmt::format("{}", fmt::join(names, ", "));
}

Cells cells_of(const FleetRow& row, const std::vector<Value>& standings, const Value& own) {
  Cells cells{row.name, row.role, row.datacenter, row.address, row.process, seen_as(row.name, standings)};
  const std::string leadership = text_of(field(own, "leadership"));
  cells[6] = number_of(field(own, "incarnation"));
  cells[7] = is_true(field(own, "leads")) ? "leads" : leadership;
  cells[8] = text_of(field(own, "leader"));
  cells[9] = leadership == "non-voter" ? std::string(kMissing) : number_of(field(own, "term"));
  cells[10] = synced_of(own);
  cells[11] = primary_of(own);
  cells[12] = rtt_of(own);
  return cells;
}

}  // namespace

std::string fleet_table(const std::vector<FleetRow>& rows, Glyphs glyphs) {
  std::vector<simdjson::dom::parser> parsers(rows.size());  // each holds what it parsed
  std::vector<Value> own(rows.size());
  std::vector<Value> answered;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    element standing;
    if (!rows[i].standing || parsers[i].parse(*rows[i].standing).get(standing) != simdjson::SUCCESS) continue;
    own[i] = standing;
    answered.push_back(own[i]);
  }
  std::vector<Cells> table(1);
  std::ranges::copy(kHeads, table.front().begin());
  for (std::size_t i = 0; i < rows.size(); ++i) table.push_back(cells_of(rows[i], answered, own[i]));
  std::array<std::size_t, kHeads.size()> widths{};
  for (Cells& cells : table) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      cells[i] = visible(cells[i], glyphs);
      widths[i] = std::max(widths[i], cells[i].size());
    }
  }
  std::string text;
  for (const Cells& cells : table) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) line += left(cells[i], widths[i] + 2);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace hyperscale::node
