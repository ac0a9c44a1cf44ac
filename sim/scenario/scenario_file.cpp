#include "sim/scenario/scenario_file.h"

#include "base/nearest_match.h"
#include "runtime/config/toml_document.h"
#include "sim/scenario/section_reader.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

namespace hyperscale::sim {
namespace {

using runtime::TomlEntry;
using runtime::TomlList;
using runtime::TomlSection;

constexpr std::string_view kRoot = "the file";
const std::array<std::string, 5> kSections{"topology", "network", "settings", "fault", "expect"};
constexpr std::uint32_t kMtuMax = 65'507;

class Reader {
 public:
  Reader(std::string_view file, std::string_view text, std::optional<Topology> topology)
      : errors_(file), text_(text), topology_(topology), root_(std::string(kRoot), 1, errors_) {
    const std::string_view name = file.substr(file.find_last_of('/') + 1);
    scenario_.name = name.substr(0, name.find('.'));
  }

  ScenarioLoad run() {
    const auto syntax = runtime::walk_toml(text_, [this](const TomlEntry& entry) { return visit(entry); });
    if (syntax) errors_.add(syntax->place.line, syntax->message);
    if (!syntax) read_all();
    return {std::move(scenario_), errors_.take()};
  }

 private:
  bool visit(const TomlEntry& entry) {
    const bool section = std::holds_alternative<TomlSection>(entry.value);
    const std::size_t dot = entry.path.find('.');
    const std::string head = entry.path.substr(0, dot);
    if (dot != std::string::npos) {
      sections_.at(head).put(entry.path.substr(dot + 1), entry);
      return false;
    }
    const std::string name = head.substr(0, head.find('['));
    const bool list = name == "fault" || name == "expect";
    if (section && (head != name || !list) && std::ranges::find(kSections, name) != kSections.end()) {
      sections_.emplace(head, SectionReader(list ? fmt::format("[[{}]]", name) : fmt::format("[{}]", name),
                                            entry.key_place.line, errors_));
      if (list) order_.push_back(head);
      return true;
    }
    if (list && std::holds_alternative<TomlList>(entry.value)) return true;
    if (list) {
      errors_.add(entry.key_place.line, fmt::format("{} is a list of sections; write [[{}]]", name, name));
    } else if (section) {
      const auto close = nearest_match(name, kSections);
      errors_.add(entry.key_place.line,
                  fmt::format("unknown section [{}]{}", name,
                              close ? fmt::format("; did you mean '{}'?", *close) : std::string()));
    } else {
      root_.put(name, entry);
    }
    return false;
  }

  SectionReader& section(const std::string& name) {
    return sections_.emplace(name, SectionReader(fmt::format("[{}]", name), 1, errors_)).first->second;
  }

  void read_all() {
    root_.text("about", scenario_.about);
    root_.duration("time", scenario_.time);
    root_.finish();
    read_topology();
    read_network();
    for (const auto& [name, value] : section("settings").all_numbers()) scenario_.settings.set(name, value);
    labels_ = labels_of(hosts_of(scenario_.topology));
    for (const std::string& head : order_) {
      if (head.starts_with("fault")) read_fault(sections_.at(head));
      if (head.starts_with("expect")) read_expectation(sections_.at(head));
    }
  }

  void read_topology() {
    SectionReader& reader = section("topology");
    Topology& topology = scenario_.topology;
    reader.count("gates", kHostsMax, topology.gates);
    reader.count("datacenters", kHostsMax, topology.datacenters);
    reader.count("managers", kHostsMax, topology.managers);
    reader.count("workers", kHostsMax, topology.workers);
    reader.finish();
    if (topology_) topology = *topology_;
    if (topology.size() == 0 || topology.size() > kHostsMax) {
      errors_.add(reader.line(), fmt::format("{} machines; 1 to {} can be simulated", topology.size(), kHostsMax));
      topology = Topology();
    }
  }

