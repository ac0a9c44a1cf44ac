// ExecutorLink without a process: what the runner sends is decoded and recorded, and the script says what comes back. A
// kill ends the executor at once.
#include "base/check.h"
#include "load/recording/plan_tallies.h"
#include "load/recording/tally_region.h"
#include "node/executors/executor_link.h"
#include "recording.h"
#include "virtual_time.h"

#include <csignal>
#include <map>

#include <boost/asio/post.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>

namespace hyperscale::node {
namespace {

constexpr pid_t kFirstProcess = 5'000'000;  // above what a kernel gives

std::string text_of(const plan::LoadChange& change) {
  const char* kind = change.kind == plan::LoadChangeKind::kUsers   ? "users"
                     : change.kind == plan::LoadChangeKind::kRate  ? "rate"
                     : change.kind == plan::LoadChangeKind::kPause ? "pause"
                                                                   : "resume";
  return fmt::format("{} {} at {}", kind, change.value, jobs::ms_text(change.at - virtual_time::kZero));
}

// The other end of each link.
struct Peer {
  std::shared_ptr<FakeExecutor> executor;
  std::array<int, kChildRegions> fds{};
  wire::FrameDecoder decoder;
  PlanAssembly parts;

  void prepare(plan::Plan plan, const PlanEnd& end) {
    executor->target = {.workflow = plan.name, .part = plan.script.part, .executor = end.segment.index};
    const load::TallyShape shape = load::tally_shape(plan);
    auto regions = stream::map_regions({OwnedFd(fds[0]), OwnedFd(fds[1]), OwnedFd(fds[2])}, load::region_layout(shape));
    CHECK(regions, "{}", regions.error().context);
    executor->regions = std::move(*regions);
    executor->recorder.emplace(load::tallies_in(executor->regions->counters), shape,
                               [this](std::size_t offset, std::size_t bytes) {
                                 return executor->regions->counters.reserve(load::kTalliesAt + offset, bytes);
                               });
    executor->prepared = true;
    recording().line(fmt::format("{} launch generation {}", text_of(executor->target), end.segment.generation));
  }

  void take(ByteView bytes) {
    CHECK(decoder.feed(bytes), "frames that are none");
    for (;;) {
      const auto frame = decoder.next();
      CHECK(frame, "frames that are none");
      if (!*frame) return;
      const auto message = decode_message(**frame);
      CHECK(message, "a message that is none");
      const std::string name = text_of(executor->target);
      if (const auto* part = std::get_if<PlanPart>(&*message)) CHECK(parts.add(*part), "too large");
      if (const auto* end = std::get_if<PlanEnd>(&*message)) {
        auto plan = parts.finish(*end);
        CHECK(plan, "{}", plan.error().context);
        prepare(std::move(*plan), *end);
      }
      if (const auto* start = std::get_if<Start>(&*message)) {
        executor->start = start->at;
        recording().line(fmt::format("{} start at {} arrival {} round {}{}", name,
                                     jobs::ms_text(start->at - virtual_time::kZero), start->first_arrival,
                                     start->first_round, jobs::text_of(start->values)));
      }
      if (const auto* change = std::get_if<Change>(&*message))
        recording().line(fmt::format("{} change {}", name, text_of(change->change)));
      if (std::holds_alternative<Stop>(*message)) recording().line(name + " stop");
    }
  }
};

std::map<const ExecutorLink*, Peer>& peers() {
  static std::map<const ExecutorLink*, Peer> all;
  return all;
}

}  // namespace

std::string describe(const ExecutorExit& exit) {
  if (WIFSIGNALED(exit.wait_status)) return fmt::format("killed by signal {}", WTERMSIG(exit.wait_status));
  return fmt::format("ended with status {}", WEXITSTATUS(exit.wait_status));
}

Result<std::shared_ptr<ExecutorLink>> ExecutorLink::start(asio::io_context& io, const Program&,
                                                          const std::array<int, kChildRegions>& region_fds,
                                                          Events events) {
  Recording& to = recording();
  to.io = &io;
  if (!to.next_launch_fails.empty()) return fail(ErrorCode::kBusy, std::exchange(to.next_launch_fails, {}));
  std::shared_ptr<ExecutorLink> link(new ExecutorLink(io, std::move(events)));
  auto executor = std::make_shared<FakeExecutor>();
  executor->process = kFirstProcess + static_cast<pid_t>(to.executors.size());
  link->process_ = executor->process;
  const std::weak_ptr<ExecutorLink> weak = link;
  executor->says = [&io, weak](const ExecutorMessage& message) {
    asio::post(io, [weak, message] {
      const auto link = weak.lock();
      if (link && link->process_ != 0) link->events_.message(message);
    });
  };
  executor->ends = [&io, weak, at = executor.get()](int wait_status) {
    at->gone = true;
    asio::post(io, [weak, wait_status] {
      const auto link = weak.lock();
      if (link && std::exchange(link->process_, 0) != 0) link->events_.gone({.wait_status = wait_status, .cpu = 1s});
    });
  };
  Peer& peer = peers()[link.get()];
  peer.executor = executor;
  for (std::size_t i = 0; i < region_fds.size(); ++i) peer.fds[i] = ::fcntl(region_fds[i], F_DUPFD_CLOEXEC, 0);
  to.executors.push_back(executor);
  return link;
}

ExecutorLink::~ExecutorLink() {
  peers().erase(this);
}

void ExecutorLink::send(SharedBytes bytes) {
  peers().at(this).take(bytes.view());
}

void ExecutorLink::kill() {
  FakeExecutor& executor = *peers().at(this).executor;
  if (process_ == 0 || executor.gone) return;
  recording().line(text_of(executor.target) + " kill");
  executor.ends(SIGKILL);
}

void ExecutorLink::abandon() {
  if (std::exchange(process_, 0) != 0 && !peers().at(this).executor->gone)
    recording().line(text_of(peers().at(this).executor->target) + " abandon");
}

}  // namespace hyperscale::node
