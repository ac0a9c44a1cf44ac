#include "random_worker.h"

#include "base/check.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hyperscale::worker {
namespace {

using wire::Refusal;

constexpr std::size_t kStoryMax = 80;
constexpr std::size_t kResultsMax = 5;
constexpr std::uint32_t kCores = 6;
const std::array<std::string, 2> kJobs{"a", "b"};

WorkerSetup setup_of(std::uint64_t boot) {
  return {.boot = wire::BootId(boot), .cores = kCores, .seed = boot, .results_max = kResultsMax};
}

}  // namespace

RandomWorker::RandomWorker(std::vector<std::uint32_t> tape) : tape_(std::move(tape)) {
  restart();
  step(ManagerUp{manager(1)}, "up");
}

std::uint32_t RandomWorker::take(std::uint32_t below) {
  return position_ < tape_.size() ? tape_[position_++] % below : 0;
}

void RandomWorker::run() {
  while (position_ < tape_.size() && broken_.empty()) play();
  if (broken_.empty()) settle();
}

void RandomWorker::play() {
  const std::uint32_t what = take(100);
  if (what < 18) return dispatch();
  if (what < 50) return work();
  if (what < 68) return answer_one();
  if (what < 84) return order();
  if (what < 87) return cluster();
  if (what == 87) return restart();
  // Time passes as the owner of a core lets it: no further than the next wake.
  const MonoTime until = now_ + std::chrono::milliseconds(take(take(8) == 0 ? 700'000 : 3'000));
  while (core_->next_wake() <= until && broken_.empty()) {
    now_ = std::max(now_, core_->next_wake());
    step(Tick{}, "tick");
    if (take(3) == 0) break;
  }
  if (core_->next_wake() > until) now_ = until;
}

void RandomWorker::restart() {
  core_ = std::make_unique<WorkerCore>(setup_of(++boot_));
  works_.clear();
  launched_.clear();
  decisions_.clear();
  open_.clear();
  under_way_.clear();
  kept_.clear();
  tell(fmt::format("boot {}", boot_));
}

void RandomWorker::dispatch() {
  if (!sent_.empty() && take(3) == 0) {
    wire::WorkflowDispatch again = pick(sent_);
    if (take(4) == 0) again.digest = digest_of(take(4));
    return ask(again, "dispatch again");
  }
  wire::WorkflowDispatch dispatch;
  if (take(6) == 0) ++epoch_;
  const auto part = take(8) == 0 ? wire::SharePart::kTeardown : wire::SharePart::kSteps;
  dispatch.attempt = attempt_of(share_of(kJobs[take(2)], take(3), part), epoch_ - take(2), 1 + take(4));
  dispatch.boot = wire::BootId(boot_);
  dispatch.term = wire::Term(3 + epoch_ / 4 - take(2));
  wire::DispatchContent content = content_of(dispatch.attempt.share, take(20) == 0 ? 0 : 1 + take(4));
  content.context_version = take(3);
  content.timeout = std::chrono::seconds(take(3) == 0 ? take(100) : 0);
  content.stop_without_manager_after = std::chrono::seconds(take(3) == 0 ? 0 : take(200));
  if (take(3) == 0) content.blobs = {{digest_of(1), 5}};
  dispatch.digest = digest_of(100 + contents_.size());
  contents_[dispatch.digest] = std::make_shared<const wire::DispatchContent>(content);
  sent_.push_back(dispatch);
  ask(dispatch, "dispatch");
}

