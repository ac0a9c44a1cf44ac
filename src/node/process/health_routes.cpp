#include "base/json_writer.h"
#include "node/process/build_info.h"
#include "node/process/node_parts.h"
#include "node/process/node_routes.h"
#include "node/process/status_page.h"
#include "runtime/clock/clock.h"

#include <utility>

namespace hyperscale::node {
namespace {

using runtime::Request;
using runtime::Response;
using RequestPtr = std::shared_ptr<const Request>;

constexpr const char* kRetryAfterSeconds = "5";
constexpr std::int64_t kNsPerSecond = 1'000'000'000;
// A wall clock before 2024 was never set: certificate checks and ids would be wrong.
constexpr WallTime kClockPlausible = WallTime::from_ns(1'704'067'200 * kNsPerSecond);

asio::awaitable<Response> metrics(NodeParts& parts, const Roles& roles, RequestPtr) {
  std::string page = parts.metrics.expose();
  for (const auto& role : roles) {
    const std::string more = co_await role->metrics_text();
    page += more;
  }
  Response response = Response::text(200, std::move(page));
  response.content_type = "text/plain; version=0.0.4; charset=utf-8";
  co_return response;
}

// The answer itself proves that the event loop runs.
asio::awaitable<Response> healthz(RequestPtr) {
  const bool clock = runtime::wall_now() >= kClockPlausible;
  JsonWriter json;
  json.begin_object(JsonWriter::Layout::kCompact);
  json.key("checks");
  json.begin_object();
  json.field("clock", clock ? "ok" : "not set");
  json.field("event_loop", "ok");
  json.end_object();
  json.field("ok", clock);
  json.end_object();
  co_return Response::json(clock ? 200 : 503, json.take_text());
}

asio::awaitable<Response> readyz(NodeParts& parts, RequestPtr) {
  const runtime::Overall overall = parts.board.overall();
  JsonWriter json;
  json.begin_object(JsonWriter::Layout::kCompact);
  json.field("ready", overall.serving());
  json.key("services");
  json.begin_object();
  for (const auto& [service, state] : overall.services) json.field(service, runtime::name(state));
  json.end_object();
  json.field("state", overall.text());
  json.key("unmet");
  json.begin_array();
  for (const std::string& each : overall.unmet) json.value(each);
  json.end_array();
  json.end_object();
  Response response = Response::json(overall.http_status(), json.take_text());
  if (!overall.serving()) response.headers.push_back({"retry-after", kRetryAfterSeconds});
  co_return response;
}

asio::awaitable<Response> version(RequestPtr) {
  co_return Response::json(200, build_info_json());
}

asio::awaitable<Response> status(NodeParts& parts, const Roles& roles, RequestPtr) {
  co_return Response::json(200, status_json(parts, roles));
}

}  // namespace

void add_health_routes(runtime::Router& router, NodeParts& parts, const Roles& roles) {
  using runtime::Route;
  router.add(
      Route{.method = "GET",
            .path = "/metrics",
            .handler = [&parts, &roles](RequestPtr request) { return metrics(parts, roles, std::move(request)); },
            .while_draining = true});
  router.add(Route{.method = "GET", .path = "/healthz", .handler = healthz, .while_draining = true});
  router.add(Route{.method = "GET",
                   .path = "/readyz",
                   .handler = [&parts](RequestPtr request) { return readyz(parts, std::move(request)); },
                   .while_draining = true});
  router.add(Route{.method = "GET", .path = "/version", .handler = version, .while_draining = true});
}

void add_status_routes(runtime::Router& router, NodeParts& parts, const Roles& roles) {
  using runtime::Route;
  router.add(Route{.method = "GET",
                   .path = "/api/v1/status",
                   .handler = [&parts, &roles](RequestPtr request) { return status(parts, roles, std::move(request)); },
                   .admin = true,
                   .while_draining = true});
  router.add(Route{.method = "GET", .path = "/version", .handler = version, .while_draining = true});
}

}  // namespace hyperscale::node
