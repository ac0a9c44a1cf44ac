// NodeProcess: a running node. It composes parts and roles, starts the tasks, and runs the lifecycle: start, serve,
// drain, exit. The work of a node is in its roles; this class knows them as Role only.
//
// The calling thread of run() becomes the control loop: signals, the drain machine and nothing else. All tasks run on
// the event loops, so a stuck one cannot keep the node from stopping. Life: create(), run() once. After run() returned,
// left_behind() is true if a thread may still run; the process must then end by _Exit.
#pragma once

#include "base/exit_code.h"
#include "base/result.h"
#include "node/process/config_reloader.h"
#include "node/process/node_parts.h"
#include "node/process/role.h"
#include "runtime/config_watch/config_watcher.h"
#include "runtime/http/access_rules.h"
#include "runtime/secret/token_file.h"

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

namespace hyperscale::node {

struct NodeSetup {
  runtime::NodeConfig config;
  runtime::ConfigInputs inputs;       // reread on a reload
  runtime::SecretHandle admin_token;  // null: generated in a file in token_folder
  std::string token_folder;           // empty: none is generated; routes that need one refuse
  runtime::LogOptions log;
  bool handle_signals = true;
  std::vector<RoleMaker> roles;  // in start order
};

class NodeProcess {
 public:
  // Binds all listeners. On failure, returns one readable error and releases everything.
  static Result<std::unique_ptr<NodeProcess>> create(NodeSetup setup);
  ~NodeProcess();
  NodeProcess(const NodeProcess&) = delete;
  NodeProcess& operator=(const NodeProcess&) = delete;

  // Before run().
  void add_pre_drain(PreDrainHook hook);
  ExitCode run();
  bool left_behind() const { return left_behind_; }

  // From any thread: begins a shutdown; a second call aborts it.
  void request_shutdown(const std::string& reason);

  const NodeEndpoints& endpoints() const { return endpoints_; }
  NodeParts& parts() { return *parts_; }

 private:
  explicit NodeProcess(NodeSetup setup, std::unique_ptr<runtime::Log> log);

  Status build_servers();
  Status bind_listeners();
  Status make_token();
  Status make_roles();
  runtime::FrameHandler frame_handler();
  runtime::PeerGuard transport_guard();
  runtime::DrainDuties drain_duties();
  void start_tasks();
  void await_signals();
  void begin_pre_drain(MonoTime deadline);
  void signal_stop();
  void drain_roles();
  void on_role_drained(std::size_t role);
  void end_drain();
  void abort_stragglers();
  void stop_metrics();
  void finish(bool clean);
  ExitCode tear_down();

  asio::awaitable<void> serve_transport();
  asio::awaitable<void> serve_api();
  asio::awaitable<void> serve_metrics();
  asio::awaitable<void> listen_to_bus();
  asio::awaitable<void> run_hooks();

  asio::io_context control_{1};
  asio::signal_set signals_;
  asio::steady_timer last_call_;
  asio::steady_timer abort_rest_;
  NodeSetup setup_;
  std::unique_ptr<NodeParts> parts_;
  std::vector<std::unique_ptr<Role>> roles_;
  ConfigReloader reloader_;
  std::unique_ptr<runtime::ConfigWatcher> watcher_;
  std::vector<PreDrainHook> hooks_;
  runtime::StopSignal work_drained_;
  std::set<std::size_t> drained_;  // roles that finished drain(); control loop only
  asio::any_io_executor hooks_strand_;
  asio::cancellation_signal hooks_cancel_;  // used on hooks_strand_ only
  NodeEndpoints endpoints_;
  std::shared_ptr<runtime::AccessRules> access_;  // of the API; token set before the node serves
  std::unique_ptr<runtime::TokenFile> token_file_;
  std::atomic<int> shutdown_requests_{0};
  std::atomic<bool> shutdown_published_{false};  // read by a bus listener that missed events
  MonoTime shutdown_began_;
  bool clean_ = false;
  bool left_behind_ = false;
};

}  // namespace hyperscale::node
