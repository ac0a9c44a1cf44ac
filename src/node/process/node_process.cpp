#include "node/process/node_process.h"

#include "base/check.h"
#include "base/duration_text.h"
#include "node/process/build_info.h"
#include "node/process/limits_from_config.h"
#include "node/process/node_routes.h"
#include "runtime/clock/clock.h"
#include "runtime/config/config_loader.h"
#include "runtime/config/item_list.h"
#include "runtime/config/listen_address.h"
#include "runtime/tls/tls_context.h"

#include <csignal>
#include <map>
#include <utility>

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
// Must be well within the grace period that the drain machine grants to aborts.
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

asio::awaitable<Result<SharedBytes>> no_such_method(std::string name, std::string known) {
  co_return fail(ErrorCode::kNotFound, fmt::format("no method '{}'; known are {}", name, known));
}

}  // namespace

NodeProcess::NodeProcess(NodeSetup setup, std::unique_ptr<runtime::Log> log)
    : signals_(control_),
      last_call_(control_),
      abort_rest_(control_),
      setup_(std::move(setup)),
      parts_(std::make_unique<NodeParts>(setup_.config, setup_.inputs, std::move(log))),
      reloader_(*parts_, roles_) {
  parts_->request_shutdown = [this](const std::string& reason) { request_shutdown(reason); };
}

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
  if (auto made = process->make_roles(); !made) return fail(made.error());
  if (auto built = process->build_servers(); !built) return fail(built.error());
  if (auto bound = process->bind_listeners(); !bound) return fail(bound.error());
  if (auto made = process->make_token(); !made) return fail(made.error());
  return process;
}

Status NodeProcess::make_roles() {
  for (const RoleMaker& make : setup_.roles) {
    auto role = make(*parts_);
    if (!role) return fail(role.error());
    roles_.push_back(std::move(*role));
  }
  return {};
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
  add_health_routes(metrics_router, parts, roles_);
  parts.servers.metrics = std::make_shared<runtime::HttpServer>(
      parts.loops.executor(), "metrics", std::move(metrics_router), metrics_limits(config), parts.metrics, options);
  if (config.tls.enabled) {
    auto tls = runtime::make_server_tls_context(config.tls.cert_file, config.tls.key_file, config.tls.groups);
    if (!tls) return fail(tls.error());
    options.tls = *tls;
  }
  options.access = access_;
  runtime::Router api_router;
  add_status_routes(api_router, parts, roles_);
  for (const auto& role : roles_) role->add_routes(api_router);
  add_admin_routes(api_router, parts, [this](std::string reason) {
    shutdown_published_ = true;
    parts_->bus.publish(runtime::ShutdownEvent{std::move(reason)});
  });
  parts.servers.api = std::make_shared<runtime::HttpServer>(parts.loops.executor(), "api", std::move(api_router),
                                                            api_limits(config), parts.metrics, options);
  parts.servers.transport = std::make_shared<runtime::FramedServer>(
      parts.loops.make_strand(), [&parts] { return parts.loops.make_strand(); }, framed_limits(config), frame_handler(),
      parts.metrics, transport_guard());
  parts.drain = std::make_shared<runtime::DrainDriver>(control_.get_executor(), drain_limits(config), drain_duties());
  return {};
}

runtime::FrameHandler NodeProcess::frame_handler() {
  std::map<std::string, runtime::FrameHandler, std::less<>> methods;
  std::string known;
  for (const auto& role : roles_) {
    for (FrameMethod& method : role->frame_methods()) {
      known += (known.empty() ? "" : ", ") + method.name;
      const bool is_new = methods.emplace(std::move(method.name), std::move(method.handler)).second;
      CHECK(is_new, "two roles answer one method; known are {}", known);
    }
  }
  return [methods = std::move(methods), known = std::move(known)](wire::RequestPayload request,
                                                                  runtime::CancelToken cancel) {
    const auto method = methods.find(request.method_name());
    if (method == methods.end()) return no_such_method(std::string(request.method_name()), known);
    return method->second(std::move(request), std::move(cancel));
  };
}