void RandomWorker::order() {
  std::vector<wire::AttemptId> known = attempts();
  for (const wire::WorkflowDispatch& each : sent_) known.push_back(each.attempt);
  const wire::AttemptId attempt = known.empty() ? attempt_of(share_of("a")) : pick(known);
  const wire::BootId boot(take(16) == 0 ? 999 : boot_);
  const wire::Term term(take(8) == 0 ? 1 : 3 + epoch_ / 4);
  switch (take(8)) {
    case 0:
    case 1:
    case 2:
      return ask(wire::WorkflowStart{attempt, boot, term, std::chrono::milliseconds(take(300)), {}}, "start");
    case 3: {
      static const std::array<std::string, 4> commands{"vus=3", "pause", "resume", "nonsense"};
      return ask(wire::WorkflowChange{attempt, boot, term, {take(4), 1s, commands[take(4)]}}, "change");
    }
    case 4: {
      wire::WorkflowCancelRequest cancel;
      cancel.job = attempt.share.job;
      if (take(2) == 0) cancel.shares = {attempt.share};
      cancel.epoch = epoch_ - take(3);
      cancel.mode = static_cast<wire::CancelMode>(1 + take(3));
      return ask(cancel, "cancel");
    }
    case 5:
      return ask(wire::WorkerQuery{term, take(2) == 0 ? "" : attempt.share.job}, "query");
    case 6:
      return ask(wire::ResultFetch{attempt, take(10)}, "fetch");
    default:
      released_.insert(attempt);
      return ask(wire::ResultRelease{attempt}, "release");
  }
}

void RandomWorker::cluster() {
  const wire::NodeIdentity one = manager(static_cast<std::uint8_t>(1 + take(3)));
  switch (take(12)) {
    case 0:
      return step(Draining{}, "drain");
    case 1:
    case 2:
    case 3:
      return step(ManagerDown{one.address}, "down");
    case 4:
    case 5:
      return step(LeaderHeard{one, wire::Term(3 + epoch_ / 4)}, "leader");
    default:
      return step(ManagerUp{one}, "up");
  }
}

// What the adapter does next for one attempt; often nothing, and sometimes out of turn.
void RandomWorker::work() {
  const std::vector<wire::AttemptId> all = attempts();
  if (all.empty()) return;
  const wire::AttemptId attempt = pick(all);
  Work& it = works_.at(attempt);
  const std::uint32_t what = take(20);
  if (what < 4) return step(Said{attempt, "a line"}, "said");
  if (what == 4) return step(ExecutorLost{attempt, "lost"}, "lost");
  if (what == 5 && !it.has_processes()) {
    works_.erase(attempt);
    return step(Refused{attempt, Refusal::kResources, "no"}, "refused");
  }
  if (what == 5) return step(Refused{attempt, Refusal::kBadPlan, "no"}, "refused");
  if (what == 6 && it.has_processes()) return end(attempt, take(2) == 0 ? "broken" : "");
  if (what == 7) return step(Begun{attempt, 1ms}, "begun");
  switch (it.step) {
    case Work::Step::kRead:
      return step(ContentRead{attempt, it.content}, "read");
    case Work::Step::kFetch:
      return step(BlobsReady{attempt}, "blobs");
    case Work::Step::kResolve:
      return step(Resolved{attempt}, "resolved");
    case Work::Step::kLaunch:
      it.step = Work::Step::kReady;
      return step(Prepared{attempt}, "prepared");
    case Work::Step::kReady:
    case Work::Step::kStarted:
      if (it.kills > 0 || (it.stops > 0 && take(2) == 0)) return end(attempt, "");
      return step(Reading{attempt, {}, SharedBytes::copy_of(std::string_view("fast")), {}}, "reading");
  }
}

void RandomWorker::end(const wire::AttemptId& attempt, const std::string& error) {
  works_.erase(attempt);
  const SharedBytes body = SharedBytes::copy_of(std::string_view("body"));
  step(Ended{.attempt = attempt, .error = error, .body = body, .context_updates = {}}, "ended");
}

void RandomWorker::answer_one() {
  if (under_way_.empty()) return;
  const std::size_t which = take(static_cast<std::uint32_t>(under_way_.size()));
  const Send send = under_way_[which];
  under_way_.erase(under_way_.begin() + static_cast<std::ptrdiff_t>(which));
  if (take(4) == 0) return step(Unanswered{send.id}, "unanswered");
  step(Acked{send.id, random_answer(send)}, "acked");
}

