#include "datacenter.h"

#include "base/check.h"
#include "base/duration_text.h"
#include "plan/layers.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::manager {
namespace {

constexpr Duration kNoticed = 3s;   // from a death or a cut to WorkerDown
constexpr Duration kNoAnswer = 1s;  // until a question counts as unanswered
constexpr Duration kHeartbeat = 1s;
constexpr std::size_t kStoryMax = 200;

// As a name of content, not as a secret: FNV-1a, repeated.
wire::Sha256 digest_of(ByteView bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const std::uint8_t byte : bytes) hash = (hash ^ byte) * 0x100000001b3;
  wire::Sha256 digest;
  for (std::size_t i = 0; i < digest.size(); ++i) digest[i] = static_cast<std::uint8_t>(hash >> (i % 8 * 8));
  return digest;
}

// Begins with the cores, for SimWorker.
SharedBytes content_bytes(const wire::DispatchContent& content) {
  std::string text = fmt::format("{} {}/{}.{}.{} {} slots {}+{} of {} users {} version {}", content.cores,
                                 content.share.job, content.share.workflow, static_cast<int>(content.share.part),
                                 content.share.share, content.workflow_name, content.first_slot, content.slots,
                                 content.slot_total, content.vus, content.context_version);
  for (const wire::ContextValue& each : content.context)
    text += fmt::format(" {}.{}={}", each.source, each.key, each.json);
  return SharedBytes::copy_of(text);
}

std::string text_of(const wire::AttemptId& id) {
  return fmt::format("{}/{}.{}.{}@{}.{}", id.share.job, id.share.workflow, static_cast<int>(id.share.part),
                     id.share.share, id.fence.epoch & 0xffff, id.fence.attempt);
}

std::string text_of(const wire::JobQuestion& message) {
  std::string text(message.index() == 0   ? "dispatch"
                   : message.index() == 1 ? "start"
                   : message.index() == 3 ? "cancel"
                                          : "release");
  std::visit(
      [&](const auto& each) {
        if constexpr (requires { each.attempt; }) text += " " + text_of(each.attempt);
      },
      message);
  return text;
}

ManagerCore::Config config() {
  return {.self = {.name = "m1", .role = wire::NodeRole::kManager, .datacenter = "eu-1", .address = {}},
          .encode_content = content_bytes,
          .sha256 = digest_of};
}

}  // namespace

Submission some_submission(const std::string& job, plan::Job plan) {
  Submission submission;
  submission.job = job;
  submission.tenant = "tenant";
  submission.digest = digest_of(as_bytes(job));
  submission.workflows.resize(plan.workflows.size());
  submission.plan = std::move(plan);
  return submission;
}

Datacenter::Datacenter(Options options)
    : options_(options),
      prng_(options.seed),
      entropy_(prng_.stream("entropy")),
      core_(config(), entropy_, prng_.stream("jitter")),
      journal_(jobs::MemoryJournal("dc/eu-1")) {
  if (options.slow_journal) journal_.emplace<jobs::SlowJournal>("dc/eu-1", *options.slow_journal);
  host_ = {.now = [this] { return now_; },
           .after = [this](Duration delay, std::function<void()> what) { after(delay, std::move(what)); },
           .report = [this](const std::string& worker, SimWorker::Report each) { report(worker, std::move(each)); },
           .workflow = [this](const wire::ShareId& share) -> const plan::Workflow& {
             return plans_.at(share.job).workflows[share.workflow];
           },
           .ready_after = [this] { return prng_.between(20ms, 900ms); },
           .executed = [this](Execution each) { executions_.push_back(std::move(each)); }};
  win_leadership();
  tick();
  run_for(0s);  // it leads from the first moment
}

// --- time

void Datacenter::after(Duration delay, std::function<void()> what) {
  schedule_.emplace(std::pair(now_ + delay, ++scheduled_), std::move(what));
}

void Datacenter::run_for(Duration time) {
  const MonoTime end = now_ + time;
  while (schedule_.begin()->first.first <= end) {
    auto due = schedule_.extract(schedule_.begin());
    now_ = due.key().first;
    due.mapped()();
  }
  now_ = end;
}

