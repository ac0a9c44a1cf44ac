#include "node/executors/executor_pool.h"

#include "base/check.h"
#include "base/duration_text.h"
#include "base/size_text.h"
#include "load/action_executor.h"
#include "load/recording/tally_region.h"
#include "node/executors/process_title.h"
#include "plan/plan_codec.h"
#include "runtime/sandbox/process_memory.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>

namespace hyperscale::node {
namespace {

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
  for (Member& member : pool->members_) {
    if (Status launched = pool->launch(member); !launched) return fail(launched.error());
  }
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
    members_[i].segment = setup_.segments[i];
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

Status ExecutorPool::launch(Member& member) {
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
  member.ready = false;
  member.link->send(plan_frames_);
  plan::Segment segment = member.segment;
  segment.generation = member.deaths;
  member.link->send(PlanEnd{plan_bytes_, segment, setup_.backend});
  return {};
}

void ExecutorPool::on_message(Member& member, const ExecutorMessage& message) {
  if (std::holds_alternative<Ready>(message)) return on_member_ready(member);
  if (const auto* finished = std::get_if<Finished>(&message)) {
    member.finished = true;
    note_core_use(member);
    member.cpu += finished->cpu;
    member.values = finished->values;
    member.failure = finished->failure;
    return;
  }
  if (const auto* log = std::get_if<Log>(&message)) return observer_.on_log(log->level, log->text);
  if (const auto* refused = std::get_if<Refused>(&message)) {
    // Not a death: a successor would refuse as well.
    member.finished = true;
    member.lost = true;
    member.message = refused->sentence;
    return observer_.on_refused(member.segment.index, refused->sentence);
  }
  member.link->kill();
}

void ExecutorPool::on_member_ready(Member& member) {
  member.ready = true;
  if (stopping_) return member.link->send(Stop{});
  if (started_) {
    // A successor: it goes on where its predecessor was.
    std::uint64_t taken = 0, rounds = 0;
    for (std::size_t i = 0; i + 1 < member.leases.size(); ++i) {
      taken = std::max(taken, reader(member, i).arrivals());
      rounds = std::max(rounds, reader(member, i).rounds());
    }
    send_start(member, taken, rounds);
    for (const plan::LoadChange& change : changes_) member.link->send(Change{change});
    return;
  }
  if (all_ready_ || !std::ranges::all_of(members_, &Member::ready)) return;
  all_ready_ = true;
  observer_.on_ready();
}

void ExecutorPool::start(MonoTime at, std::vector<plan::SharedValue> values) {
  CHECK(all_ready_ && !started_, "ready {} started {}", all_ready_, started_);
  started_ = true;
  start_ = at;
  values_ = std::move(values);
  for (Member& member : members_) {
    // One that died meanwhile is started when its successor is ready.
    if (member.ready && !member.gone) send_start(member, 0, 0);
  }
}

void ExecutorPool::send_start(Member& member, std::uint64_t first_arrival, std::uint64_t first_round) {
  member.core_before = core_use_of(member.link->process(), member.core);
  member.link->send(Start{start_, first_arrival, first_round, values_});
}

// To be called while there is still something to look at: a process that has ended and was not waited for has it.
void ExecutorPool::note_core_use(Member& member) {
  if (!started_) return;
  const CoreUse now = core_use_of(member.link->process(), member.core);
  member.waited += std::max(now.waited - member.core_before.waited, Duration::zero());
  member.stolen += std::max(now.stolen - member.core_before.stolen, Duration::zero());
}

void ExecutorPool::change(const plan::LoadChange& change) {
  CHECK(started_, "the load is changed before it began");
  changes_.push_back(change);
  for (Member& member : members_) {
    if (member.ready && !member.gone) member.link->send(Change{change});
  }
}

void ExecutorPool::stop() {
  if (std::exchange(stopping_, true)) return;
  for (Member& member : members_) {
    if (member.ready && !member.gone) member.link->send(Stop{});
  }
}

void ExecutorPool::kill() {
  killing_ = true;
  stopping_ = true;
  for (Member& member : members_) {
    if (!member.gone) member.link->kill();
  }
}

void ExecutorPool::give_up() {
  stopping_ = true;
  for (Member& member : members_) {
    if (!member.gone) member.link->kill();
  }
}

void ExecutorPool::on_gone(Member& member, const ExecutorExit& exit) {
  setup_.streams->child_gone(member.leases.back());
  if (!member.finished) {
    member.cpu += exit.cpu;
    if (killing_) {
      member.finished = true;
      member.lost_with_executor += reader(member, member.leases.size() - 1).executor_reading().users;
      member.message = fmt::format("stopped{} with requests in flight", when());
    } else {
      const std::string seen = std::exchange(member.killed_for, {});
      on_death(member, seen.empty() ? describe(exit) : "killed, " + seen);
    }
  }
  member.gone = member.finished || member.lost;
  if (done()) observer_.on_done();
}

void ExecutorPool::on_death(Member& member, const std::string& how) {
  ++member.deaths;
  const std::uint64_t busy = reader(member, member.leases.size() - 1).executor_reading().users;
  member.lost_with_executor += busy;
  std::string sentence = how + when();
  if (busy > 0)
    sentence +=
        fmt::format(" with {} {} busy, whose requests in flight are not counted", busy, busy == 1 ? "user" : "users");
  const bool again = member.deaths <= setup_.restarts_max && !stopping_;
  const Status launched = again ? launch(member) : Status();
  if (again && launched) {
    sentence += "; its share was started again";
  } else {
    users_peak_before_loss_ = std::max(users_peak_before_loss_, users_peak());
    member.lost = true;
    sentence += "; the rest of its share is lost";
    if (!launched) sentence += fmt::format(" ({})", launched.error().context);
  }
  member.message = member.message.empty() ? sentence : fmt::format("{}, then {}", member.message, sentence);
  observer_.on_died(member.segment.index, sentence);
}

// " after 3.2 s", once the run has begun.
std::string ExecutorPool::when() const {
  if (!started_) return " before the start";
  const Duration ran = std::max(load::EventLoop::now() - start_, Duration::zero());
  return fmt::format(" after {:.1f} s", static_cast<double>(ran.count()) / 1e9);
}

void ExecutorPool::look_after() {
  end_truncated();
  if (!setup_.plan.script.exists() || !started_) return;
  const ScriptLimits& limits = setup_.script_limits;
  const MonoTime now = load::EventLoop::now();
  for (Member& member : members_) {
    if (member.gone || member.finished || !member.killed_for.empty() || member.link->process() == 0) continue;
    MonoTime alive = reader(member, member.leases.size() - 1).alive();
    if (alive == MonoTime()) alive = start_ + load::kActionPatience;  // it has begun nothing else
    if (runtime::resident_bytes_of(member.link->process()) > limits.resident_bytes) {
      member.killed_for = fmt::format("its script took more than {} of memory", format_size(limits.resident_bytes));
    } else if (now - alive > limits.silence) {
      member.killed_for = fmt::format("its script did not let go for {}; is there an endless regular expression?",
                                      format_duration(limits.silence));
    }
    if (!member.killed_for.empty()) member.link->kill();
  }
}

// Their samples are gone with the file, so a successor could not make the share whole.
void ExecutorPool::end_truncated() {
  for (Member& member : members_) {
    if (member.gone || !member.killed_for.empty() || !was_cut(*member.leases.back().regions)) continue;
    member.deaths = setup_.restarts_max;
    member.killed_for = "the file of its stream was cut short by another process";
    if (member.link->process() != 0) member.link->kill();
  }
}

bool ExecutorPool::done() const {
  return std::ranges::all_of(members_, &Member::gone);
}

std::vector<std::uint32_t> ExecutorPool::lost() const {
  std::vector<std::uint32_t> out;
  for (const Member& member : members_)
    if (member.lost) out.push_back(member.segment.index);
  return out;
}

std::uint64_t ExecutorPool::users_left_of(std::uint64_t total) const {
  std::uint64_t sum = 0;
  for (const Member& member : members_)
    if (!member.lost) sum += plan::users_of(total, member.segment);
  return sum;
}

std::vector<plan::SharedValue> ExecutorPool::values() const {
  std::vector<plan::SharedValue> out;
  for (const Member& member : members_) {
    for (const plan::SharedValue& value : member.values) {
      const bool known = std::ranges::find(out, value.key, &plan::SharedValue::key) != out.end();
      if (!known) out.push_back(value);
    }
  }
  return out;
}

std::string ExecutorPool::failure() const {
  for (const Member& member : members_) {
    if (!member.failure.empty()) return member.failure;
    if (member.lost) return member.message;
  }
  return {};
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
      const bool current = i + 1 == member.leases.size() && !member.gone;
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
           .executor = first_executor + member.segment.index,
           .first_step = first_step,
           .steps = static_cast<std::uint32_t>(shape_.steps + (shape_.named > 0 && !shape_.named_are_parts ? 1 : 0)),
           .alive = i + 1 == member.leases.size() && !member.gone,
           .memory = member.leases[i].regions});
    }
  }
  return out;
}

