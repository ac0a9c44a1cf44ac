#include "sim/engine/world.h"

#include "base/check.h"
#include "sim/engine/step_context.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::sim {
namespace {

// A monotonic clock begins at a random value: this exposes code that keeps one of its times across a restart.
constexpr Duration kMonoBaseMax = 1'000'000s;
constexpr std::size_t kRefusalBytes = 56;

std::vector<Host> build_hosts(std::vector<HostSpec> specs, const Prng& root) {
  std::ranges::sort(specs, {}, &HostSpec::name);
  const auto same = [](const HostSpec& a, const HostSpec& b) { return a.name == b.name; };
  CHECK(std::ranges::adjacent_find(specs, same) == specs.end(), "two machines have one name");
  std::vector<Host> hosts;
  hosts.reserve(specs.size());
  for (HostSpec& spec : specs) hosts.emplace_back(std::move(spec), root);
  return hosts;
}

template <typename Get>
auto of_each(const std::vector<Host>& hosts, Get get) {
  std::vector<std::decay_t<decltype(get(hosts.front()))>> values;
  values.reserve(hosts.size());
  for (const Host& host : hosts) values.push_back(get(host));
  return values;
}

}  // namespace

World::World(const WorldSetup& setup, std::vector<HostSpec> specs, ProcessMaker& maker, WorldObserver& observer)
    : setup_(setup),
      root_(setup.seed),
      maker_(maker),
      observer_(observer),
      hosts_(build_hosts(std::move(specs), root_)),
      network_(setup.network, root_, of_each(hosts_, [](const Host& host) { return host.spec.name; }),
               of_each(hosts_, [](const Host& host) { return host.spec.site; })) {}

World::~World() = default;

void World::record(Happening what, HostId host, std::uint64_t detail, std::string_view text) {
  trace_.add(now_, what, host, detail);
  if (trace_.text() && !text.empty()) trace_.line(now_, fmt::format("{:<16} {}", hosts_[host].spec.name, text));
}

void World::run_until(SimTime end) {
  CHECK(end >= now_, "to {} ns at {} ns", end.ns(), now_.ns());
  while (!violation_ && !queue_.empty() && queue_.next_at() <= end) {
    const Event event = queue_.pop();
    now_ = event.at;
    run(event);
  }
  if (!violation_) now_ = end;
}

void World::run(const Event& event) {
  switch (event.kind) {
    case EventKind::kPacket:
      return arrive(packets_.take(event.payload));
    case EventKind::kWake:
      if (event.generation == hosts_[event.host].wake_generation) fire_wake(event.host);
      return;
    case EventKind::kDrain:
      if (event.generation == hosts_[event.host].run) drain(event.host);
      return;
    case EventKind::kCall:
      return calls_.take(event.payload)();
  }
}

void World::at(SimTime time, std::function<void()> call) {
  CHECK(time >= now_, "a call for {} ns at {} ns", time.ns(), now_.ns());
  queue_.push(time, EventKind::kCall, 0, calls_.put(std::move(call)), 0);
}

template <typename Call>
void World::step(HostId id, const Call& call) {
  Host& host = hosts_[id];
  ++steps_;
  ++host.counters.steps;
  StepContext context(*this, id);
  call(*host.process, context);
  Duration cost = context.delay();
  if (host.step_cost_max > Duration(0)) cost += host.prng.between(host.step_cost_min, host.step_cost_max);
  if (cost > Duration(0)) host.busy_until = now_ + cost;
  if (context.dead() || context.exit_reason()) {
    const bool on_purpose = context.exit_on_purpose() && !context.dead();
    end(id, context.dead() ? "died in a sync of its disk" : *context.exit_reason());
    host.left = on_purpose;
    if (on_purpose) host.wanted = false;
    if (host.wanted)
      after(setup_.restart_delay, [this, id] {
        if (hosts_[id].wanted) start(id);
      });
  } else {
    arm_wake(id);
  }
  observer_.after_step(id);
}

void World::start(HostId id) {
  Host& host = hosts_[id];
  host.wanted = true;
  if (host.running()) return;
  ++host.run;
  ++host.counters.starts;
  host.left = false;
  host.changed_at = now_;
  host.busy_until = now_;
  host.drain_scheduled = false;
  const Prng seeds = host.prng.stream(fmt::format("run {}", host.run));
  host.clock.rebase(now_, MonoTime() + Prng(seeds).between(Duration(0), kMonoBaseMax));
  const ProcessBirth birth{
      .host = id, .run = host.run, .seed = seeds.stream("process").next(), .minor_version = host.minor_version};
  record(Happening::kStart, id, host.run, "starts");
  host.process = maker_.make(birth);
  step(id, [](Process& process, ProcessContext& context) { process.start(context); });
}

