#include "node/fleet/fleet_table.h"

#include "base/terminal_text.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hyperscale::node {
namespace {

using nlohmann::json;

constexpr std::array kHeads{"node",       "role",   "dc",   "address", "process", "seen as", "inc",
                            "leadership", "leader", "term", "synced",  "primary", "rtt"};
using Cells = std::array<std::string, kHeads.size()>;

// How the others that answer see a node: "alive", or "alive 3, suspect 1" when they differ.
std::string seen_as(const std::string& name, const std::vector<json>& standings) {
  std::map<std::string, int> counts;
  for (const json& standing : standings)
    for (const json& member : standing["members"])
      if (member["name"] == name) ++counts[member["state"].get<std::string>()];
  if (counts.empty()) return "-";
  if (counts.size() == 1) return counts.begin()->first;
  std::vector<std::string> parts;
  for (const auto& [state, count] : counts) parts.push_back(fmt::format("{} {}", state, count));
  return fmt::format("{}", fmt::join(parts, ", "));
}

// The range of round trips that the node estimates to those it knows.
std::string rtt_of(const json& standing) {
  double least = -1;
  double most = -1;
  for (const json& member : standing["members"]) {
    if (!member["rtt_ms"].is_number()) continue;
    const double rtt = member["rtt_ms"].get<double>();
    least = least < 0 ? rtt : std::min(least, rtt);
    most = std::max(most, rtt);
  }
  return most < 0 ? "-" : fmt::format("{:.2f}-{:.2f} ms", least, most);
}

// Of a leader: how many have told it their state, of how many it asks.
std::string synced_of(const json& standing) {
  if (!standing["leads"].get<bool>() || !standing.contains("synced")) return "-";
  return fmt::format("{} of {}", standing["synced"].size(), standing.value("sync_members", std::size_t{0}));
}

// The managers that a worker or a gate turns to, one for each datacenter; "-" where it has none.
std::string primary_of(const json& standing) {
  if (!standing.contains("primaries") || standing["primaries"].empty()) return "-";
  std::vector<std::string> names;
  for (const json& row : standing["primaries"])
    names.push_back(row["primary"].is_string() ? row["primary"].get<std::string>() : "-");
  return fmt::format("{}", fmt::join(names, ", "));
}

Cells cells_of(const FleetRow& row, const std::vector<json>& standings, const json& own) {
  Cells cells{row.name, row.role, row.datacenter, row.address, row.process, seen_as(row.name, standings)};
  std::fill(cells.begin() + 6, cells.end(), "-");
  if (own.is_null()) return cells;
  cells[6] = fmt::format("{}", own["incarnation"].get<std::uint64_t>());
  cells[7] = own["leads"].get<bool>() ? "leads" : own["leadership"].get<std::string>();
  cells[8] = own["leader"].is_string() ? own["leader"].get<std::string>() : "-";
  cells[9] = own["leadership"] == "non-voter" ? "-" : fmt::format("{}", own["term"].get<std::uint64_t>());
  cells[10] = synced_of(own);
  cells[11] = primary_of(own);
  cells[12] = rtt_of(own);
  return cells;
}

}  // namespace

std::string fleet_table(const std::vector<FleetRow>& rows, Glyphs glyphs) {
  std::vector<json> own;
  std::vector<json> answered;
  for (const FleetRow& row : rows) {
    json standing = row.standing ? json::parse(*row.standing, nullptr, false) : json();
    if (standing.is_discarded()) standing = json();
    if (!standing.is_null()) answered.push_back(standing);
    own.push_back(std::move(standing));
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
