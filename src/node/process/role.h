// Role: what a node does besides being a node: the compute demo, its place in a cluster, later settlement and the work
// of workers, managers and gates. NodeProcess knows roles by this interface only.
//
// Life, in the order of calls: made by a RoleMaker once the node's parts exist; add_routes(), frame_methods() and
// transport_guard() before its servers are built; bind() once they have their addresses; add_services() and
// start_tasks() when the node runs. A shutdown calls pre_drain()'s hook, stop(), drain() and forget(). Every method has
// a default that does nothing, so a role states only what it has. A role with threads or processes of its own starts
// them from a supervised task and ends them in drain().
//
// Thread rule: metrics_text() and handlers of routes and frames run on any strand, write_status() and reload() on any
// loop thread, everything else on the thread that makes and runs the node. Failure: a maker or bind() that fails ends
// the start of the node with its sentence.
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
  // Who may open a framed connection, and with which certificates. The first role that asks for one decides.
  virtual std::optional<runtime::PeerGuard> transport_guard() { return std::nullopt; }
  virtual Status bind(const NodeEndpoints&) { return {}; }

  // The services of the role; returns those without which the node is not ready.
  virtual std::vector<std::string> add_services(runtime::ReadinessBoard&) { return {}; }
  virtual void start_tasks(runtime::Supervisor&) {}
  // For the line that reports the node up: "workers=8".
  virtual std::string up_text() const { return {}; }

  virtual asio::awaitable<std::string> metrics_text() { co_return std::string(); }  // appended to /metrics
  virtual void write_status(JsonWriter&) const {}                                   // fields of /api/v1/status
  virtual void reload(const runtime::NodeConfig&, ReloadReport&) {}

  virtual std::optional<PreDrainHook> pre_drain() { return std::nullopt; }
  // The stop signal was given: what tasks wait for beside it is closed.
  virtual void stop() {}
  // Ingress accepts no more: finish what was accepted, then call `done`, once, from any thread.
  virtual void drain(std::function<void()> done) { done(); }
  // The drain took too long, or its end is here: nothing may wait for it any more.
  virtual void end_drain() {}
  // Returns when what was accepted for later is settled; after the API has closed.
  virtual asio::awaitable<void> settle() { co_return; }
  // All tasks have ended: results and secrets are wiped.
  virtual void forget() {}
};

using RoleMaker = std::function<Result<std::unique_ptr<Role>>(NodeParts&)>;

}  // namespace hyperscale::node
