#include "node/executors/stream_host.h"

#include "stream/abandoned.h"

#include <algorithm>
#include <utility>

#include <unistd.h>

namespace hyperscale::node {
namespace {

using boost::system::error_code;

constexpr int kTicksPerPeriod = 4;

std::uint64_t own_pid() {
  return static_cast<std::uint64_t>(::getpid());
}

}  // namespace

Duration tick_period(const stream::DriverPolicies& policies) {
  return std::min(policies.keepalive_interval(), policies.announce_period()) / kTicksPerPeriod;
}

Result<std::unique_ptr<StreamHost>> StreamHost::start(asio::io_context& io, const std::string& run_id) {
  auto setup = driver_setup_from_environment(run_id);
  if (!setup) return fail(setup.error());
  return start(io, std::move(*setup));
}

Result<std::unique_ptr<StreamHost>> StreamHost::start(asio::io_context& io, stream::DriverSetup setup) {
  // A failure is ignored: a later run collects what is left.
  if (setup.policies.epoch_gc_enabled && setup.policies.epoch_gc_on_startup)
    (void)stream::collect_abandoned(setup.shm_base_dir, setup.policies, setup.clock(), stream::Collect::kRemove);
  std::unique_ptr<StreamKeeper> keeper;
  if (setup.policies.epoch_gc_enabled && setup.policies.cleanup_shm_on_exit) {
    auto started = StreamKeeper::start(setup);
    if (!started) return fail(started.error());
    keeper = std::move(*started);
  }
  std::string run = setup.name_space;
  auto driver = stream::Driver::start(std::move(setup));
  if (!driver) return fail(driver.error().code, "shared memory: " + driver.error().context);
  std::unique_ptr<StreamHost> host(new StreamHost(io, std::move(run), std::move(keeper), std::move(*driver)));
  host->tick_later();
  return host;
}

StreamHost::StreamHost(asio::io_context& io, std::string run, std::unique_ptr<StreamKeeper> keeper,
                       std::unique_ptr<stream::Driver> driver)
    : run_(std::move(run)), keeper_(std::move(keeper)), driver_(std::move(driver)), timer_(io) {}

void StreamHost::tick_later() {
  timer_.expires_after(tick_period(driver_->policies()));
  timer_.async_wait([this](error_code error) {
    if (error) return;
    // Before the tick, which would expire the leases of living executors after a pause of the runner.
    renew();
    driver_->tick();
    flush_log();
    tick_later();
  });
}

void StreamHost::log_to(std::function<void(const std::string& sentence)> log) {
  log_ = std::move(log);
  flush_log();
}

void StreamHost::flush_log() {
  if (!log_) return;
  for (const std::string& sentence : driver_->take_log()) log_(sentence);
}

void StreamHost::renew() {
  std::erase_if(held_, [this](const Held& held) { return !driver_->keep_alive(held.id, held.pid, held.epoch); });
}

Result<ProducerLease> StreamHost::lease_for_child(stream::StreamNumber stream, const stream::RegionLayout& layout) {
  auto grant = driver_->attach_producer(stream, own_pid(), layout);
  flush_log();
  if (!grant) return fail(grant.error());
  held_.push_back({grant->lease, own_pid(), grant->epoch});
  return ProducerLease{.id = grant->lease,
                       .epoch = grant->epoch,
                       .descriptors = grant->descriptors,
                       .regions = grant->regions,
                       .pid = own_pid()};
}

void StreamHost::child_started(ProducerLease& lease, pid_t child) {
  const auto pid = static_cast<std::uint64_t>(child);
  driver_->hand_over(lease.id, lease.pid, pid);
  lease.pid = pid;
  const auto held = std::ranges::find(held_, lease.id, &Held::id);
  if (held != held_.end()) held->pid = pid;
}

void StreamHost::child_gone(ProducerLease& lease) {
  std::erase_if(held_, [&](const Held& held) { return held.id == lease.id; });
  // Fails only for an expired lease, which has ended already.
  (void)driver_->detach(lease.id, lease.pid);
  flush_log();
}

}  // namespace hyperscale::node
