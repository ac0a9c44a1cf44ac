// NodeProcess: a running node. It puts the parts together, starts the tasks, and leads the process through its life:
// up, serving, draining, gone.
//
// The calling thread of run() becomes the control loop: signals, the drain machine and nothing else. All tasks run on
// the event loops, so a stuck one cannot keep the node from stopping. Life: create(), run() once. After run() returned,
// left_behind() says whether a thread could not be stopped; the process must then end by _Exit, because that thread
// still runs.
#pragma once

#include "base/exit_code.h"
#include "base/result.h"
#include "node/config_reloader.h"
#include "node/node_parts.h"
#include "runtime/config_watch/config_watcher.h"
#include "runtime/http/access_rules.h"
#include "runtime/secret/token_file.h"
#include "wire/node_identity.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

namespace hyperscale::cluster {
struct ClusterConfig;
}

namespace hyperscale::node {

struct PeerSecurity;

struct NodeSetup {
  runtime::NodeConfig config;
  runtime::ConfigInputs inputs;       // read again on a reload
  runtime::SecretHandle admin_token;  // null: one is made in a file of token_folder
  std::string token_folder;           // empty: none is made, and nobody may use what needs it
  runtime::LogOptions log;
  bool handle_signals = true;
  std::shared_ptr<cluster::ClusterConfig> cluster = nullptr;  // null: the node is in no cluster
  std::shared_ptr<const PeerSecurity> peers = nullptr;        // null: no certificates between nodes
};

struct NodeEndpoints {
  asio::ip::tcp::endpoint api;
  asio::ip::tcp::endpoint metrics;
  asio::ip::tcp::endpoint transport;
  std::optional<wire::NodeAddress> cluster = {};  // UDP
};

// Work that a role finishes before the node stops taking requests, such as handing over leadership.
struct PreDrainHook {
  std::string name;
  Duration deadline;
  std::function<asio::awaitable<void>()> run;
};

class NodeProcess {
 public:
  // Binds all listeners; fails with one readable error and nothing left behind.
  static Result<std::unique_ptr<NodeProcess>> create(NodeSetup setup);
  ~NodeProcess();
  NodeProcess(const NodeProcess&) = delete;
  NodeProcess& operator=(const NodeProcess&) = delete;

  // Before run().
  void add_pre_drain(PreDrainHook hook);
  ExitCode run();
  bool left_behind() const { return left_behind_; }

  // From any thread: begins a shutdown; a second call aborts what still runs.
  void request_shutdown(const std::string& reason);

  const NodeEndpoints& endpoints() const { return endpoints_; }
  NodeParts& parts() { return *parts_; }

 private:
  explicit NodeProcess(NodeSetup setup, std::unique_ptr<runtime::Log> log);

  Status build_servers();
  Status bind_listeners();
  Status make_token();
  Status build_cluster();
  Status bind_cluster();
  void warn_of_transport() const;
  runtime::DrainDuties drain_duties();
  void start_tasks();
  void await_signals();
  void begin_pre_drain(MonoTime deadline);
  void signal_stop();
  void on_work_drained();
  void abort_stragglers();
  void stop_metrics();
  void finish(bool clean);
  ExitCode tear_down();

  asio::awaitable<void> serve_transport();
  asio::awaitable<void> serve_api();
  asio::awaitable<void> serve_metrics();
  asio::awaitable<void> listen_to_bus();
  asio::awaitable<void> apply_index_updates();
  asio::awaitable<void> run_hooks();

  asio::io_context control_{1};
  asio::signal_set signals_;
  asio::steady_timer last_call_;
  asio::steady_timer abort_rest_;
  NodeSetup setup_;
  std::unique_ptr<NodeParts> parts_;
  ConfigReloader reloader_;
  std::unique_ptr<runtime::ConfigWatcher> watcher_;
  std::vector<PreDrainHook> hooks_;
  asio::any_io_executor hooks_strand_;
  asio::cancellation_signal hooks_cancel_;  // used on hooks_strand_ only
  NodeEndpoints endpoints_;
  std::shared_ptr<runtime::AccessRules> access_;  // of the API; its token is set before the node serves
  std::unique_ptr<runtime::TokenFile> token_file_;
  std::atomic<int> shutdown_requests_{0};
  std::atomic<bool> shutdown_published_{false};  // what a bus listener that lagged looks at
  MonoTime shutdown_began_;
  bool clean_ = false;
  bool left_behind_ = false;
};

}  // namespace hyperscale::node