wire::JobAnswer RandomWorker::random_answer(const Send& send) {
  wire::JobAnswer answer = accepted(send, epoch_ - take(2));
  const std::uint32_t what = take(16);
  if (what > 4) return answer;
  if (what == 0) return wire::Released{};  // no answer to this question
  const wire::Fence higher{epoch_ + 1, 1};
  if (auto* ack = std::get_if<wire::ReportAck>(&answer)) {
    ack->accepted = false;
    if (what == 1) ack->known = higher;
    if (what == 2) ack->leader = manager(static_cast<std::uint8_t>(1 + take(3)));
  } else if (auto* progress = std::get_if<wire::ProgressAck>(&answer)) {
    progress->accepted = what > 2;
    if (what == 1) progress->known = higher;
    progress->pressure = static_cast<wire::Pressure>(take(4));
    progress->exact_through = take(3);
  } else if (auto* query = std::get_if<wire::CancelQueryAnswer>(&answer)) {
    query->known = what != 2;
    query->is_cancelled = what == 3;
    if (what == 1) query->current = higher;
  }
  return answer;
}

// Everybody answers, everything is cancelled, every process obeys a kill, every result is released.
void RandomWorker::settle() {
  for (int round = 0; round < 2'000 && broken_.empty(); ++round) {
    for (const std::string& job : kJobs) {
      wire::WorkflowCancelRequest kill;
      kill.job = job;
      kill.epoch = epoch_ + 100;
      kill.mode = wire::CancelMode::kKill;
      ask(kill, "settle");
    }
    for (const wire::AttemptId& attempt : attempts())
      if (works_.at(attempt).has_processes()) end(attempt, "");
    for (const Send& send : std::exchange(under_way_, {})) step(Acked{send.id, accepted(send, epoch_ + 100)}, "settle");
    for (const auto& [attempt, kept] : std::map(core_->shelf().kept())) {
      released_.insert(attempt);
      ask(wire::ResultRelease{attempt}, "settle");
    }
    if (core_->next_wake() == MonoTime::max()) break;
    now_ = std::max(now_, core_->next_wake());
    step(Tick{}, "settle");
    if (round == 0) step(ManagerUp{manager(1)}, "up");
  }
  rule(core_->cores().available() == kCores, fmt::format("{} cores are free in the end", core_->cores().available()));
  rule(core_->attempts() == 0 && works_.empty(), "an attempt is left");
  rule(core_->shelf().kept().empty() && core_->shelf().reserved() == 0, "a place on the shelf is left");
  rule(open_.empty(), fmt::format("{} questions have no answer", open_.size()));
  rule(core_->next_wake() == MonoTime::max(), "something is still to be done");
}

std::vector<wire::AttemptId> RandomWorker::attempts() const {
  std::vector<wire::AttemptId> out;
  for (const auto& [attempt, work] : works_) out.push_back(attempt);
  return out;
}

void RandomWorker::ask(const wire::JobQuestion& question, const std::string& what) {
  open_.emplace(++tickets_, question);
  step(Asked{Ticket(tickets_), manager(static_cast<std::uint8_t>(1 + take(3))), question}, what);
}

void RandomWorker::step(const WorkerCore::Event& event, const std::string& what) {
  tell(fmt::format("{} {}", now_.ms(), what));
  job_ended_ = false;
  for (const WorkerCore::Action& action : core_->step(event, now_))
    std::visit([&](const auto& kind) { see(kind); }, action);
  check_state();
}

void RandomWorker::see(const Answer& answer) {
  const auto asked = open_.find(answer.ticket.value());
  rule(asked != open_.end(), "a question is answered twice");
  if (asked == open_.end()) return;
  if (const auto* ack = std::get_if<wire::WorkflowDispatchAck>(&answer.answer)) decided(*ack);
  open_.erase(asked);
}

// A fence is decided once; a repeat never turns a refusal into a run.
void RandomWorker::decided(const wire::WorkflowDispatchAck& ack) {
  tell(fmt::format("  {} {}: {}", to_string(ack.attempt), ack.accepted ? "accepted" : "refused", ack.error));
  if (ack.refusal == Refusal::kNotReady || ack.refusal == Refusal::kOldTerm || ack.refusal == Refusal::kOtherBoot ||
      ack.refusal == Refusal::kOtherContent)
    return;
  const auto before = decisions_.find(ack.attempt);
  if (before == decisions_.end()) return void(decisions_.emplace(ack.attempt, ack.accepted));
  rule(before->second || !ack.accepted, "a refused fence is accepted");
}

