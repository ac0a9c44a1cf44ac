#include "node/node_process.h"

#include "base/check.h"
#include "base/duration_text.h"
#include "node/build_info.h"
#include "node/cluster/cluster_routes.h"
#include "node/cluster/cluster_service.h"
#include "node/cluster/peer_security.h"
#include "node/limits_from_config.h"
#include "node/routes.h"
#include "runtime/channel/async_queue.h"
#include "runtime/clock/clock.h"
#include "runtime/config/config_loader.h"
#include "runtime/config/item_list.h"
#include "runtime/config/listen_address.h"
#include "runtime/tls/tls_context.h"

#include <csignal>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <fmt/format.h>

namespace hyperscale::node {
namespace {

using runtime::Gauge;
using runtime::mono_now;
namespace drain = runtime::drain;

constexpr Duration kMetricsCloseGrace = 500ms;
constexpr Duration kMetricsLastCall = 1s;
constexpr Duration kThreadsGrace = 1s;
// How long a goodbye to the cluster may take, in probe intervals.
constexpr int kGoodbyeIntervals = 5;
// Well within the grace that the drain machine gives to aborts.
constexpr Duration kAbortRestAfter = 250ms;

std::string in_ms(Duration duration) {
  return format_duration(std::chrono::duration_cast<std::chrono::milliseconds>(duration));
}

std::string text(const asio::ip::tcp::endpoint& endpoint) {
  const bool v6 = endpoint.address().is_v6();
  return fmt::format("{}{}{}:{}", v6 ? "[" : "", endpoint.address().to_string(), v6 ? "]" : "", endpoint.port());
}

template <typename Server>
Result<asio::ip::tcp::endpoint> bind(Server& server, const std::string& listen) {
  const auto address = runtime::parse_listen_address(listen);
  if (!address) return fail(address.error());
  return server.bind(address->host, address->port);
}

}  // namespace

NodeProcess::NodeProcess(NodeSetup setup, std::unique_ptr<runtime::Log> log)
    : signals_(control_),
      last_call_(control_),
      abort_rest_(control_),
      setup_(std::move(setup)),
      parts_(std::make_unique<NodeParts>(setup_.config, setup_.inputs, std::move(log))),
      reloader_(*parts_) {}

NodeProcess::~NodeProcess() {
  if (parts_) {
    parts_->blocking.shutdown(kThreadsGrace);
    parts_->loops.stop_and_join(kThreadsGrace);
  }
}

Result<std::unique_ptr<NodeProcess>> NodeProcess::create(NodeSetup setup) {
  auto log = runtime::Log::open(setup.log);
  if (!log) return fail(log.error());
  std::unique_ptr<NodeProcess> process(new NodeProcess(std::move(setup), std::move(*log)));
  if (auto built = process->build_cluster(); !built) return fail(built.error());
  if (auto built = process->build_servers(); !built) return fail(built.error());
  if (auto bound = process->bind_listeners(); !bound) return fail(bound.error());
  if (auto made = process->make_token(); !made) return fail(made.error());
  return process;
}

Status NodeProcess::build_servers() {
  NodeParts& parts = *parts_;
  const runtime::NodeConfig& config = setup_.config;
  access_ = std::make_shared<runtime::AccessRules>(runtime::AccessRules{
      .token = setup_.admin_token, .hosts = runtime::items_of(config.api.hosts), .tls = config.tls.enabled});
  runtime::HttpServerOptions options;
  // No route of this listener needs the token.
  options.access = std::make_shared<const runtime::AccessRules>(runtime::AccessRules{.hosts = access_->hosts});
  options.log_error = [&parts](const std::string& message) { parts.log->error("http", "{}", message); };
  runtime::Router metrics_router;
  add_health_routes(metrics_router, parts);
  parts.metrics_server = std::make_shared<runtime::HttpServer>(
      parts.loops.executor(), "metrics", std::move(metrics_router), metrics_limits(config), parts.metrics, options);
  if (config.tls.enabled) {
    auto tls = runtime::make_server_tls_context(config.tls.cert_file, config.tls.key_file, config.tls.groups);
    if (!tls) return fail(tls.error());
    options.tls = *tls;
  }
  options.access = access_;
  runtime::Router api_router;
  add_api_routes(api_router, parts);
  if (parts.cluster) add_cluster_routes(api_router, parts);
  add_admin_routes(api_router, parts, [this](std::string reason) {
    shutdown_published_ = true;
    parts_->bus.publish(runtime::ShutdownEvent{std::move(reason)});
  });
  parts.api = std::make_shared<runtime::HttpServer>(parts.loops.executor(), "api", std::move(api_router),
                                                    api_limits(config), parts.metrics, options);
  parts.transport = std::make_shared<runtime::FramedServer>(
      parts.loops.make_strand(), [&parts] { return parts.loops.make_strand(); }, framed_limits(config),
      frame_methods(parts), parts.metrics,
      parts.cluster && setup_.peers ? acceptor_guard(*setup_.peers, std::make_shared<RefusalLog>(*parts.log))
                                    : runtime::PeerGuard());
  parts.workers =
      std::make_unique<runtime::WorkerPool>(parts.work, parts.telemetry, parts.blocking, parts.metrics, [this] {
        on_work_drained();
        parts_->drain->post(drain::QueueDrained{});
      });
  parts.drain = std::make_shared<runtime::DrainDriver>(control_.get_executor(), drain_limits(config), drain_duties());
  return {};
}

Status NodeProcess::bind_listeners() {
  const runtime::NodeConfig& config = setup_.config;
  auto metrics = bind(*parts_->metrics_server, config.metrics.listen);
  if (!metrics) return fail(metrics.error());
  auto api = bind(*parts_->api, config.api.listen);
  if (!api) return fail(api.error());
  auto transport = bind(*parts_->transport, config.transport.listen);
  if (!transport) return fail(transport.error());
  endpoints_ = {*api, *metrics, *transport};
  return bind_cluster();
}

// After the listeners are bound: outside of a state folder the name of the file says where the API answers.
Status NodeProcess::make_token() {
  if (access_->token || setup_.token_folder.empty()) return {};
  const asio::ip::tcp::endpoint& api = endpoints_.api;
  const std::string name = setup_.token_folder == setup_.config.cluster.state_dir
                               ? "api.token"
                               : fmt::format("node-{}-{}.token", api.address().to_string(), api.port());
  auto made = runtime::TokenFile::make(setup_.token_folder + "/" + name);
  if (!made)
    return fail(made.error().code, fmt::format("{}; admin.token_file names one that is there", made.error().context));
  token_file_ = std::move(*made);
  access_->token = token_file_->token();
  return {};
}

Status NodeProcess::build_cluster() {
  if (!setup_.cluster) return {};
  std::unique_ptr<VoteFile> votes;
  if (!setup_.config.cluster.state_dir.empty()) {
    auto opened = VoteFile::open(setup_.config.cluster.state_dir);
    if (!opened) return fail(opened.error());
    votes = std::move(*opened);
  }
  const bool runs_workflows = setup_.cluster->self.role == wire::NodeRole::kWorker;
  parts_->cluster = std::make_shared<ClusterService>(
      ClusterService::Surroundings{.strand = parts_->loops.make_strand(),
                                   .log = *parts_->log,
                                   .metrics = parts_->metrics,
                                   .on_broken = [this](const std::string& why) { request_shutdown(why); },
                                   .peers = setup_.peers ? *setup_.peers : PeerSecurity(),
                                   .cores = runs_workflows ? parts_->capacity.workers : 0},
      std::move(*setup_.cluster), std::move(votes));
  return {};
}

Status NodeProcess::bind_cluster() {
  if (!parts_->cluster) return {};
  const auto bound = parts_->cluster->bind();
  if (!bound) return fail(bound.error());
  parts_->cluster->set_tcp_port(endpoints_.transport.port());
  add_pre_drain({.name = "leaving the cluster",
                 .deadline = kGoodbyeIntervals * setup_.config.cluster.probe_interval,
                 .run = [service = parts_->cluster] { return service->leave(); }});
  endpoints_.cluster = *bound;
  warn_of_transport();
  return {};
}

void NodeProcess::warn_of_transport() const {
  const asio::ip::address transport = endpoints_.transport.address();
  const asio::ip::address_v6 known(endpoints_.cluster->ip);
  const asio::ip::address cluster =
      known.is_v4_mapped() ? asio::ip::address(asio::ip::make_address_v4(asio::ip::v4_mapped, known)) : known;
  const bool tls = setup_.peers && setup_.peers->has_tls();
  if (!tls && !transport.is_loopback()) {
    parts_->log->warn(
        "cluster",
        "transport.listen {} is reachable by others and without TLS: only what nodes say to each other is "
        "sealed; set cluster.tls_cert_file, cluster.tls_key_file and cluster.tls_ca_file",
        text(endpoints_.transport));
  }
  if (!transport.is_unspecified() && transport != cluster) {
    parts_->log->warn("cluster", "others look for this node's framed transport at {}, and transport.listen is {}",
                      cluster.to_string(), text(endpoints_.transport));
  }
}

void NodeProcess::add_pre_drain(PreDrainHook hook) {
  parts_->pre_drain_min = std::max(parts_->pre_drain_min, hook.deadline);
  hooks_.push_back(std::move(hook));
  parts_->drain->set_limits(drain_limits(*parts_->current(), parts_->pre_drain_min));
}

ExitCode NodeProcess::run() {
  NodeParts& parts = *parts_;
  parts.loops.start();
  start_tasks();
  if (setup_.handle_signals) await_signals();
  parts.log->info(
      "node", "{} {} up: api={} metrics={} transport={}{} threads={} workers={}{}{}", setup_.config.node.name,
      version_text(), text(endpoints_.api), text(endpoints_.metrics), text(endpoints_.transport),
      endpoints_.cluster ? fmt::format(" {}={}", setup_.config.cluster.role, to_string(*endpoints_.cluster)) : "",
      parts.loops.thread_count(), parts.capacity.workers, setup_.config.node.amnesia ? " amnesia=on" : "",
      token_file_ ? fmt::format(" token={}", token_file_->path()) : "");
  if (!access_->token) {
    parts.log->warn("node", "no token: the API refuses every call but GET /version; set admin.token_file or {}",
                    runtime::kAdminTokenVariable);
  }
  const auto keep_running = asio::make_work_guard(control_);
  control_.run();
  return tear_down();
}

void NodeProcess::start_tasks() {
  NodeParts& parts = *parts_;
  for (const char* condition : {"config", "listeners"}) parts.board.add_condition(condition);
  parts.board.add_service("worker_pool");
  parts.board.add_service("overlay_http", {"listeners", "config", "worker_pool"});
  parts.board.add_service("transport_ingress", {"listeners", "config", "worker_pool"});
  for (const char* service : {"metrics_server", "health_reporter", "config_updates", "bus_listener"})
    parts.board.add_service(service);
  parts.supervisor->on_all_exited([this] { parts_->drain->post(drain::AllTasksExited{}); });

  const auto start = [&](std::string name, std::string service, std::function<asio::awaitable<void>()> body) {
    parts.supervisor->start({.name = std::move(name), .service = std::move(service), .body = std::move(body)});
  };
  parts.supervisor->start(
      {.name = "metrics", .service = "metrics_server", .body = [this] { return serve_metrics(); }, .exits_last = true});
  for (unsigned i = 0; i < parts.capacity.workers; ++i) {
    parts.supervisor->start({.name = fmt::format("worker-{}", i),
                             .service = "worker_pool",
                             .body = [&parts] { return parts.workers->work(); },
                             .needed_to_drain = true});
  }
  start("telemetry", "telemetry", [&parts] { return parts.telemetry_sink.run(parts.telemetry, *parts.log); });
  start("indexer", "indexer", [this] { return apply_index_updates(); });
  start("bus", "bus_listener", [this] { return listen_to_bus(); });
  start("config", "config_updates", [this] { return reloader_.run(); });
  start("health", "health_reporter", [&parts] { return parts.health.run(parts.stop.token()); });
  start("transport", "transport_ingress", [this] { return serve_transport(); });
  start("api", "overlay_http", [this] { return serve_api(); });
  if (parts.cluster) start("cluster", "membership", [&parts] { return parts.cluster->serve(parts.stop.token()); });
  // With amnesia on, nothing touches a disk in the background; SIGHUP and the API still reload.
  if (setup_.inputs.file_path && setup_.config.config_watch.enabled && !setup_.config.node.amnesia) {
    watcher_ = std::make_unique<runtime::ConfigWatcher>(parts.loops.make_strand(), *setup_.inputs.file_path,
                                                        setup_.config.config_watch.stat_interval,
                                                        [&parts] { parts.config_updates.try_push({"file changed"}); });
    start("config-watch", "config_watcher", [this] { return watcher_->run(); });
  }
  parts.board.set_condition("config", true);
  parts.board.set_condition("listeners", true);
  parts.health.refresh();
}

void NodeProcess::await_signals() {
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
    boost::system::error_code error;
    signals_.add(signal, error);
    CHECK(!error, "signal {}: {}", signal, error.message());
  }
  signals_.async_wait([this](boost::system::error_code error, int signal) {
    if (error) return;
    if (signal == SIGHUP)
      parts_->config_updates.try_push({"SIGHUP"});
    else
      request_shutdown(signal == SIGTERM ? "SIGTERM" : "SIGINT");
    await_signals();
  });
}

