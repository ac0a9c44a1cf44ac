#include "node/executors/executor_pool.h"

#include "base/check.h"
#include "load/action_executor.h"
#include "load/recording/tally_region.h"
#include "node/executors/process_title.h"
#include "plan/plan_codec.h"
#include "runtime/sandbox/process_memory.h"
#include "stream/sample_publisher.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>

namespace hyperscale::node {
namespace {

static_assert(jobs::ScriptLimits{}.first_sign == load::kActionPatience);

// Touched after it was cut, here, or shorter than it was: an executor that touches it does not report it.
bool was_cut(const stream::EpochRegions& regions) {
  const auto is_shorter = [](const stream::MappedRegion& region) {
    struct stat info{};
    return ::fstat(region.descriptor(), &info) == 0 && static_cast<std::uint64_t>(info.st_size) < region.size();
  };
  return regions.lost() || is_shorter(regions.header) || is_shorter(regions.pool) || is_shorter(regions.counters);
}

}  // namespace

Result<std::unique_ptr<ExecutorPool>> ExecutorPool::make(asio::io_context& io, PoolSetup setup,
                                                         PoolObserver& observer) {
  std::unique_ptr<ExecutorPool> pool(new ExecutorPool(io, std::move(setup), observer));
  auto numbers = stream::MappedRegion::anonymous(sizeof(load::IterationNumberCells));
  if (!numbers) return fail(numbers.error());
  pool->numbers_ = std::move(*numbers);
  return pool;
}

ExecutorPool::ExecutorPool(asio::io_context& io, PoolSetup setup, PoolObserver& observer)
    : io_(io),
      setup_(std::move(setup)),
      observer_(observer),
      shape_(load::tally_shape(setup_.plan)),
      names_(load::tally_names(setup_.plan)) {
  CHECK(!setup_.segments.empty(), "a pool without a share");
  CHECK(setup_.streams != nullptr, "a pool without streams");
  const auto encoded = plan::encode(setup_.plan);
  plan_bytes_ = encoded.size();
  plan_frames_ = SharedBytes::adopt(encode_plan_parts(encoded));
  members_.resize(setup_.segments.size());
  for (std::size_t i = 0; i < members_.size(); ++i) {
    members_[i].index = static_cast<std::uint32_t>(i);
    members_[i].stream = setup_.first_stream + static_cast<std::uint32_t>(i);
    if (!setup_.cores.empty()) members_[i].core = setup_.cores[i % setup_.cores.size()];
  }
}

ExecutorPool::~ExecutorPool() {
  for (Member& member : members_) {
    if (member.link) member.link->abandon();
  }
}

std::string ExecutorPool::title_of(const Member& member) const {
  const plan::ScriptPart part = setup_.plan.script.part;
  const std::string what = part == plan::ScriptPart::kSetup      ? "setup"
                           : part == plan::ScriptPart::kTeardown ? "teardown"
                                                                 : fmt::format("executor {}", member.stream);
  return process_title(what, setup_.streams->run());
}

ExecutorPool::Member& ExecutorPool::at(std::uint32_t executor) {
  CHECK(executor < members_.size(), "executor {} of {}", executor, members_.size());
  return members_[executor];
}

Status ExecutorPool::launch(const jobs::LaunchExecutor& asked) {
  Member& member = at(asked.executor);
  CHECK(!member.running, "executor {} runs already", asked.executor);
  auto lease = setup_.streams->lease_for_child(stream::StreamNumber(member.stream), load::region_layout(shape_));
  if (!lease) return fail(lease.error());
  std::vector<std::string> arguments = setup_.arguments;
  arguments.front() = title_of(member);
  const auto& [header, ring, counters] = lease->descriptors;
  auto link =
      ExecutorLink::start(io_, {.path = setup_.program, .arguments = std::move(arguments), .core = member.core},
                          {header, ring, counters, numbers_.descriptor()},
                          {.message = [this, &member](const ExecutorMessage& message) { on_message(member, message); },
                           .gone = [this, &member](const ExecutorExit& exit) { on_gone(member, exit); }});
  if (!link) {
    setup_.streams->child_gone(*lease);
    return fail(link.error());
  }
  setup_.streams->child_started(*lease, (*link)->process());
  member.leases.push_back(std::move(*lease));
  member.link = std::move(*link);
  member.running = true;
  member.started = member.finished = false;
  member.link->send(plan_frames_);
  member.link->send(PlanEnd{plan_bytes_, asked.segment, plan::numbers_of(setup_.segments), setup_.backend});
  return {};
}

void ExecutorPool::on_message(Member& member, const ExecutorMessage& message) {
  if (std::holds_alternative<Ready>(message)) return observer_.on_event(jobs::ExecutorReady{member.index});
  if (const auto* finished = std::get_if<Finished>(&message)) {
    member.finished = true;
    note_core_use(member);
    member.cpu += finished->cpu;
    return observer_.on_event(jobs::ExecutorFinished{member.index, finished->values, finished->failure});
  }
  if (const auto* log = std::get_if<Log>(&message)) return observer_.on_log(log->level, log->text);
  if (const auto* refused = std::get_if<Refused>(&message)) {
    member.finished = true;
    return observer_.on_event(jobs::ExecutorRefused{member.index, refused->sentence});
  }
  member.link->kill();
}

void ExecutorPool::on_gone(Member& member, const ExecutorExit& exit) {
  setup_.streams->child_gone(member.leases.back());
  member.running = false;
  if (!member.finished) member.cpu += exit.cpu;
  const load::TallyReader left = last_reader(member);
  observer_.on_event(jobs::ExecutorGone{.executor = member.index,
                                        .how = describe(exit),
                                        .users_busy = static_cast<std::uint32_t>(left.executor_reading().users),
                                        .arrivals = left.arrivals(),
                                        .rounds = left.rounds()});
}

void ExecutorPool::start(const jobs::StartExecutor& asked) {
  Member& member = at(asked.executor);
  if (!member.running) return;
  member.started = true;
  member.core_before = core_use_of(member.link->process(), member.core);
  member.link->send(Start{asked.at, asked.first_arrival, asked.first_round, asked.values});
}

void ExecutorPool::change(const jobs::ChangeExecutor& asked) {
  const Member& member = at(asked.executor);
  if (member.running) member.link->send(Change{asked.change});
}

void ExecutorPool::stop(std::uint32_t executor) {
  const Member& member = at(executor);
  if (member.running) member.link->send(Stop{});
}

void ExecutorPool::kill(std::uint32_t executor) {
  const Member& member = at(executor);
  if (member.running) member.link->kill();
}

void ExecutorPool::lose(std::uint32_t executor) {
  users_peak_before_loss_ = std::max(users_peak_before_loss_, users_peak());
  at(executor).lost = true;
}

std::vector<jobs::Sight> ExecutorPool::sights() const {
  std::vector<jobs::Sight> out;
  for (const Member& member : members_) {
    if (!member.running || member.link->process() == 0) continue;
    jobs::Sight& sight = out.emplace_back();
    sight.executor = member.index;
    sight.was_cut = was_cut(*member.leases.back().regions);
    if (!setup_.plan.script.exists()) continue;
    sight.alive = last_reader(member).alive();
    sight.resident_bytes = runtime::resident_bytes_of(member.link->process());
  }
  return out;
}

// To be called while there is still something to look at: a process that has ended and was not waited for has it.
void ExecutorPool::note_core_use(Member& member) {
  if (!member.started) return;
  const CoreUse now = core_use_of(member.link->process(), member.core);
  member.waited += std::max(now.waited - member.core_before.waited, Duration::zero());
  member.stolen += std::max(now.stolen - member.core_before.stolen, Duration::zero());
}

std::vector<pid_t> ExecutorPool::processes() const {
  std::vector<pid_t> out;
  for (const Member& member : members_) {
    if (member.link && member.link->process() != 0) out.push_back(member.link->process());
  }
  return out;
}

load::TallyReader ExecutorPool::reader(const Member& member, std::size_t lease) const {
  return {load::tallies_in(member.leases[lease].regions->counters), shape_};
}

results::WindowTotals ExecutorPool::live() const {
  results::WindowTotals sum;
  for (const Member& member : members_) {
    for (std::size_t i = 0; i < member.leases.size(); ++i) {
      results::WindowTotals part = reader(member, i).live();
      const bool current = i + 1 == member.leases.size() && member.running;
      if (!current) part.users = 0;
      sum += part;
    }
  }
  return sum;
}

std::vector<TallySource> ExecutorPool::sources(std::uint32_t first_executor, std::uint32_t first_step) const {
  std::vector<TallySource> out;
  for (const Member& member : members_) {
    for (std::size_t i = 0; i < member.leases.size(); ++i) {
      out.push_back(
          {.reader = reader(member, i),
           .executor = first_executor + member.index,
           .first_step = first_step,
           .steps = static_cast<std::uint32_t>(shape_.steps + (shape_.named > 0 && !shape_.named_are_parts ? 1 : 0)),
           .alive = i + 1 == member.leases.size() && member.running,
           .memory = member.leases[i].regions});
    }
  }
  return out;
}

std::vector<SampleRing> ExecutorPool::sample_rings(std::uint32_t first_executor) const {
  const stream::RegionLayout layout = load::region_layout(shape_);
  std::vector<SampleRing> out;
  for (const Member& member : members_) {
    for (std::size_t i = 0; i < member.leases.size(); ++i) {
      const stream::EpochRegions& regions = *member.leases[i].regions;
      out.push_back({.executor = first_executor + member.index,
                     .number = std::uint64_t{member.index} << 32 | i,
                     .memory = stream::ring_memory(regions.header, regions.pool, layout.nslots, layout.stride_bytes),
                     .tallies = reader(member, i),
                     .regions = member.leases[i].regions});
    }
  }
  return out;
}

// Executors that ran one after the other had their users one after the other too: their peaks do not add up.
Result<results::Recorded> ExecutorPool::share_of(const Member& member) const {
  const auto part_of = [&](std::size_t i) {
    results::Recorded part = reader(member, i).share(names_);
    // Arrivals that waited in an executor that died are dropped: no other one begins them.
    if (i + 1 < member.leases.size() || member.lost) part.dropped += reader(member, i).waiting_in_time();
    return part;
  };
  CHECK(!member.leases.empty(), "executor {} was never launched", member.index);
  results::Recorded sum = part_of(0);
  for (std::size_t i = 1; i < member.leases.size(); ++i) {
    results::Recorded part = part_of(i);
    const std::uint32_t peak = std::max(sum.vus_max, part.vus_max);
    if (Status merged = results::merge(sum, part); !merged) return fail(merged.error());
    sum.vus_max = peak;
  }
  return sum;
}

Result<results::Recorded> ExecutorPool::recorded() const {
  auto sum = share_of(members_.front());
  for (std::size_t i = 1; sum && i < members_.size(); ++i) {
    const auto share = share_of(members_[i]);
    if (!share) return fail(share.error());
    if (Status merged = results::merge(*sum, *share); !merged) return fail(merged.error());
  }
  if (!sum) return sum;
  // Users that others got after the end of a share were never busy beside those of that share.
  sum->vus_max = std::max(users_peak_before_loss_, users_peak());
  return sum;
}

std::uint32_t ExecutorPool::users_peak() const {
  std::uint32_t sum = 0;
  for (const Member& member : members_) {
    if (member.lost) continue;
    if (const auto share = share_of(member)) sum += share->vus_max;
  }
  return sum;
}

MonoTime ExecutorPool::first_start() const {
  MonoTime first = MonoTime::max();
  for (const Member& member : members_) {
    for (std::size_t i = 0; i < member.leases.size(); ++i) {
      const MonoTime start = reader(member, i).first_start();
      if (start != MonoTime()) first = std::min(first, start);
    }
  }
  return first == MonoTime::max() ? MonoTime() : first;
}

MonoTime ExecutorPool::last_end() const {
  MonoTime last;
  for (const Member& member : members_) {
    for (std::size_t i = 0; i < member.leases.size(); ++i) last = std::max(last, reader(member, i).last_end());
  }
  return last;
}

std::vector<results::ExecutorReport> ExecutorPool::reports(Duration ran) const {
  std::vector<results::ExecutorReport> out;
  for (const Member& member : members_) {
    results::ExecutorReport report;
    report.index = member.index;
    report.core = member.core;
    report.cpu_s = static_cast<double>(member.cpu.count()) / 1e9;
    const auto share = [ran](Duration time) {
      return ran > Duration::zero()
                 ? std::min(static_cast<double>(time.count()) / static_cast<double>(ran.count()), 1.0)
                 : 0;
    };
    report.busy_fraction = share(member.cpu);
    report.wait_fraction = share(member.waited);
    report.steal_fraction = share(member.stolen);
    out.push_back(std::move(report));
  }
  return out;
}

}  // namespace hyperscale::node