  void read_network() {
    SectionReader& reader = section("network");
    NetworkSetup& network = scenario_.network;
    reader.duration("latency", network.within_site.latency);
    reader.duration("jitter", network.within_site.jitter);
    reader.duration("site_latency", network.between_sites.latency);
    reader.duration("site_jitter", network.between_sites.jitter);
    for (LinkConditions* link : {&network.within_site, &network.between_sites}) {
      reader.share("loss", link->loss);
      reader.share("duplicate", link->duplicate);
      reader.share("reorder", link->reorder);
      reader.share("corrupt", link->corrupt);
    }
    std::uint32_t mtu = 0;
    if (reader.count("mtu", kMtuMax, mtu)) network.limits.mtu_bytes = mtu;
    reader.finish();
  }

  bool read_targets(SectionReader& reader, std::string_view key, Targets& to) {
    std::string text;
    if (!reader.text(key, text)) return false;
    auto targets = parse_targets(text, labels_);
    if (!targets) reader.error(key, fmt::format("{}: {}", key, targets.error().context));
    if (targets) to = std::move(*targets);
    return true;
  }

  // The traits of the given kind; nullptr after an error.
  const FaultTraits* read_kind(SectionReader& reader) {
    std::string kind;
    reader.must_have("kind");
    if (!reader.text("kind", kind)) return nullptr;
    std::vector<std::string> known;
    for (const FaultTraits& each : fault_kinds()) {
      if (each.name == kind) return &each;
      known.emplace_back(each.name);
    }
    const auto close = nearest_match(kind, known);
    reader.error("kind", fmt::format("no fault is called '{}'{}", kind,
                                     close ? fmt::format("; did you mean '{}'?", *close) : std::string()));
    return nullptr;
  }

  void read_fault(SectionReader& reader) {
    Fault fault;
    reader.must_have("at");
    reader.duration("at", fault.at);
    const FaultTraits* kind = read_kind(reader);
    if (kind == nullptr) return;
    fault.kind = kind->kind;
    if (kind->takes_targets) {
      reader.must_have("targets");
      read_targets(reader, "targets", fault.targets);
    }
    if (kind->takes_against) read_targets(reader, "against", fault.against);
    if (kind->can_end) reader.duration("lasts", fault.lasts);
    if (kind->needs == FaultNeeds::kDuration) {
      reader.must_have("by");
      reader.duration("by", fault.by);
    } else if (kind->needs != FaultNeeds::kNothing) {
      reader.must_have("amount");
      if (kind->needs == FaultNeeds::kShare) reader.share("amount", fault.amount);
      if (kind->needs == FaultNeeds::kNumber) reader.number("amount", fault.amount);
    }
    reader.finish();
    if (fault.at > scenario_.time) reader.error("at", "the scenario is over before this fault");
    insert_by_time(scenario_.faults, std::move(fault));
  }

  void read_expectation(SectionReader& reader) {
    Expectation expectation;
    std::string kind;
    reader.must_have("at");
    reader.must_have("kind");
    reader.duration("at", expectation.at);
    const bool named = reader.text("kind", kind);
    read_targets(reader, "targets", expectation.targets);
    reader.duration("since", expectation.since);
    reader.finish();
    if (expectation.at > scenario_.time) reader.error("at", "the scenario is over before this is looked at");
    const auto found = std::ranges::find(expect_names(), kind);
    if (found != expect_names().end()) {
      expectation.kind = static_cast<ExpectKind>(found - expect_names().begin());
      insert_by_time(scenario_.expectations, std::move(expectation));
    } else if (named) {
      const std::vector<std::string> known(expect_names().begin(), expect_names().end());
      const auto close = nearest_match(kind, known);
      reader.error("kind", fmt::format("nothing to expect is called '{}'{}", kind,
                                       close ? fmt::format("; did you mean '{}'?", *close) : std::string()));
    }
  }

  ScenarioErrors errors_;
  std::string_view text_;
  std::optional<Topology> topology_;
  SectionReader root_;
  std::map<std::string, SectionReader> sections_;
  std::vector<std::string> order_;  // of faults and expectations, as in the file
  std::vector<std::string> labels_;
  Scenario scenario_;
};

}  // namespace

ScenarioLoad read_scenario(std::string_view file, std::string_view text, std::optional<Topology> topology) {
  return Reader(file, text, topology).run();
}

}  // namespace hyperscale::sim