void NodeProcess::request_shutdown(const std::string& reason) {
  const int earlier = shutdown_requests_++;
  if (earlier == 0) {
    parts_->log->info("node", "{}: draining, at most {}; a second signal aborts", reason,
                      format_duration(parts_->current()->drain.deadline));
    parts_->drain->post(drain::ShutdownRequested{reason});
  } else {
    parts_->log->warn("node", "{}: aborting", reason);
    parts_->drain->post(drain::SecondRequest{});
  }
}

runtime::DrainDuties NodeProcess::drain_duties() {
  return {
      .on_state =
          [this](runtime::DrainState state) {
            if (shutdown_began_ == MonoTime()) shutdown_began_ = mono_now();
            parts_->board.set_draining();
            parts_->metrics.set(Gauge::kDrainState, "", static_cast<double>(state));
            parts_->log->info("drain", "{}", runtime::name(state));
          },
      .run_pre_drain = [this](MonoTime deadline) { begin_pre_drain(deadline); },
      .signal_stop = [this] { signal_stop(); },
      .stop_ingress = [this] { parts_->transport->stop_accepting(); },
      .refuse_new_work = [this] { parts_->api->set_draining(); },
      .close_work_queue = [this] { parts_->work.close(); },
      .abort_stragglers = [this] { abort_stragglers(); },
      .stop_metrics = [this] { stop_metrics(); },
      .exit = [this](bool clean) { finish(clean); },
  };
}