void World::crash(HostId id) {
  hosts_[id].wanted = false;
  if (!hosts_[id].running()) return;
  ++hosts_[id].counters.crashes;
  end(id, "is killed");
}

void World::end(HostId id, std::string_view reason) {
  Host& host = hosts_[id];
  record(Happening::kEnd, id, hash_of(reason), reason);
  host.process.reset();
  host.disk.crash();
  host.backlog.clear();
  host.backlog_bytes = 0;
  host.paused = false;
  host.changed_at = now_;
  host.wake_at = SimTime::max();
  host.wake_due = MonoTime::max();
  ++host.wake_generation;
  observer_.ended(id);
}

void World::pause(HostId id) {
  Host& host = hosts_[id];
  if (!host.running() || host.paused) return;
  record(Happening::kPause, id, 0, "is paused");
  host.paused = true;
}

void World::resume(HostId id) {
  Host& host = hosts_[id];
  if (!host.running() || !host.paused) return;
  record(Happening::kResume, id, host.backlog.size(), "goes on");
  host.paused = false;
  // Queued packets are handled before or after an expired deadline: a loop may check them in either order.
  const bool packets_first = host.prng.below(2) == 0;
  while (packets_first && host.running() && host.busy_until <= now_ && !host.backlog.empty()) drain(id);
  if (!host.running()) return;
  host.wake_at = SimTime::max();
  arm_wake(id);
  if (!host.backlog.empty()) schedule_drain(id);
}

void World::set_step_cost(HostId id, Duration min, Duration max) {
  record(Happening::kSlow, id, static_cast<std::uint64_t>(max.count()),
         max > Duration(0) ? "becomes slow" : "is quick again");
  hosts_[id].step_cost_min = min;
  hosts_[id].step_cost_max = std::max(min, max);
}

void World::set_clock_rate(HostId id, std::int32_t ppm) {
  record(Happening::kClock, id, static_cast<std::uint64_t>(ppm), "has a clock of another rate");
  hosts_[id].clock.set_rate(now_, ppm);
  hosts_[id].wake_at = SimTime::max();
  if (hosts_[id].running()) arm_wake(id);
}

void World::jump_wall(HostId id, Duration by) {
  record(Happening::kClock, id, static_cast<std::uint64_t>(by.count()), "sees its wall clock jump");
  hosts_[id].clock.jump_wall(by);
}

void World::install(HostId id, std::uint16_t minor_version) {
  record(Happening::kInstall, id, minor_version, "gets another version");
  hosts_[id].minor_version = minor_version;
}

void World::order(HostId id, std::string_view what, std::int64_t value) {
  Host& host = hosts_[id];
  if (!host.running()) return;
  if (host.paused || host.busy_until > now_) {
    // A command of an operator waits as a packet would.
    const std::uint32_t run = host.run;
    const SimTime again = std::max(host.busy_until, now_ + 10ms);
    return at(again, [this, id, run, word = std::string(what), value] {
      if (hosts_[id].run == run) order(id, word, value);
    });
  }
  record(Happening::kOrder, id, hash_of(what), what);
  step(id, [&](Process& process, ProcessContext& context) { process.order(context, what, value); });
}

void World::inject(HostId from, HostId to, SharedBytes bytes) {
  send(from, to, std::move(bytes), now_);
}

std::optional<HostId> World::find(std::string_view name) const {
  const auto found =
      std::ranges::lower_bound(hosts_, name, {}, [](const Host& host) { return std::string_view(host.spec.name); });
  if (found == hosts_.end() || found->spec.name != name) return std::nullopt;
  return static_cast<HostId>(found - hosts_.begin());
}

void World::report(std::string_view checker, std::string what) {
  if (!violation_) violation_ = Violation{std::string(checker), std::move(what), now_};
}

