// Role: the interface of what a node does: the compute demo, cluster membership, later settlement and the work of
// workers, managers and gates. NodeProcess knows roles by this interface only.
//
// Life, in the order of calls: created by a RoleMaker once the node's parts exist; add_routes(), frame_methods() and
// transport_guard() before its servers are built; bind() once they have their addresses; add_services() and
// start_tasks() when the node runs. A shutdown calls pre_drain()'s hook, stop(), drain() and forget(). The default of
// every method does nothing. A role with its own threads or processes starts them from a supervised task and ends them
// in drain().
//
// Thread rule: metrics_text() and handlers of routes and frames run on any strand, write_status() and reload() on any
// loop thread, everything else on the thread that creates and runs the node. Failure: if a maker or bind() fails, the
// node does not start and reports the error.
#pragma once

#include "base/result.h"
#include "base/time.h"
#include "runtime/config/node_config.h"
#include "runtime/transport/framed_connection.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>

namespace hyperscale {
class JsonWriter;
}
namespace hyperscale::runtime {
class ReadinessBoard;
class Router;
class Supervisor;
}  // namespace hyperscale::runtime

namespace hyperscale::node {

namespace asio = boost::asio;
struct NodeParts;
struct ReloadReport;

struct NodeEndpoints {
  asio::ip::tcp::endpoint api;
  asio::ip::tcp::endpoint metrics;
  asio::ip::tcp::endpoint transport;
};

// Work that a role finishes before the node stops taking requests, such as handing over leadership.
struct PreDrainHook {
  std::string name;
  Duration deadline;
  std::function<asio::awaitable<void>()> run;
};

struct FrameMethod {
  std::string name;
  runtime::FrameHandler handler;
};

class Role {
 public:
  Role() = default;
  virtual ~Role() = default;
  Role(const Role&) = delete;
  Role& operator=(const Role&) = delete;

  virtual void add_routes(runtime::Router& /*api*/) {}
  virtual std::vector<FrameMethod> frame_methods() { return {}; }
  // Which peers and certificates may open a framed connection. The first role that returns a guard decides.
  virtual std::optional<runtime::PeerGuard> transport_guard() { return std::nullopt; }
  virtual Status bind(const NodeEndpoints&) { return {}; }

  // Adds the services of the role; returns those that the node needs to be ready.
  virtual std::vector<std::string> add_services(runtime::ReadinessBoard&) { return {}; }
  virtual void start_tasks(runtime::Supervisor&) {}
  // Part of the log line that reports the node up: "workers=8".
  virtual std::string up_text() const { return {}; }

  virtual asio::awaitable<std::string> metrics_text() { co_return std::string(); }  // appended to /metrics
  virtual void write_status(JsonWriter&) const {}                                   // fields of /api/v1/status
  virtual void reload(const runtime::NodeConfig&, ReloadReport&) {}

  virtual std::optional<PreDrainHook> pre_drain() { return std::nullopt; }
  // Called after the stop signal: closes what the tasks wait for besides it.
  virtual void stop() {}
  // Ingress is closed: finish accepted work, then call `done`, once, from any thread.
  virtual void drain(std::function<void()> done) { done(); }
  // The drain has ended or timed out: nothing may wait for it any longer.
  virtual void end_drain() {}
  // Returns when work accepted for later is finished; called after the API has closed.
  virtual asio::awaitable<void> settle() { co_return; }
  // Called when all tasks have ended: wipes results and secrets.
  virtual void forget() {}
};

using RoleMaker = std::function<Result<std::unique_ptr<Role>>(NodeParts&)>;

}  // namespace hyperscale::node