// Without hooks the phase only gives load balancers time to see that /readyz has changed.
void NodeProcess::begin_pre_drain(MonoTime deadline) {
  if (hooks_.empty()) return;
  hooks_strand_ = parts_->loops.make_strand();
  auto done = [this](const std::exception_ptr&) { parts_->drain->post(drain::PreDrainDone{}); };
  asio::post(hooks_strand_, [this, done] {
    asio::co_spawn(hooks_strand_, run_hooks(), asio::bind_cancellation_slot(hooks_cancel_.slot(), done));
  });
}

asio::awaitable<void> NodeProcess::run_hooks() {
  for (const PreDrainHook& hook : hooks_) {
    try {
      co_await hook.run();
      parts_->log->info("drain", "{} done", hook.name);
    } catch (const std::exception& error) {
      parts_->log->error("drain", "{} failed: {}", hook.name, error.what());
    }
  }
}

void NodeProcess::signal_stop() {
  // A hook that is still at it has had its time.
  if (hooks_strand_) asio::post(hooks_strand_, [this] { hooks_cancel_.emit(asio::cancellation_type::terminal); });
  parts_->stop.request();
  parts_->supervisor->stopping();
  parts_->config_updates.close();
  parts_->index_updates.close();
  parts_->bus.close();
  if (watcher_) watcher_->stop();
}