void RandomWorker::see(const Send& send) {
  under_way_.push_back(send);
}

void RandomWorker::see(const ReadContent& read) {
  const auto content = contents_.find(read.digest);
  Work work;
  work.content = content != contents_.end() ? content->second : contents_.begin()->second;
  rule(works_.emplace(read.attempt, work).second, "an attempt begins twice");
}

void RandomWorker::see(const FetchBlobs& fetch) {
  works_.at(fetch.attempt).step = Work::Step::kFetch;
}

void RandomWorker::see(const Resolve& resolve) {
  works_.at(resolve.attempt).step = Work::Step::kResolve;
}

void RandomWorker::see(const Prepare& prepare) {
  tell("  prepare " + to_string(prepare.attempt));
  for (const auto& [other, work] : works_) {
    if (!work.has_processes()) continue;
    rule(other.share != prepare.attempt.share, "two attempts of one share run together");
    for (const CoreIndex core : prepare.cores)
      rule(std::ranges::find(work.cores, core) == work.cores.end(), "a core runs two attempts");
  }
  wire::Fence& last = launched_[prepare.attempt.share];
  rule(last < prepare.attempt.fence, "a fence fell");
  last = prepare.attempt.fence;
  Work& work = works_.at(prepare.attempt);
  work.step = Work::Step::kLaunch;
  work.cores = prepare.cores;
  rule(work.cores.size() == prepare.content->cores, "not the cores it asked for");
  rule(decisions_.at(prepare.attempt), "what was refused is launched");
}

void RandomWorker::see(const Start& start) {
  Work& work = works_.at(start.attempt);
  rule(work.step == Work::Step::kReady && work.kills == 0, "what is not ready is started");
  work.step = Work::Step::kStarted;
}

void RandomWorker::see(const Change& change) {
  rule(works_.at(change.attempt).step == Work::Step::kStarted, "what has not started is changed");
}

void RandomWorker::see(const Stop& stop) {
  Work& work = works_.at(stop.attempt);
  rule(work.step == Work::Step::kStarted && work.stops++ == 0 && work.kills == 0, "a stop too many");
}

void RandomWorker::see(const Kill& kill) {
  tell("  kill " + to_string(kill.attempt));
  const auto work = works_.find(kill.attempt);
  if (work == works_.end()) return;  // its own refusal ended the preparation
  if (!work->second.has_processes()) return void(works_.erase(work));
  rule(work->second.kills++ == 0, "killed twice");
}

void RandomWorker::see(const Note& note) {
  if (note.text.find("no manager knows it") != std::string::npos) job_ended_ = true;
}

void RandomWorker::check_state() {
  std::uint32_t taken = 0;
  for (const auto& [attempt, work] : works_) taken += static_cast<std::uint32_t>(work.cores.size());
  rule(taken <= kCores - core_->cores().available(), "cores are free while their processes run");
  std::set<wire::AttemptId> kept;
  for (const auto& [attempt, result] : core_->shelf().kept()) kept.insert(attempt);
  for (const wire::AttemptId& attempt : kept_)
    rule(kept.contains(attempt) || released_.contains(attempt) || job_ended_, "a result left the shelf");
  rule(kept.size() + core_->shelf().reserved() <= kResultsMax, "the shelf is overfull");
  for (const wire::AttemptId& attempt : kept) released_.erase(attempt);  // a release before the result is none
  kept_ = std::move(kept);
}

void RandomWorker::rule(bool holds, const std::string& what) {
  if (!holds) broken_.push_back(what);
}

void RandomWorker::tell(const std::string& what) {
  story_.push_back(what);
  if (story_.size() > kStoryMax) story_.erase(story_.begin());
}

std::string RandomWorker::story() const {
  return fmt::format("{}", fmt::join(story_, "\n"));
}

}  // namespace hyperscale::worker
