#include "sim/scenario/target.h"

#include "base/append_format.h"
#include "base/nearest_match.h"

#include <algorithm>
#include <charconv>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hyperscale::sim {
namespace {

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end > 0) words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  return words;
}

// Parses "leader of", "followers of", "2 random of" at the front.
Status take_pick(std::vector<std::string>& words, TargetGroup& group) {
  const auto drop = [&](std::size_t count) {
    words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(count));
  };
  if (words.size() > 3 && words[1] == "random" && words[2] == "of") {
    const std::string& number = words[0];
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), group.count);
    if (error != std::errc() || end != number.data() + number.size() || group.count == 0) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("'{}' is not how many to draw; write \"2 random of workers\"", number));
    }
    drop(3);
  }
  if (words.size() > 2 && words[1] == "of" && (words[0] == "leader" || words[0] == "followers")) {
    group.pick = words[0] == "leader" ? TargetPick::kLeader : TargetPick::kFollowers;
    drop(2);
  }
  return {};
}

Result<TargetGroup> parse_group(std::string_view text, std::span<const std::string> labels) {
  std::vector<std::string> words = words_of(text);
  TargetGroup group;
  if (auto taken = take_pick(words, group); !taken) return fail(taken.error());
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i % 2 == 1) {
      if (words[i] == "in" && i + 1 < words.size()) continue;
      return fail(
          ErrorCode::kInvalidArgument,
          fmt::format("'{}' in \"{}\" is not understood; write such as \"leader of managers in dc1\"", words[i], text));
    }
    if (std::ranges::find(labels, words[i]) == labels.end()) {
      const auto close = nearest_match(words[i], labels);
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("no machine or label is called '{}'{}", words[i],
                              close ? fmt::format("; did you mean '{}'?", *close) : std::string()));
    }
    group.labels.push_back(words[i]);
  }
  if (group.labels.empty())
    return fail(ErrorCode::kInvalidArgument, "targets are empty; write such as \"gates\" or \"all\"");
  return group;
}

bool has_all(const HostSpec& spec, const std::vector<std::string>& labels) {
  return std::ranges::all_of(labels, [&](const std::string& label) {
    return label == kAllLabel || label == spec.name || std::ranges::find(spec.labels, label) != spec.labels.end();
  });
}

std::vector<HostId> pick(const TargetGroup& group, std::vector<HostId> hosts, const LeaderOf& leader_of, Prng& prng) {
  if (group.pick != TargetPick::kEach) {
    const std::optional<HostId> leader = leader_of(hosts);
    const bool wanted = group.pick == TargetPick::kLeader;
    std::erase_if(hosts, [&](HostId host) { return (leader == host) != wanted; });
  }
  while (group.count > 0 && hosts.size() > group.count) {
    hosts.erase(hosts.begin() + static_cast<std::ptrdiff_t>(prng.below(hosts.size())));
  }
  return hosts;
}

}  // namespace

Result<Targets> parse_targets(std::string_view text, std::span<const std::string> labels) {
  Targets targets;
  while (true) {
    const std::size_t end = std::min(text.find(','), text.size());
    auto group = parse_group(text.substr(0, end), labels);
    if (!group) return fail(group.error());
    targets.push_back(std::move(*group));
    if (end == text.size()) return targets;
    text.remove_prefix(end + 1);
  }
}

std::string to_string(const Targets& targets) {
  std::string text;
  for (const TargetGroup& group : targets) {
    if (!text.empty()) text += ", ";
    if (group.count > 0) append_format(text, "{} random of ", group.count);
    if (group.pick == TargetPick::kLeader) text += "leader of ";
    if (group.pick == TargetPick::kFollowers) text += "followers of ";
    text += fmt::format("{}", fmt::join(group.labels, " in "));
  }
  return text;
}

std::vector<HostId> resolve(const Targets& targets, std::span<const HostSpec* const> specs, const LeaderOf& leader_of,
                            Prng& prng) {
  std::set<HostId> all;
  for (const TargetGroup& group : targets) {
    std::vector<HostId> hosts;
    for (HostId id = 0; id < specs.size(); ++id) {
      if (has_all(*specs[id], group.labels)) hosts.push_back(id);
    }
    for (const HostId host : pick(group, std::move(hosts), leader_of, prng)) all.insert(host);
  }
  return {all.begin(), all.end()};
}

}  // namespace hyperscale::sim