// Executors that ran one after the other had their users one after the other too: their peaks do not add up.
Result<results::Recorded> ExecutorPool::share_of(const Member& member) const {
  const auto part_of = [&](std::size_t i) {
    results::Recorded part = reader(member, i).share(names_);
    // What waited with an executor that died is begun by nobody.
    if (i + 1 < member.leases.size() || member.lost) part.dropped += reader(member, i).waiting_in_time();
    return part;
  };
  results::Recorded sum = part_of(0);
  for (std::size_t i = 1; i < member.leases.size(); ++i) {
    results::Recorded part = part_of(i);
    const std::uint32_t peak = std::max(sum.vus_max, part.vus_max);
    if (Status merged = results::merge(sum, part); !merged) return fail(merged.error());
    sum.vus_max = peak;
  }
  sum.lost_with_executor = member.lost_with_executor;
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
  sum->elapsed = elapsed();
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

Duration ExecutorPool::elapsed() const {
  const MonoTime first = first_start(), last = last_end();
  return first != MonoTime() && last > first ? last - first : Duration::zero();
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
    report.index = member.segment.index;
    report.core = member.core;
    if (member.lost) {
      report.end = results::ExecutorEnd::kLost;
    } else if (member.deaths > 0) {
      report.end = results::ExecutorEnd::kRestarted;
    }
    report.message = member.message;
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