bool Datacenter::run_until(const std::function<bool()>& done, Duration limit) {
  for (const MonoTime end = now_ + limit; now_ < end && !done();) run_for(50ms);
  return done();
}

bool Datacenter::run_until_over(Duration limit) {
  return run_until([&] { return std::ranges::all_of(plans_, [&](const auto& each) { return over(each.first); }); },
                   limit);
}

void Datacenter::tick() {
  step(Tick{});
  after(kManagerTick, [this] { tick(); });
}

Duration Datacenter::latency() {
  return prng_.between(Duration(100'000), options_.latency_max);
}

bool Datacenter::is_lost() {
  return prng_.below(100) < options_.lost_percent;
}

// --- workers

void Datacenter::add_worker(const std::string& name, std::uint32_t cores) {
  workers_[name].model = std::make_unique<SimWorker>(name, cores, ++boots_, host_);
  heartbeat(name);
}

void Datacenter::heartbeat(const std::string& name) {
  const Seat& seat = workers_.at(name);
  if (!seat.alive) return;
  const SimWorker& model = *seat.model;
  if (!seat.cut)
    step(WorkerSeen{{.name = name,
                     .boot = model.boot(),
                     .total_cores = model.cores(),
                     .available_cores = model.cores() - model.used(),
                     .version = model.version()}});
  after(kHeartbeat, [this, name] { heartbeat(name); });
}

void Datacenter::kill(const std::string& name) {
  Seat& seat = workers_.at(name);
  tell("kill " + name);
  seat.alive = false;
  seat.model->restart(++boots_);
  after(kNoticed, [this, name] {
    if (!workers_.at(name).alive) step(WorkerDown{name});
  });
}

void Datacenter::restart(const std::string& name) {
  Seat& seat = workers_.at(name);
  tell("restart " + name);
  seat.model->restart(++boots_);
  const bool was_alive = std::exchange(seat.alive, true);
  if (!was_alive) heartbeat(name);
}

void Datacenter::cut(const std::string& name) {
  tell("cut " + name);
  workers_.at(name).cut = true;
  after(kNoticed, [this, name] {
    if (workers_.at(name).cut) step(WorkerDown{name});
  });
}

void Datacenter::heal(const std::string& name) {
  tell("heal " + name);
  workers_.at(name).cut = false;
}

void Datacenter::report(const std::string& worker, SimWorker::Report report) {
  // An event is repeated until it is acknowledged; the others are repeated by the worker, or need not be.
  if (!workers_.at(worker).reachable() || is_lost()) {
    if (const auto* event = std::get_if<wire::WorkflowEvent>(&report); event && workers_.at(worker).alive)
      after(1s, [this, worker, boot = workers_.at(worker).model->boot(), report] {
        if (workers_.at(worker).model->boot() == boot) this->report(worker, report);
      });
    return;
  }
  after(latency(), [this, worker, report = std::move(report)] { deliver(worker, report); });
}

void Datacenter::deliver(const std::string& worker, SimWorker::Report report) {
  const ReportId id(++reports_);
  waiting_reports_.emplace(id, std::pair(worker, report));
  if (const auto* progress = std::get_if<wire::ShareProgress>(&report)) {
    if (core_.counts(progress->attempt)) folded_[progress->attempt] = progress->elapsed;
    Progressed event{.report = id, .progress = *progress};
    if (const auto known = folded_.find(progress->attempt); known != folded_.end()) event.counted_to = known->second;
    event.exact_through = progress->sequence;
    return step(event);
  }
  if (const auto* event = std::get_if<wire::WorkflowEvent>(&report)) return step(Reported{id, *event});
  if (const auto* result = std::get_if<wire::WorkflowFinalResult>(&report)) return step(Finished{id, *result});
  step(CancelQueried{id, std::get<wire::CancelQuery>(report)});
}

void Datacenter::carry_out(const Reply& action) {
  const auto waiting = waiting_reports_.extract(action.report);
  rule(!waiting.empty(), "a report is answered twice");
  if (waiting.empty()) return;
  const std::string worker = waiting.mapped().first;
  const SimWorker::Report of = waiting.mapped().second;
  if (is_lost()) {
    if (std::holds_alternative<wire::WorkflowEvent>(of)) report(worker, of);
    return;
  }
  after(latency(), [this, worker, of, answer = action.answer] {
    Seat& seat = workers_.at(worker);
    if (seat.reachable()) std::visit([&](const auto& each) { seat.model->acknowledged(of, each); }, answer);
  });
}

void Datacenter::carry_out(const Ask& action) {
  check_ask(action);
  asked_.push_back({now_, action.worker, action.message});
  if (const auto* dispatch = std::get_if<wire::WorkflowDispatch>(&action.message))
    dispatched_[dispatch->attempt] = {action.worker, dispatch->from_elapsed};
  const auto fails = [this, id = action.question] { step(AskFailed{id, {ErrorCode::kTimeout, "no answer"}}); };
  if (is_lost()) return after(kNoAnswer, fails);
  after(latency(), [this, action, fails] {
    const auto seat = workers_.find(action.worker);
    if (seat == workers_.end() || !seat->second.reachable() || seat->second.model->is_mute)
      return after(kNoAnswer, fails);
    const wire::JobAnswer answer = seat->second.model->answer(action.message);
    if (is_lost()) return after(kNoAnswer, fails);
    after(latency(), [this, id = action.question, answer] { step(Answered{id, answer}); });
  });
}

// --- the node

void Datacenter::win_leadership() {
  const jobs::MemoryJournal::Won won{wire::Term(++term_)};
  journal_events(std::visit([&](auto& journal) { return journal.step(won, now_); }, journal_));
}

void Datacenter::lose_leadership() {
  journal_events(std::visit([&](auto& journal) { return journal.step(jobs::MemoryJournal::Lost{}, now_); }, journal_));
}

void Datacenter::carry_out(const Journal& action) {
  journal_events(std::visit([&](auto& journal) { return journal.ask(action.request, now_); }, journal_));
  wake_journal();
}

void Datacenter::wake_journal() {
  auto* slow = std::get_if<jobs::SlowJournal>(&journal_);
  if (!slow || slow->next_due() == MonoTime::max()) return;
  after(slow->next_due() - now_, [this, slow] {
    journal_events(slow->step(jobs::SlowJournal::Due{}, now_));
    wake_journal();
  });
}

void Datacenter::journal_events(Actions<jobs::JournalEvent> events) {
  for (jobs::JournalEvent& event : events)
    after(0s, [this, event = std::move(event)] {
      if (const auto* committed = std::get_if<jobs::Committed>(&event)) {
        const auto is_last = [](const jobs::Record& each) {
          return std::holds_alternative<jobs::JobCompleted>(each) || std::holds_alternative<jobs::JobFailed>(each) ||
                 std::holds_alternative<jobs::JobTimedOut>(each);
        };
        rule(!has_record(committed->job, is_last), "a record after the last one of " + committed->job);
        records_.emplace_back(committed->job, *jobs::decode_record(committed->event.view()));
        tell(fmt::format("committed {} {}", committed->job, jobs::name(records_.back().second)));
      }
      step(Journalled{event});
    });
}

void Datacenter::carry_out(const StoreBlob& action) {
  after(5ms, [this, job = action.job] { step(BlobStored{job, {}}); });
}

void Datacenter::carry_out(const FetchResult& action) {
  rule(fetching_.insert(action.attempt).second, "fetched twice at a time: " + text_of(action.attempt));
  fetches_most_ = std::max(fetches_most_, fetching_.size());
  after(prng_.between(5ms, 60ms), [this, action] {
    const auto seat = workers_.find(action.worker);
    Status status;
    if (seat == workers_.end() || !seat->second.reachable() || !seat->second.model->runs(action.attempt.share)) {
      status = fail(ErrorCode::kUnavailable, "the worker does not answer");
    } else if (fetch_fault) {
      status = fetch_fault(action.attempt);
    }
    if (!status) fetching_.erase(action.attempt);
    step(ResultFetched{action.attempt, status});
  });
}

void Datacenter::carry_out(const MergeShare& action) {
  const wire::AttemptId& id = action.attempt;
  rule(merged_.insert(id).second, "merged twice: " + text_of(id));
  const Duration from = dispatched_[id].second;
  const Duration to = action.from_progress ? folded_[id] : host_.workflow(id.share).plan.load.duration;
  counted_[id.share].emplace_back(from, to);
  after(10ms, [this, id] {
    fetching_.erase(id);
    step(ShareMerged{id, {}});
  });
}

void Datacenter::carry_out(const DropFigures& action) {
  folded_.erase(action.attempt);
  rule(!merged_.contains(action.attempt), "figures that count are dropped");
}

void Datacenter::carry_out(const StoreResult& action) {
  stored_.push_back(action);
  after(15ms, [this, action] {
    step(ResultStored{action.job, action.workflow,
                      store_fault ? store_fault(action) : Result<wire::BlobName>(wire::BlobName{{9}, 9})});
  });
}

void Datacenter::carry_out(const SubmitAnswer& action) {
  rule(submit_answers_.emplace(action.request, action).second, "a submission is answered twice");
  if (!action.accepted) return;
  rule(has_record(action.job, [](const auto& each) { return std::holds_alternative<jobs::JobAccepted>(each); }),
       "an answer before the job is accepted");
}

void Datacenter::carry_out(const CancelAnswer& action) {
  rule(cancel_answers_.emplace(action.request, action).second, "a cancel is answered twice");
  if (!action.cancelled) return;
  rule(has_record(action.job, [](const auto& each) { return std::holds_alternative<jobs::CancelRequested>(each); }),
       "an answer before the cancel is recorded");
}

void Datacenter::carry_out(const Push& action) {
  pushed_.push_back(action);
  const auto* state = std::get_if<StateChanged>(&action.event);
  if (state) tell(fmt::format("{} is {}", action.job, name(state->state)));
  if (!state || !is_terminal(state->state)) return;
  rule(!records(action.job).empty() && job(action.job).record.over(), "the end is pushed before its record");
}

void Datacenter::carry_out(const DropJob&) {}

void Datacenter::carry_out(const Note& action) {
  notes_.push_back(action.text);
  tell("note: " + action.text);
}

// --- callers

RequestId Datacenter::submit(Submission submission) {
  const RequestId id(++requests_);
  plans_.try_emplace(submission.job, submission.plan);
  step(Submitted{id, std::move(submission)});
  return id;
}

RequestId Datacenter::cancel(const std::string& job, std::optional<std::uint64_t> gate_fence) {
  const RequestId id(++requests_);
  tell("cancel " + job);
  step(CancelAsked{id, job, "someone", "no longer wanted", gate_fence});
  return id;
}

void Datacenter::feed(const ManagerCore::Event& event) {
  step(event);
}

void Datacenter::step(const ManagerCore::Event& event) {
  for (const ManagerCore::Action& action : core_.step(event, now_))
    std::visit([&](const auto& each) { carry_out(each); }, action);
}

// --- rules

void Datacenter::check_ask(const Ask& ask) {
  tell(fmt::format("ask {}: {}", ask.worker, text_of(ask.message)));
  const auto number = [](const wire::ShareId& id) { return jobs::ShareNumber{id.workflow, id.part, id.share}; };
  if (const auto* dispatch = std::get_if<wire::WorkflowDispatch>(&ask.message)) {
    const wire::AttemptId& id = dispatch->attempt;
    rule(has_record(id.share.job,
                    [&](const jobs::Record& each) {
                      const auto* provisioned = std::get_if<jobs::Provisioned>(&each);
                      return provisioned && std::ranges::any_of(provisioned->shares, [&](const jobs::Provision& one) {
                               return one.share == number(id.share) && one.fence == id.fence &&
                                      one.worker == ask.worker && one.boot == dispatch->boot &&
                                      one.digest == dispatch->digest;
                             });
                    }),
         "a dispatch before its record: " + text_of(id));
    rule(!has_record(id.share.job,
                     [&](const jobs::Record& each) {
                       const auto* ended = std::get_if<jobs::AttemptEnded>(&each);
                       return ended && ended->share == number(id.share) &&
                              (ended->excluded == ask.worker || ended->fence >= id.fence);
                     }),
         "a dispatch to an excluded worker, or of an old attempt: " + text_of(id));
    rule(digest_of(dispatch->content.view()) == dispatch->digest, "the content is not that of the digest");
    const plan::Job& plan = plans_.at(id.share.job);
    std::vector<plan::Dependent> members;
    for (const plan::Workflow& each : plan.workflows) members.push_back({each.plan.name, each.depends});
    const plan::Layers layers = *plan::layers_of("workflow", members);
    std::uint32_t layer = 0;
    while (std::ranges::find(layers[layer], id.share.workflow) == layers[layer].end()) ++layer;
    rule(layer == 0 || has_record(id.share.job,
                                  [&](const jobs::Record& each) {
                                    const auto* sync = std::get_if<jobs::LayerSync>(&each);
                                    return sync && sync->version == layer;
                                  }),
         "a layer before the context of the last: " + text_of(id));
  }
  if (const auto* start = std::get_if<wire::WorkflowStart>(&ask.message)) {
    const wire::ShareId& id = start->attempt.share;
    const bool waits = host_.workflow(id).plan.script.has_setup && id.part == wire::SharePart::kSteps;
    rule(!waits || has_record(id.job,
                              [&](const jobs::Record& each) {
                                const auto* done = std::get_if<jobs::SetupDone>(&each);
                                return done && done->workflow == id.workflow;
                              }),
         "a start before the setup is recorded");
    rule(start->start_in <= kStartLead, "a start too far ahead");
  }
  if (const auto* release = std::get_if<wire::ResultRelease>(&ask.message)) {
    const wire::AttemptId& id = release->attempt;
    const Share* share = job(id.share.job).shares.find(number(id.share));
    rule(id.share.part != wire::SharePart::kSteps || share->phase() == SharePhase::kOver ||
             has_record(id.share.job,
                        [&](const jobs::Record& each) {
                          const auto* merged = std::get_if<jobs::WorkflowMerged>(&each);
                          const auto* ended = std::get_if<jobs::AttemptEnded>(&each);
                          return (merged && merged->workflow == id.share.workflow) ||
                                 (ended && ended->share == number(id.share) && ended->fence == id.fence);
                        }),
         "a release before the result is recorded: " + text_of(id));
  }
}

const LedJob& Datacenter::job(const std::string& id) const {
  const LedJob* known = core_.find(id);
  CHECK(known, "job {} is not known\n{}", id, story());
  return *known;
}

bool Datacenter::has_record(const std::string& job, const std::function<bool(const jobs::Record&)>& which) const {
  return std::ranges::any_of(records_, [&](const auto& each) { return each.first == job && which(each.second); });
}

std::vector<jobs::Record> Datacenter::records(const std::string& job) const {
  std::vector<jobs::Record> records;
  for (const auto& [of, record] : records_)
    if (of == job) records.push_back(record);
  return records;
}

std::vector<Datacenter::Journey> Datacenter::asked(const std::function<bool(const wire::JobQuestion&)>& which) const {
  std::vector<Journey> found;
  for (const Journey& each : asked_)
    if (!which || which(each.message)) found.push_back(each);
  return found;
}

void Datacenter::rule(bool holds, const std::string& what) {
  if (holds) return;
  broken_.push_back(what);
  tell("BROKEN: " + what);
}

void Datacenter::tell(std::string what) {
  story_.push_back(fmt::format("{:.3f} {}", seconds(now_ - MonoTime()) - 1000, what));
  if (story_.size() > kStoryMax) story_.erase(story_.begin());
}

std::string Datacenter::story() const {
  return fmt::format("{}", fmt::join(story_, "\n"));
}

}  // namespace hyperscale::manager
