#include "node/cluster/cluster_routes.h"

#include "base/json_writer.h"
#include "node/cluster/cluster_json.h"
#include "node/cluster/cluster_service.h"
#include "runtime/clock/clock.h"

#include <set>
#include <utility>

#include <simdjson.h>

namespace hyperscale::node {
namespace {

using runtime::Request;
using runtime::Response;
using RequestPtr = std::shared_ptr<const Request>;

constexpr std::size_t kBlockedMax = 4096;

asio::awaitable<Response> standing(std::shared_ptr<ClusterService> service, RequestPtr) {
  const ClusterStanding now = co_await service->standing();
  co_return Response::json(200, standing_json(now));
}

asio::awaitable<Response> audit(std::shared_ptr<ClusterService> service, RequestPtr) {
  const auto entries = co_await service->audit();
  co_return Response::json(200, audit_json(entries, runtime::mono_now(), runtime::wall_now()));
}

asio::awaitable<Response> coordinate(std::shared_ptr<ClusterService> service, RequestPtr) {
  const ClusterStanding now = co_await service->standing();
  co_return Response::json(200, coordinate_json(now.view));
}

asio::awaitable<Response> peers(std::shared_ptr<ClusterService> service, RequestPtr) {
  const ClusterStanding now = co_await service->standing();
  co_return Response::json(200, peers_json(now.view));
}

asio::awaitable<Response> unconfirmed(std::shared_ptr<ClusterService> service, RequestPtr) {
  const ClusterStanding now = co_await service->standing();
  co_return Response::json(200, unconfirmed_json(now.view, runtime::wall_now()));
}

Result<std::set<wire::NodeAddress>> addresses_of(std::string_view body) {
  simdjson::dom::parser parser;
  simdjson::dom::array rows;
  if (parser.parse(body.data(), body.size()).get(rows) != simdjson::SUCCESS || rows.size() > kBlockedMax)
    return fail(ErrorCode::kInvalidArgument, R"(the body must be a list of addresses, such as ["127.0.0.1:7700"])");
  std::set<wire::NodeAddress> addresses;
  for (const simdjson::dom::element each : rows) {
    std::string_view text;
    if (each.get(text) != simdjson::SUCCESS) return fail(ErrorCode::kInvalidArgument, "an address must be a text");
    const auto address = wire::parse_node_address(std::string(text));
    if (!address) return fail(address.error());
    addresses.insert(*address);
  }
  return addresses;
}

asio::awaitable<Response> block(std::shared_ptr<ClusterService> service, bool allowed, RequestPtr request) {
  if (!allowed)
    co_return Response::error({ErrorCode::kNotFound, "fault injection is off; set admin.fault_injection = true"});
  auto addresses = addresses_of(request->body.text());
  if (!addresses) co_return Response::error(addresses.error());
  const std::size_t count = addresses->size();
  service->block(std::move(*addresses));
  JsonWriter json;
  json.begin_object(JsonWriter::Layout::kCompact);
  json.field("blocked", count);
  json.end_object();
  co_return Response::json(200, json.take_text());
}

}  // namespace

void add_cluster_routes(runtime::Router& router, std::shared_ptr<ClusterService> service,
                        std::function<bool()> may_inject_faults) {
  using Handler = asio::awaitable<Response> (*)(std::shared_ptr<ClusterService>, RequestPtr);
  const auto get = [&](const char* path, Handler handler) {
    router.add({.method = "GET",
                .path = path,
                .handler = [service, handler](RequestPtr request) { return handler(service, std::move(request)); },
                .admin = true,
                .while_draining = true});
  };
  get("/api/v1/cluster", standing);
  get("/api/v1/cluster/audit", audit);
  get("/debug/vivaldi/coordinate", coordinate);
  get("/debug/vivaldi/peers", peers);
  get("/debug/peers/unconfirmed", unconfirmed);
  router.add({.method = "POST",
              .path = "/api/v1/cluster/block",
              .handler = [service, may_inject_faults = std::move(may_inject_faults)](
                             RequestPtr request) { return block(service, may_inject_faults(), std::move(request)); },
              .admin = true});
}

}  // namespace hyperscale::node
