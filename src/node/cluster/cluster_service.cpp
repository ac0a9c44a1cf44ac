#include "node/cluster/cluster_service.h"

#include "base/check.h"
#include "node/cluster/cluster_link.h"
#include "node/cluster/refused_packets.h"
#include "node/cluster/state_sync_service.h"
#include "runtime/clock/clock.h"
#include "runtime/http/await_token.h"

#include <algorithm>
#include <array>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <fmt/format.h>

namespace hyperscale::node {
namespace {

using asio::ip::udp;
using cluster::ClusterNode;
using runtime::mono_now;
using runtime::wall_now;

// Limit per turn, so that packets do not starve other events of the loop.
constexpr int kPacketsPerTurn = 64;
constexpr std::size_t kPacketBufferBytes = 2048;
constexpr int kSocketBufferBytes = 1 << 20;

udp::endpoint endpoint_of(const wire::NodeAddress& address) {
  const asio::ip::address_v6 v6(address.ip);
  if (v6.is_v4_mapped()) return {asio::ip::make_address_v4(asio::ip::v4_mapped, v6), address.port};
  return {v6, address.port};
}

wire::NodeAddress address_of(const udp::endpoint& endpoint) {
  const auto& ip = endpoint.address();
  const asio::ip::address_v6 v6 = ip.is_v4() ? asio::ip::make_address_v6(asio::ip::v4_mapped, ip.to_v4()) : ip.to_v6();
  return {.ip = v6.to_bytes(), .port = endpoint.port()};
}

}  // namespace

ClusterService::ClusterService(Surroundings surroundings, cluster::ClusterConfig config,
                               std::unique_ptr<VoteFile> votes)
    : strand_(std::move(surroundings.strand)),
      log_(surroundings.log),
      metrics_(surroundings.metrics),
      on_broken_(std::move(surroundings.on_broken)),
      config_(std::move(config)),
      votes_(std::move(votes)),
      peers_(std::move(surroundings.peers)),
      cores_(surroundings.cores),
      socket_(strand_),
      timer_(strand_),
      left_(strand_, asio::steady_timer::time_point::max()) {}

ClusterService::~ClusterService() = default;

Result<wire::NodeAddress> ClusterService::bind() {
  const udp::endpoint wanted = endpoint_of(config_.self.address);
  boost::system::error_code error;
  socket_.open(wanted.protocol(), error);
  if (!error) socket_.non_blocking(true, error);
  if (!error) socket_.bind(wanted, error);
  if (error) {
    return fail(ErrorCode::kUnavailable,
                fmt::format("cluster.listen: cannot use UDP {}: {}", to_string(config_.self.address), error.message()));
  }
  boost::system::error_code ignored;  // smaller buffers only lose packets earlier
  socket_.set_option(asio::socket_base::receive_buffer_size(kSocketBufferBytes), ignored);
  socket_.set_option(asio::socket_base::send_buffer_size(kSocketBufferBytes), ignored);
  report_refusals(socket_.native_handle(), wanted.address().is_v6());
  config_.self.address = address_of(socket_.local_endpoint(error));
  return config_.self.address;
}

asio::awaitable<void> ClusterService::serve(runtime::StopToken stop) {
  const auto self = shared_from_this();
  asio::post(strand_, [self] { self->begin(); });
  co_await stop.wait();
  co_await asio::co_spawn(strand_, end_here(), runtime::kAwaitThrowing);
}

asio::awaitable<void> ClusterService::end_here() {
  gone_ = true;
  boost::system::error_code ignored;
  socket_.close(ignored);
  timer_.cancel();
  left_.cancel();
  if (sync_) co_await sync_->finish();
}

// A restarted task reuses the existing core.
void ClusterService::begin() {
  if (std::exchange(begun_, true)) return;
  if (config_.self.role == wire::NodeRole::kManager && !config_.keys.sets_workers_apart()) {
    log_.warn("cluster",
              "workers have the secret of gates and managers and could speak as one; give them one of their own: "
              "cluster.worker_secret_file");
  }
  node_.emplace(config_, votes_ ? votes_->state() : cluster::DurableState());
  link_ = std::make_shared<ClusterLink>(strand_, config_, peers_, metrics_);
  sync_ = std::make_shared<StateSyncService>(strand_, log_, link_, config_);
  step(ClusterNode::Start{.wall = wall_now()});
  step(ClusterNode::CoresAvailable{.count = cores_.available()});
  wait_for_packets();
}

void ClusterService::wait_for_packets() {
  socket_.async_wait(udp::socket::wait_read, [self = shared_from_this()](boost::system::error_code error) {
    if (self->gone_ || error == asio::error::operation_aborted) return;
    self->read_packets();
    self->wait_for_packets();
  });
}

void ClusterService::read_packets() {
  hear_refusals();
  std::array<std::uint8_t, kPacketBufferBytes> buffer{};
  for (int i = 0; i < kPacketsPerTurn; ++i) {
    udp::endpoint from;
    boost::system::error_code error;
    const std::size_t size = socket_.receive_from(asio::buffer(buffer), from, 0, error);
    if (error == asio::error::would_block) return;
    if (error) continue;  // hear_refusals() reads its cause
    const wire::NodeAddress sender = address_of(from);
    if (blocked_.contains(sender)) continue;
    step(ClusterNode::DatagramIn{
        .from = sender, .bytes = SharedBytes::copy_of(ByteView(buffer.data(), size)), .wall = wall_now()});
  }
}

void ClusterService::hear_refusals() {
  for (const udp::endpoint& peer : take_refusals(socket_.native_handle())) {
    const wire::NodeAddress address = address_of(peer);
    if (!blocked_.contains(address)) step(ClusterNode::Refused{.peer = address, .wall = wall_now()});
  }
}

void ClusterService::arm_timer() {
  if (gone_ || broken_) return;
  const MonoTime due = loop_.arm(std::min(node_->next_wake(), sync_->next_wake()), mono_now());
  timer_.expires_at(runtime::to_steady(due));
  timer_.async_wait([self = shared_from_this()](boost::system::error_code error) {
    if (!error) self->on_timer();
  });
}

void ClusterService::on_timer() {
  if (const auto late = loop_.went_off(mono_now())) {
    step(ClusterNode::LoopLag{.late = *late, .period = cluster::LoopWatch::kPeriodMax});
    // After a pause of the process, answers wait in the socket: read them before peers are judged as silent.
    read_packets();
  }
  sync_->tick();
  loop_.disarm();  // the tick serves wake-ups requested meanwhile
  step(ClusterNode::Tick{.wall = wall_now()});
}

void ClusterService::step(const ClusterNode::Event& event) {
  if (broken_ || gone_ || !node_) return;
  for (const ClusterNode::Action& action : node_->step(event, mono_now()))
    if (!carry_out(action)) break;
  arm_timer();
}

// False: the remaining actions must not be carried out.
bool ClusterService::carry_out(const ClusterNode::Action& action) {
  sync_->follow(action);
  if (const auto* packet = std::get_if<ClusterNode::Send>(&action)) {
    send(*packet);
  } else if (const auto* vote = std::get_if<ClusterNode::Persist>(&action)) {
    return persist(vote->state);
  } else if (const auto* won = std::get_if<ClusterNode::BecameLeader>(&action)) {
    fence_ = won->fence;
    log_.info("cluster", "leads term {}", won->term);
  } else if (const auto* note = std::get_if<ClusterNode::Note>(&action)) {
    note->warning ? log_.warn("cluster", "{}", note->text) : log_.info("cluster", "{}", note->text);
  } else if (std::holds_alternative<ClusterNode::Left>(action)) {
    left_.cancel();
  } else if (!std::holds_alternative<ClusterNode::StateReceived>(action)) {
    log_.info("cluster", "{}", to_string(action));
  }
  return true;
}

void ClusterService::send(const ClusterNode::Send& action) {
  if (blocked_.contains(action.to)) return;
  const auto bytes = asio::buffer(action.bytes.data(), action.bytes.size());
  boost::system::error_code error;  // a packet that cannot be sent is lost
  socket_.send_to(bytes, endpoint_of(action.to), 0, error);
  // The kernel reported the refusal of an earlier packet instead of sending this one: send again.
  if (error == asio::error::connection_refused) socket_.send_to(bytes, endpoint_of(action.to), 0, error);
}

bool ClusterService::persist(const cluster::DurableState& state) {
  if (!votes_) return true;
  const Status saved = votes_->save(state);
  if (saved) return true;
  broken_ = true;
  log_.error("cluster", "this node can no longer keep its votes and goes silent: {}", saved.error().context);
  on_broken_("its vote could not be saved");
  return false;
}

asio::awaitable<ClusterStanding> ClusterService::standing() {
  return asio::co_spawn(strand_, standing_here(), runtime::kAwaitThrowing);
}

asio::awaitable<ClusterStanding> ClusterService::standing_here() {
  ClusterStanding standing;
  if (node_) {
    const MonoTime now = mono_now();
    standing.view = node_->view(now);
    standing.leads = !broken_ && node_->leads(now);
    standing.fence = standing.leads ? fence_ : 0;
    standing.sync = sync_->view(now);
    standing.frames = link_->stats();
  } else {
    standing.view.self = config_.self;
  }
  standing.tls = peers_.has_tls();
  for (worker::CoreIndex core = 0; core < cores_.total(); ++core) standing.cores.emplace_back(cores_.workflow_on(core));
  co_return standing;
}

asio::awaitable<std::vector<membership::AuditEntry>> ClusterService::audit() {
  return asio::co_spawn(strand_, audit_here(), runtime::kAwaitThrowing);
}

asio::awaitable<std::vector<membership::AuditEntry>> ClusterService::audit_here() {
  co_return node_ ? node_->audit() : std::vector<membership::AuditEntry>();
}

asio::awaitable<void> ClusterService::leave() {
  return asio::co_spawn(strand_, leave_here(), runtime::kAwaitThrowing);
}

asio::awaitable<void> ClusterService::leave_here() {
  if (!node_ || broken_ || gone_) co_return;
  step(ClusterNode::Leave{.wall = wall_now()});
  co_await left_.async_wait(runtime::kAwait);
}

asio::awaitable<Result<SharedBytes>> ClusterService::answer(SharedBytes sealed) {
  return asio::co_spawn(strand_, answer_here(std::move(sealed)), runtime::kAwaitThrowing);
}

asio::awaitable<Result<SharedBytes>> ClusterService::answer_here(SharedBytes sealed) {
  if (!node_ || broken_ || gone_) co_return fail(ErrorCode::kUnavailable, "this node is in no cluster at this moment");
  const MonoTime now = mono_now();
  const cluster::ClusterView view = node_->view(now);
  const cluster::StateSync::SelfState self{.incarnation = view.incarnation,
                                           .term = view.term,
                                           .latest_term = view.latest_term,
                                           .leads = node_->leads(now),
                                           .total_cores = cores_.total(),
                                           .available_cores = cores_.available()};
  co_return sync_->answer(sealed, view, self);
}

void ClusterService::rotate(wire::Keyring keys) {
  asio::post(strand_, [self = shared_from_this(), keys = std::move(keys)] {
    // Keep a workers' secret that came from an environment variable: it was erased when it was read.
    const bool keeps_workers = !keys.sets_workers_apart() && self->config_.keys.sets_workers_apart();
    self->config_.keys = keeps_workers ? keys.with_workers(self->config_.keys.of(wire::KeyDomain::kWorkers)) : keys;
    if (self->link_) self->link_->rotate(self->config_.keys);
    self->step(ClusterNode::RotateKeys{.keys = self->config_.keys});
  });
}

void ClusterService::embed(SharedBytes state) {
  asio::post(strand_, [self = shared_from_this(), state = std::move(state)] {
    self->step(ClusterNode::EmbedState{.state = state});
  });
}

void ClusterService::block(std::set<wire::NodeAddress> addresses) {
  asio::post(strand_, [self = shared_from_this(), addresses = std::move(addresses)] {
    self->blocked_ = addresses;
    if (self->sync_) self->sync_->block(addresses);
  });
}

}  // namespace hyperscale::node
