#include "load/prepared_plan.h"

#include "load/protocols/http/public_suffixes.h"
#include "load/protocols/http/request_preparation.h"
#include "load/protocols/raw/prepared_raw.h"
#include "load/protocols/tls/tls_context.h"
#include "plan/arguments/auth.h"
#include "plan/percent.h"
#include "plan/url.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

namespace hyperscale::load {
namespace {

// The value of Proxy-Authorization; empty when the proxy's URL has no credentials.
Result<std::string> proxy_authorization_of(const plan::Plan& plan) {
  if (plan.network.proxy.empty()) return std::string();
  const auto proxy = plan::parse_url(plan.network.proxy);
  if (!proxy) return fail(proxy.error());
  if (proxy->user_info.empty()) return std::string();
  const std::string_view info = proxy->user_info;
  const std::size_t colon = std::min(info.find(':'), info.size());
  auto user = plan::percent_decode(info.substr(0, colon));
  auto password = plan::percent_decode(info.substr(std::min(colon + 1, info.size())));
  if (!user || !password) return fail(ErrorCode::kInvalidArgument, "the credentials of the proxy have a broken escape");
  plan::Auth auth(plan::BasicAuth{.user = std::move(*user), .password = std::move(*password)});
  if (auto ready = auth.optimise(); !ready) return fail(ready.error());
  return auth.prepared();
}

const plan::Endpoint* endpoint_of(const plan::Plan& plan, const std::string& host, std::uint16_t port) {
  for (const plan::Endpoint& endpoint : plan.endpoints)
    if (endpoint.host == host && endpoint.port == port) return &endpoint;
  return nullptr;
}

Result<std::vector<SocketAddress>> addresses_of(const plan::Plan& plan, const std::string& host, std::uint16_t port) {
  std::vector<SocketAddress> addresses;
  const plan::Endpoint* endpoint = endpoint_of(plan, host, port);
  if (endpoint == nullptr || endpoint->addresses.empty())
    return fail(ErrorCode::kInvalidArgument, fmt::format("the plan has no address for {}:{}", host, port));
  for (const std::string& literal : endpoint->addresses) {
    auto address = SocketAddress::from_literal(literal, port);
    if (!address) return fail(address.error());
    addresses.push_back(*address);
  }
  return addresses;
}

// Sets the addresses that connections to an origin use: its own, those of the proxy, or the Unix socket.
Status find_way(const plan::Plan& plan, const std::string& proxy_authorization, HttpOrigin& origin) {
  if (!plan.network.unix_socket.empty()) {
    auto address = SocketAddress::from_unix_path(plan.network.unix_socket);
    if (!address) return fail(address.error());
    origin.addresses = {*address};
    origin.by_way = true;
    return {};
  }
  std::string host = origin.host;
  std::uint16_t port = origin.port;
  if (!plan.network.proxy.empty()) {
    const auto proxy = plan::parse_url(plan.network.proxy);
    if (!proxy) return fail(proxy.error());
    host = proxy->host;
    port = proxy->port;
    origin.by_way = true;
    if (origin.secure) origin.connect_request = tunnel_request(origin.host, origin.port, proxy_authorization);
  }
  auto addresses = addresses_of(plan, host, port);
  if (!addresses) return fail(addresses.error());
  origin.addresses = std::move(*addresses);
  return {};
}

Status add_origin(const plan::Plan& plan, const std::string& host, std::uint16_t port, bool secure,
                  HttpEnvironment& environment) {
  if (environment.find(host, port, secure) != nullptr) return {};
  auto origin = std::make_unique<HttpOrigin>();
  origin->host = host;
  origin->port = port;
  origin->secure = secure;
  if (auto found = find_way(plan, environment.proxy_authorization, *origin); !found) return found;
  environment.origins.push_back(std::move(origin));
  return {};
}

Status set_network(const plan::Plan& plan, HttpEnvironment& environment) {
  environment.http = plan.http;
  environment.timeouts = plan.network.timeouts;
  environment.keep_alive = plan.http.keep_alive;
  environment.exchanges_per_connection = plan.http.requests_per_connection;
  environment.endpoints = plan.endpoints;
  environment.wall_ahead = std::chrono::system_clock::now().time_since_epoch() - Duration(EventLoop::now().ns());
  environment.through_proxy = !plan.network.proxy.empty();
  auto authorization = proxy_authorization_of(plan);
  if (!authorization) return fail(authorization.error());
  environment.proxy_authorization = std::move(*authorization);
  for (const std::string& literal : plan.network.source_addresses) {
    auto address = SocketAddress::from_literal(literal, 0);
    if (!address) return fail(address.error());
    environment.sources.push_back(*address);
  }
  return {};
}

Status add_origins_of_steps(const plan::Plan& plan, const std::vector<PreparedStep>& steps,
                            HttpEnvironment& environment) {
  for (const PreparedStep& step : steps) {
    for (const auto& request : step.requests) {
      if (plan::is_raw(request->protocol)) {
        if (environment.destination_of(request->host, request->port) != nullptr) continue;
        return fail(ErrorCode::kInvalidArgument,
                    fmt::format("the plan has no address for {}:{}", request->host, request->port));
      }
      if (auto added = add_origin(plan, request->host, request->port, request->secure, environment); !added)
        return added;
    }
  }
  return {};
}

// Functions may send to any host that was resolved.
Status add_origins_of_scripts(const plan::Plan& plan, HttpEnvironment& environment) {
  if (!plan.script.exists()) return {};
  for (const plan::Endpoint& endpoint : plan.endpoints)
    if (auto added = add_origin(plan, endpoint.host, endpoint.port, false, environment); !added) return added;
  return {};
}

// Also for a plan in clear text: a redirect or a function may use TLS.
Status prepare_tls(const plan::Plan& plan, const std::vector<PreparedStep>& steps, HttpEnvironment& environment) {
  bool secure = false;
  for (const PreparedStep& step : steps)
    for (const auto& request : step.requests) secure = secure || request->secure;
  auto tls = TlsContext::make(
      plan.tls, plan.http.version,
      secure || plan.script.exists() ? SystemAuthorities::kReadNow : SystemAuthorities::kReadWhenNeeded);
  if (!tls) return fail(tls.error());
  environment.tls = std::move(*tls);
  return {};
}

}  // namespace

Result<RequestShape> shape_of(const plan::Plan& plan) {
  RequestShape shape;
  shape.pipeline = plan.http.pipeline;
  shape.keep_alive = plan.http.keep_alive;
  shape.through_proxy = !plan.network.proxy.empty();
  auto authorization = proxy_authorization_of(plan);
  if (!authorization) return fail(authorization.error());
  shape.proxy_authorization = std::move(*authorization);
  return shape;
}

Result<std::unique_ptr<Prepared>> prepare_call(const plan::Request& request, const RequestShape& shape) {
  if (plan::is_raw(plan::protocol_of(request.url))) {
    auto raw = prepare_raw(request, shape.wants_body);
    if (!raw) return fail(raw.error());
    return std::make_unique<PreparedRaw>(std::move(*raw));
  }
  auto ready = prepare_request(request, shape);
  if (!ready) return fail(ready.error());
  return std::make_unique<PreparedRequest>(std::move(*ready));
}

Result<std::vector<PreparedStep>> prepare_steps(const plan::Plan& plan) {
  auto shape = shape_of(plan);
  if (!shape) return fail(shape.error());
  std::vector<PreparedStep> steps;
  for (const plan::Step& step : plan.steps) {
    PreparedStep& prepared = steps.emplace_back();
    prepared.expect = step.expect;
    prepared.answer_read = step.answer_read;
    shape->wants_headers = step.answer_read;
    shape->wants_body = step.answer_read || !step.expect.body_contains.empty() || step.expect.graphql;
    prepared.requests.reserve(step.requests.size());
    for (const plan::Request& request : step.requests) {
      auto ready = prepare_call(request, *shape);
      if (!ready) return fail(ready.error().code, fmt::format("step {}: {}", step.name, ready.error().context));
      (*ready)->lasting = true;
      (*ready)->timeout = step.timeout;
      prepared.requests.push_back(std::move(*ready));
    }
    if (prepared.requests.empty() != step.scripted)
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("step {} has {} request", step.name, step.scripted ? "a function and a" : "no"));
  }
  if (steps.empty() && !plan.script.exists()) return fail(ErrorCode::kInvalidArgument, "the plan has no step");
  return steps;
}

