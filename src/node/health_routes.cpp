#include "node/build_info.h"
#include "node/cluster/cluster_metrics.h"
#include "node/routes.h"
#include "runtime/clock/clock.h"

#include <nlohmann/json.hpp>

namespace hyperscale::node {
namespace {

using nlohmann::json;
using runtime::Request;
using runtime::Response;
using RequestPtr = std::shared_ptr<const Request>;

constexpr const char* kRetryAfterSeconds = "5";
constexpr std::int64_t kNsPerSecond = 1'000'000'000;
// A wall clock before 2024 was never set; certificates and ids would be wrong.
constexpr WallTime kClockPlausible = WallTime::from_ns(1'704'067'200 * kNsPerSecond);

asio::awaitable<Response> metrics(NodeParts& parts, RequestPtr) {
  std::string page = parts.metrics.expose();
  if (parts.cluster) page += cluster_metrics(co_await parts.cluster->standing());
  Response response = Response::text(200, std::move(page));
  response.content_type = "text/plain; version=0.0.4; charset=utf-8";
  co_return response;
}

// Alive: this answer came through the event loop, so it turns.
asio::awaitable<Response> healthz(RequestPtr) {
  const bool clock = runtime::wall_now() >= kClockPlausible;
  const json body{{"ok", clock}, {"checks", {{"event_loop", "ok"}, {"clock", clock ? "ok" : "not set"}}}};
  co_return Response::json(clock ? 200 : 503, body.dump());
}

asio::awaitable<Response> readyz(NodeParts& parts, RequestPtr) {
  const runtime::Overall overall = parts.board.overall();
  json services = json::object();
  for (const auto& [service, state] : overall.services) services[service] = runtime::name(state);
  const json body{
      {"ready", overall.serving()}, {"state", overall.text()}, {"services", services}, {"unmet", overall.unmet}};
  Response response = Response::json(overall.http_status(), body.dump());
  if (!overall.serving()) response.headers.push_back({"retry-after", kRetryAfterSeconds});
  co_return response;
}

asio::awaitable<Response> version(RequestPtr) {
  co_return Response::json(200, build_info_json());
}

}  // namespace

void add_health_routes(runtime::Router& router, NodeParts& parts) {
  using runtime::Route;
  router.add(Route{.method = "GET",
                   .path = "/metrics",
                   .handler = [&parts](RequestPtr request) { return metrics(parts, std::move(request)); },
                   .while_draining = true});
  router.add(Route{.method = "GET", .path = "/healthz", .handler = healthz, .while_draining = true});
  router.add(Route{.method = "GET",
                   .path = "/readyz",
                   .handler = [&parts](RequestPtr request) { return readyz(parts, std::move(request)); },
                   .while_draining = true});
  router.add(Route{.method = "GET", .path = "/version", .handler = version, .while_draining = true});
}

}  // namespace hyperscale::node