// What waits for the workers may go on: the listeners close and the telemetry ends.
void NodeProcess::on_work_drained() {
  parts_->work_drained.request();
  parts_->telemetry.close();
  parts_->api->stop_accepting();
}

// A hung worker holds up tasks that are fine themselves: it is aborted first, and they get a moment to end by
// themselves.
void NodeProcess::abort_stragglers() {
  using Stragglers = runtime::Supervisor::Stragglers;
  parts_->supervisor->abort_stragglers(Stragglers::kNeededToDrain);
  on_work_drained();
  abort_rest_.expires_after(kAbortRestAfter);
  abort_rest_.async_wait([this](boost::system::error_code error) {
    if (!error) parts_->supervisor->abort_stragglers(Stragglers::kAll);
  });
}

void NodeProcess::stop_metrics() {
  parts_->metrics_server->stop_accepting();
}

void NodeProcess::finish(bool clean) {
  clean_ = clean;
  abort_rest_.cancel();
  // The metrics task ends the control loop when its last answer is out; this is for the case that it cannot.
  last_call_.expires_after(kMetricsLastCall);
  last_call_.async_wait([this](boost::system::error_code error) {
    if (!error) control_.stop();
  });
}

ExitCode NodeProcess::tear_down() {
  const auto hung = parts_->blocking.shutdown(clean_ ? kThreadsGrace : Duration(0));
  for (const std::string& job : hung)
    parts_->log->error("node", "job '{}' never came back; its thread is left behind", job);
  const bool joined = parts_->loops.stop_and_join(kThreadsGrace);
  if (!joined) parts_->log->error("node", "an event loop is stuck; its thread is left behind");
  left_behind_ = !joined || !hung.empty() || !clean_;
  parts_->results.clear();
  parts_->metrics.clear_samplers();
  token_file_.reset();
  parts_->log->info("node", "{} in {}", clean_ ? "drained cleanly" : "stopped with aborted tasks",
                    in_ms(mono_now() - shutdown_began_));
  parts_->log->close();
  if (shutdown_requests_ > 1) return ExitCode::kAborted;
  return clean_ ? ExitCode::kOk : ExitCode::kForced;
}

