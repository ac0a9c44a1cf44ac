#include "base/json_writer.h"
#include "node/process/node_parts.h"
#include "node/process/node_routes.h"

#include <fmt/format.h>

namespace hyperscale::node {
namespace {

using runtime::Request;
using runtime::Response;
using RequestPtr = std::shared_ptr<const Request>;

constexpr unsigned kCrashesMax = 1000;

asio::awaitable<Response> reload(NodeParts& parts, RequestPtr) {
  parts.settings.updates.try_push({"API"});
  JsonWriter json;
  json.begin_object(JsonWriter::Layout::kCompact);
  json.field("accepted", true);
  json.field("report", "/api/v1/status");
  json.end_object();
  co_return Response::json(202, json.take_text());
}

asio::awaitable<Response> shutdown(const std::function<void(std::string)>& request_shutdown, RequestPtr) {
  request_shutdown("API");
  JsonWriter json;
  json.begin_object(JsonWriter::Layout::kCompact);
  json.field("accepted", true);
  json.end_object();
  co_return Response::json(202, json.take_text());
}

asio::awaitable<Response> crash(NodeParts& parts, RequestPtr request) {
  if (!parts.current()->admin.fault_injection) {
    co_return Response::error({ErrorCode::kNotFound, "fault injection is off; set admin.fault_injection = true"});
  }
  const std::string service = request->query("service").value_or("worker_pool");
  unsigned count = 0;
  try {
    count = static_cast<unsigned>(std::stoul(request->query("count").value_or("1")));
  } catch (const std::exception&) {
    count = 0;
  }
  if (count == 0 || count > kCrashesMax) {
    co_return Response::error(
        {ErrorCode::kInvalidArgument, fmt::format("'count' must be a number from 1 to {}", kCrashesMax)});
  }
  const unsigned crashed = parts.supervisor->inject_crash(service, count);
  JsonWriter json;
  json.begin_object(JsonWriter::Layout::kCompact);
  json.field("crashed", crashed);
  json.field("service", service);
  json.end_object();
  co_return Response::json(202, json.take_text());
}

}  // namespace

void add_admin_routes(runtime::Router& router, NodeParts& parts, std::function<void(std::string)> request_shutdown) {
  using runtime::Route;
  router.add(Route{.method = "POST",
                   .path = "/api/v1/reload",
                   .handler = [&parts](RequestPtr request) { return reload(parts, std::move(request)); },
                   .admin = true});
  router.add(Route{.method = "POST",
                   .path = "/api/v1/shutdown",
                   .handler = [request_shutdown = std::move(request_shutdown)](
                                  RequestPtr request) { return shutdown(request_shutdown, std::move(request)); },
                   .admin = true,
                   .while_draining = true});
  router.add(Route{.method = "POST",
                   .path = "/api/v1/debug/crash",
                   .handler = [&parts](RequestPtr request) { return crash(parts, std::move(request)); },
                   .admin = true});
}

}  // namespace hyperscale::node