ProtocolMask protocols_of(const std::vector<PreparedStep>& steps) {
  ProtocolMask protocols;
  for (const PreparedStep& step : steps)
    for (const auto& request : step.requests) protocols.set(static_cast<std::size_t>(request->protocol));
  return protocols;
}

Result<const PublicSuffixes*> load_public_suffixes(const plan::Plan& plan) {
  const bool by_way = !plan.network.proxy.empty() || !plan.network.unix_socket.empty();  // its hosts are not endpoints
  const bool named = std::ranges::any_of(
      plan.endpoints, [](const plan::Endpoint& endpoint) { return needs_public_suffixes(endpoint.host); });
  const bool needed = named || by_way || plan.script.exists() || plan.http.redirects_anywhere;
  if (!plan.http.cookies || !needed) return static_cast<const PublicSuffixes*>(nullptr);
  return PublicSuffixes::load();
}

Status prepare_environment(const plan::Plan& plan, const std::vector<PreparedStep>& steps,
                           HttpEnvironment& environment) {
  if (auto set = set_network(plan, environment); !set) return set;
  if (auto added = add_origins_of_steps(plan, steps, environment); !added) return added;
  if (auto added = add_origins_of_scripts(plan, environment); !added) return added;
  auto suffixes = load_public_suffixes(plan);
  if (!suffixes) return fail(suffixes.error());
  environment.suffixes = *suffixes;
  return prepare_tls(plan, steps, environment);
}

}  // namespace hyperscale::load