asio::awaitable<void> NodeProcess::serve_transport() {
  co_await parts_->transport->serve();
  parts_->drain->post(drain::IngressConfirmed{});
  co_await parts_->work_drained.token().wait();
  const MonoTime deadline = mono_now() + parts_->current()->drain.deadline;
  co_await parts_->transport->close(deadline);
}

// The API goes on answering (503 to new work) until the queue is drained.
asio::awaitable<void> NodeProcess::serve_api() {
  co_await parts_->api->serve();
  const Duration grace = parts_->current()->drain.deadline;
  co_await parts_->api->close(grace);
  co_await parts_->accepted_jobs.wait_idle(MonoTime::max());
}

asio::awaitable<void> NodeProcess::serve_metrics() {
  co_await parts_->metrics_server->serve();
  co_await parts_->metrics_server->close(kMetricsCloseGrace);
  asio::post(control_, [this] { control_.stop(); });
}

asio::awaitable<void> NodeProcess::listen_to_bus() {
  runtime::BusListener listener;
  listener.service = "bus_listener";
  listener.on_event = [this](const runtime::BusEvent& event) {
    if (const auto* shutdown = std::get_if<runtime::ShutdownEvent>(&event)) request_shutdown(shutdown->reason);
    if (std::holds_alternative<runtime::ServiceCrashedEvent>(event)) parts_->health.refresh();
  };
  listener.reconcile = [this] {
    if (shutdown_published_ && shutdown_requests_ == 0) request_shutdown("API");
    parts_->health.refresh();
  };
  co_await runtime::listen_to_bus(parts_->bus.subscribe(), std::move(listener), parts_->metrics, *parts_->log);
}

asio::awaitable<void> NodeProcess::apply_index_updates() {
  for (;;) {
    const auto update = co_await runtime::async_pop(parts_->index_updates);
    if (!update) co_return;
    parts_->index_generation = update->generation;
  }
}

}  // namespace hyperscale::node