runtime::PeerGuard NodeProcess::transport_guard() {
  for (const auto& role : roles_)
    if (auto guard = role->transport_guard()) return std::move(*guard);
  return {};
}

Status NodeProcess::bind_listeners() {
  const runtime::NodeConfig& config = setup_.config;
  auto metrics = bind(*parts_->servers.metrics, config.metrics.listen);
  if (!metrics) return fail(metrics.error());
  auto api = bind(*parts_->servers.api, config.api.listen);
  if (!api) return fail(api.error());
  auto transport = bind(*parts_->servers.transport, config.transport.listen);
  if (!transport) return fail(transport.error());
  endpoints_ = {*api, *metrics, *transport};
  for (const auto& role : roles_) {
    if (auto taken = role->bind(endpoints_); !taken) return fail(taken.error());
    if (auto hook = role->pre_drain()) add_pre_drain(std::move(*hook));
  }
  return {};
}

// Call after the listeners are bound: outside of a state folder the file name contains the address of the API.
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

void NodeProcess::add_pre_drain(PreDrainHook hook) {
  reloader_.leave_time_for(hook.deadline);
  hooks_.push_back(std::move(hook));
}

ExitCode NodeProcess::run() {
  NodeParts& parts = *parts_;
  parts.loops.start();
  start_tasks();
  if (setup_.handle_signals) await_signals();
  std::string roles;
  for (const auto& role : roles_)
    if (const std::string words = role->up_text(); !words.empty()) roles += " " + words;
  parts.log->info("node", "{} {} up: api={} metrics={} transport={} threads={}{}{}{}", setup_.config.node.name,
                  version_text(), text(endpoints_.api), text(endpoints_.metrics), text(endpoints_.transport),
                  parts.loops.thread_count(), roles, setup_.config.node.amnesia ? " amnesia=on" : "",
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
  std::vector<std::string> needed = {"listeners", "config"};
  for (const auto& role : roles_)
    for (std::string& service : role->add_services(parts.board)) needed.push_back(std::move(service));
  parts.board.add_service("overlay_http", needed);
  parts.board.add_service("transport_ingress", needed);
  for (const char* service : {"metrics_server", "health_reporter", "config_updates", "bus_listener"})
    parts.board.add_service(service);
  parts.supervisor->on_all_exited([this] { parts_->drain->post(drain::AllTasksExited{}); });

  const auto start = [&](std::string name, std::string service, std::function<asio::awaitable<void>()> body) {
    parts.supervisor->start({.name = std::move(name), .service = std::move(service), .body = std::move(body)});
  };
  parts.supervisor->start(
      {.name = "metrics", .service = "metrics_server", .body = [this] { return serve_metrics(); }, .exits_last = true});
  for (const auto& role : roles_) role->start_tasks(*parts.supervisor);
  start("bus", "bus_listener", [this] { return listen_to_bus(); });
  start("config", "config_updates", [this] { return reloader_.run(); });
  start("health", "health_reporter", [&parts] { return parts.health.run(parts.stop.token()); });
  start("transport", "transport_ingress", [this] { return serve_transport(); });
  start("api", "overlay_http", [this] { return serve_api(); });
  // With amnesia on, nothing touches a disk in the background; SIGHUP and the API still reload.
  if (setup_.inputs.file_path && setup_.config.config_watch.enabled && !setup_.config.node.amnesia) {
    watcher_ = std::make_unique<runtime::ConfigWatcher>(
        parts.loops.make_strand(), *setup_.inputs.file_path, setup_.config.config_watch.stat_interval,
        [&parts] { parts.settings.updates.try_push({"file changed"}); });
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
      parts_->settings.updates.try_push({"SIGHUP"});
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
      .stop_ingress = [this] { parts_->servers.transport->stop_accepting(); },
      .refuse_new_work = [this] { parts_->servers.api->set_draining(); },
      .close_work_queue = [this] { drain_roles(); },
      .abort_stragglers = [this] { abort_stragglers(); },
      .stop_metrics = [this] { stop_metrics(); },
      .exit = [this](bool clean) { finish(clean); },
  };
}

// Without hooks the phase only lets load balancers notice the change of /readyz.
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
  // Cancel a hook that still runs: its time is over.
  if (hooks_strand_) asio::post(hooks_strand_, [this] { hooks_cancel_.emit(asio::cancellation_type::terminal); });
  parts_->stop.request();
  parts_->supervisor->stopping();
  parts_->settings.updates.close();
  for (const auto& role : roles_) role->stop();
  parts_->bus.close();
  if (watcher_) watcher_->stop();
}