void World::send(HostId from, HostId to, SharedBytes bytes, SimTime at) {
  trace_.add(now_, Happening::kSend, from, mixed(to, hash_of(bytes.view())));
  const std::vector<Delivery>& deliveries = network_.route(at, from, to, bytes.size());
  for (const Delivery& delivery : deliveries) {
    Packet packet{.from = from, .to = to, .bytes = bytes, .is_refusal = false};
    if (delivery.flip != 0 && !bytes.empty()) {
      std::vector<std::uint8_t> flipped(bytes.view().begin(), bytes.view().end());
      const std::uint64_t bit = (delivery.flip >> 1) % (flipped.size() * 8);
      flipped[bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
      packet.bytes = SharedBytes::adopt(std::move(flipped));
    }
    post(delivery, std::move(packet));
  }
}

void World::post(const Delivery& delivery, Packet packet) {
  const HostId to = packet.to;
  queue_.push(delivery.at, EventKind::kPacket, to, packets_.put(std::move(packet)), 0);
}

// It travels like a packet, but a damaged one is dropped.
void World::refuse(HostId by, HostId to) {
  if (to >= size()) return;  // strangers are not simulated
  for (const Delivery& delivery : network_.route(now_, by, to, kRefusalBytes)) {
    if (delivery.flip == 0) post(delivery, Packet{.from = by, .to = to, .bytes = {}, .is_refusal = true});
  }
}

void World::arrive(Packet packet) {
  Host& host = hosts_[packet.to];
  if (!host.running()) {
    ++host.counters.dropped_down;
    if (setup_.machines_refuse && !packet.is_refusal) refuse(packet.to, packet.from);
    return;
  }
  if (!host.paused && host.busy_until <= now_ && host.backlog.empty()) return deliver(std::move(packet));
  if (host.backlog_bytes + packet.bytes.size() > setup_.network.limits.receive_queue_bytes) {
    ++host.counters.dropped_backlog;
    return;
  }
  host.backlog_bytes += packet.bytes.size();
  const HostId id = packet.to;
  host.backlog.push_back(std::move(packet));
  if (!host.paused) schedule_drain(id);
}

void World::deliver(Packet packet) {
  trace_.add(now_, Happening::kDeliver, packet.to, packet.from);
  step(packet.to, [&](Process& process, ProcessContext& context) {
    if (packet.is_refusal) return process.refused(context, packet.from);
    process.datagram(context, packet.from, packet.bytes);
  });
}

void World::schedule_drain(HostId id) {
  Host& host = hosts_[id];
  if (host.drain_scheduled) return;
  host.drain_scheduled = true;
  queue_.push(std::max(now_, host.busy_until), EventKind::kDrain, id, 0, host.run);
}

void World::drain(HostId id) {
  Host& host = hosts_[id];
  host.drain_scheduled = false;
  if (!host.running() || host.paused || host.backlog.empty()) return;
  if (host.busy_until > now_) return schedule_drain(id);
  Packet packet = std::move(host.backlog.front());
  host.backlog.pop_front();
  host.backlog_bytes -= packet.bytes.size();
  deliver(std::move(packet));
  if (host.running() && !host.backlog.empty()) schedule_drain(id);
}

void World::arm_wake(HostId id) {
  Host& host = hosts_[id];
  const MonoTime wanted = host.process->next_wake();
  host.wake_due = std::min(host.wake_due, std::max(wanted, host.clock.mono(now_)));
  SimTime due = host.clock.when(wanted, now_);
  if (due == SimTime::max()) return;
  due = std::max(due, host.busy_until);
  if (due >= host.wake_at) return;  // the existing entry comes first and arms again
  host.wake_at = due;
  queue_.push(due, EventKind::kWake, id, 0, ++host.wake_generation);
}

void World::fire_wake(HostId id) {
  Host& host = hosts_[id];
  host.wake_at = SimTime::max();
  if (!host.running() || host.paused) return;  // resume() arms again
  const MonoTime due = host.process->next_wake();
  const MonoTime mono = host.clock.mono(now_);
  if (mono < due) host.wake_due = due;  // the process has postponed its deadline
  if (host.busy_until > now_ || mono < due) return arm_wake(id);
  const Duration late = mono - std::exchange(host.wake_due, MonoTime::max());
  wakes_at_one_instant_ = last_wake_at_ == now_ ? wakes_at_one_instant_ + 1 : 0;
  last_wake_at_ = now_;
  if (wakes_at_one_instant_ > kWakesAtOneInstantMax + size()) {
    return report("spinning", fmt::format("{} wants to be woken without end", host.spec.name));
  }
  trace_.add(now_, Happening::kWake, id, 0);
  step(id, [&](Process& process, ProcessContext& context) { process.wake(context, late); });
}

}  // namespace hyperscale::sim
