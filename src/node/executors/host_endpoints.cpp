#include "node/executors/host_endpoints.h"

#include "node/executors/address_probe.h"
#include "plan/host.h"
#include "plan/limits.h"
#include "plan/option_values.h"
#include "plan/protocol.h"
#include "plan/request_kind.h"
#include "plan/script_urls.h"
#include "plan/url.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

namespace hyperscale::node {
namespace {

using HostAndPort = std::pair<std::string, std::uint16_t>;
using Overrides = std::map<HostAndPort, std::vector<std::string>>;

std::string without_brackets(std::string_view text) {
  if (text.size() > 2 && text.front() == '[' && text.back() == ']') text = text.substr(1, text.size() - 2);
  return std::string(text);
}

// "host:port:" in front; an IPv6 host is in brackets.
Result<std::pair<HostAndPort, std::string_view>> read_place(std::string_view text) {
  const auto refused = [&](std::string_view why) {
    return plan::wrong_option("--resolve", fmt::format("{} {}; write host:port:address", plan::shown(text), why));
  };
  const std::size_t host_end = text.starts_with('[') ? text.find(']') + 1 : text.find(':');
  if (host_end == 0 || host_end >= text.size() || text[host_end] != ':') return refused("has no port");
  const auto host = plan::parse_host(text.substr(0, host_end));
  if (!host) return plan::wrong_option("--resolve", host.error().context);
  const std::size_t port_end = text.find(':', host_end + 1);
  if (port_end == std::string_view::npos) return refused("has no address");
  const auto port = plan::read_count("--resolve", text.substr(host_end + 1, port_end - host_end - 1), 1, UINT16_MAX);
  if (!port) return fail(port.error());
  return std::pair(HostAndPort(*host, static_cast<std::uint16_t>(*port)), text.substr(port_end + 1));
}

Status read_override(const std::string& text, Overrides& into) {
  auto place = read_place(text);
  if (!place) return fail(place.error());
  auto& [host_and_port, left] = *place;
  for (;;) {
    const std::size_t comma = left.find(',');
    std::string address = without_brackets(left.substr(0, comma));
    if (!plan::is_ipv4_address(address) && !plan::is_ipv6_address(address)) {
      return plan::wrong_option("--resolve", fmt::format("{} is not an IP address", plan::shown(address)));
    }
    into[host_and_port].push_back(std::move(address));
    if (comma == std::string_view::npos) return {};
    left = left.substr(comma + 1);
  }
}

// With a proxy, only the address of the proxy is needed; a Unix socket needs none.
Result<std::set<HostAndPort>> hosts_of(const plan::Plan& plan) {
  std::set<HostAndPort> hosts;
  const auto add = [&](const std::string& text) -> Status {
    const auto url = plan::parse_target_url(text);
    if (!url) return fail(url.error());
    hosts.emplace(url->host, url->port);
    return {};
  };
  if (!plan.network.unix_socket.empty()) return hosts;
  if (!plan.network.proxy.empty()) {
    if (Status added = add(plan.network.proxy); !added) return fail(added.error());
    return hosts;
  }
  for (const plan::Step& step : plan.steps) {
    for (const plan::Request& request : step.requests) {
      if (Status added = add(request.url); !added) return fail(added.error());
    }
  }
  return hosts;
}

// Hosts that functions may connect to. One that cannot be resolved fails the calls to it, not the run.
std::set<HostAndPort> hosts_of_functions(const plan::Plan& plan) {
  std::set<HostAndPort> hosts;
  if (!plan.script.exists() || !plan.network.unix_socket.empty() || !plan.network.proxy.empty()) return hosts;
  for (const std::string& text : plan::urls_in_script(plan.script))
    if (const auto url = plan::parse_target_url(text)) hosts.emplace(url->host, url->port);
  return hosts;
}

// Hosts and ports that are used over UDP: a TCP probe cannot show which of their addresses work.
std::set<HostAndPort> datagram_places(const plan::Plan& plan) {
  std::set<HostAndPort> places;
  const auto add = [&](const std::string& text) {
    if (plan::protocol_of(text) != plan::Protocol::kUdp) return;
    if (const auto url = plan::parse_raw_url(text)) places.emplace(url->host, url->port);
  };
  for (const plan::Step& step : plan.steps)
    for (const plan::Request& request : step.requests) add(request.url);
  for (const std::string& text : plan::urls_in_script(plan.script)) add(text);
  return places;
}

bool has_both_families(const std::vector<LookedUpEndpoint>& endpoints) {
  return std::ranges::any_of(endpoints, [&](const auto& one) { return one.family != endpoints.front().family; });
}

// The addresses to use; other transports keep all, because the probe is a TCP connection.
std::vector<std::string> usable_addresses(const std::vector<LookedUpEndpoint>& endpoints) {
  std::vector<std::string> addresses;
  addresses.reserve(endpoints.size());
  for (const LookedUpEndpoint& endpoint : endpoints) addresses.push_back(endpoint.address);
  const LookedUpEndpoint& first = endpoints.front();
  if (first.transport != plan::Transport::kTcp || !has_both_families(endpoints)) return addresses;
  return reachable_addresses(addresses, first.port);
}

}  // namespace

Status fill_endpoints(plan::Plan& plan, const std::vector<std::string>& overrides, const ResolverSettings& settings) {
  Overrides known;
  for (const std::string& text : overrides) {
    if (Status read = read_override(text, known); !read) return read;
  }
  auto hosts = hosts_of(plan);
  if (!hosts) return fail(hosts.error());
  const std::set<HostAndPort> needed = *hosts;
  hosts->merge(hosts_of_functions(plan));
  if (plan.script.exists())  // a function may compute the name of a host
    for (const auto& [place, addresses] : known) hosts->insert(place);
  if (hosts->size() > plan::kEndpointsMax) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("the URLs name {} hosts, at most {} fit", hosts->size(), plan::kEndpointsMax));
  }
  for (const auto& [place, addresses] : known) {
    if (!hosts->contains(place)) {
      return plan::wrong_option("--resolve", fmt::format("no URL connects to {}:{}", place.first, place.second));
    }
  }
  plan.endpoints.clear();
  const std::set<HostAndPort> datagrams = datagram_places(plan);
  for (const auto& [host, port] : *hosts) {
    if (const auto fixed = known.find({host, port}); fixed != known.end()) {
      plan.endpoints.push_back({host, port, fixed->second, {}});
      continue;
    }
    const plan::RequestKind kind =
        datagrams.contains({host, port}) ? plan::RequestKind::kUdp : plan::kind_of(plan.http.version);
    const auto found = lookup(kind, host, port, plan.network.family, settings);
    if (!found && !needed.contains({host, port})) continue;
    if (!found) return fail(found.error());
    plan.endpoints.push_back({host, port, usable_addresses(found->endpoints), found->lookup_time});
  }
  return {};
}

Status fill_endpoints(plan::Job& job, const std::vector<std::string>& overrides, const ResolverSettings& settings) {
  plan::Plan all;
  for (const plan::Workflow& workflow : job.workflows) {
    const plan::Plan& plan = workflow.plan;
    all.http = plan.http;
    all.network = plan.network;
    all.steps.insert(all.steps.end(), plan.steps.begin(), plan.steps.end());
    if (plan.script.exists()) all.script = plan.script;
  }
  if (Status filled = fill_endpoints(all, overrides, settings); !filled) return filled;
  for (plan::Workflow& workflow : job.workflows) workflow.plan.endpoints = all.endpoints;
  return {};
}

}  // namespace hyperscale::node