void NodeProcess::drain_roles() {
  for (std::size_t i = 0; i < roles_.size(); ++i)
    roles_[i]->drain([this, i] { asio::post(control_, [this, i] { on_role_drained(i); }); });
  if (roles_.empty()) on_role_drained(0);
}

// Runs on the control loop.
void NodeProcess::on_role_drained(std::size_t role) {
  drained_.insert(role);
  if (drained_.size() < roles_.size()) return;
  // end_drain() lets tasks end. It is posted, so that the machine gets QueueDrained before AllTasksExited.
  // (What this thread posts while it runs a handler is queued behind what other threads post meanwhile.)
  parts_->drain->post(drain::QueueDrained{});
  asio::post(control_, [this] { end_drain(); });
}

// Accepted work is finished: tasks that wait for it continue, and the listeners close.
void NodeProcess::end_drain() {
  work_drained_.request();
  for (const auto& role : roles_) role->end_drain();
  parts_->servers.api->stop_accepting();
}

// Tasks may only wait for a hung worker: abort workers first, so that the other tasks can end in order within
// kAbortRestAfter.
void NodeProcess::abort_stragglers() {
  using Stragglers = runtime::Supervisor::Stragglers;
  parts_->supervisor->abort_stragglers(Stragglers::kNeededToDrain);
  end_drain();
  abort_rest_.expires_after(kAbortRestAfter);
  abort_rest_.async_wait([this](boost::system::error_code error) {
    if (!error) parts_->supervisor->abort_stragglers(Stragglers::kAll);
  });
}

void NodeProcess::stop_metrics() {
  parts_->servers.metrics->stop_accepting();
}

void NodeProcess::finish(bool clean) {
  clean_ = clean;
  abort_rest_.cancel();
  // The metrics task stops the control loop after its last answer; this timer stops it if the task cannot.
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
  for (const auto& role : roles_) role->forget();
  parts_->metrics.clear_samplers();
  token_file_.reset();
  parts_->log->info("node", "{} in {}", clean_ ? "drained cleanly" : "stopped with aborted tasks",
                    in_ms(mono_now() - shutdown_began_));
  parts_->log->close();
  if (shutdown_requests_ > 1) return ExitCode::kAborted;
  return clean_ ? ExitCode::kOk : ExitCode::kForced;
}

asio::awaitable<void> NodeProcess::serve_transport() {
  co_await parts_->servers.transport->serve();
  parts_->drain->post(drain::IngressConfirmed{});
  co_await work_drained_.token().wait();
  const MonoTime deadline = mono_now() + parts_->current()->drain.deadline;
  co_await parts_->servers.transport->close(deadline);
}

// The API keeps answering (503 to new work) until the queue is drained.
asio::awaitable<void> NodeProcess::serve_api() {
  co_await parts_->servers.api->serve();
  const Duration grace = parts_->current()->drain.deadline;
  co_await parts_->servers.api->close(grace);
  for (const auto& role : roles_) co_await role->settle();
}

asio::awaitable<void> NodeProcess::serve_metrics() {
  co_await parts_->servers.metrics->serve();
  co_await parts_->servers.metrics->close(kMetricsCloseGrace);
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

}  // namespace hyperscale::node
