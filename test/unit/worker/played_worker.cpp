#include "played_worker.h"

#include "base/check.h"

#include <algorithm>

namespace hyperscale::worker {

PlayedWorker::PlayedWorker(std::uint32_t cores) : PlayedWorker(WorkerSetup{.boot = kBoot, .cores = cores}) {}
PlayedWorker::PlayedWorker(const WorkerSetup& setup) : core(setup) {}

void PlayedWorker::feed(const WorkerCore::Event& event) {
  next_.push_back(event);
  while (!next_.empty()) {
    const WorkerCore::Event one = std::move(next_.front());
    next_.pop_front();
    step(one);
  }
}

void PlayedWorker::step(const WorkerCore::Event& event) {
  for (const WorkerCore::Action& action : core.step(event, now)) {
    actions_.push_back(action);
    std::visit([&](const auto& kind) { obey(kind); }, action);
  }
}

void PlayedWorker::pass(Duration time) {
  const MonoTime until = now + time;
  for (int i = 0; core.next_wake() <= until; ++i) {
    CHECK(i < 1'000'000, "the core keeps waking itself");
    now = std::max(now, core.next_wake());
    feed(Tick{});
  }
  now = until;
}

wire::WorkflowDispatch PlayedWorker::dispatch(const wire::AttemptId& attempt, const wire::DispatchContent& content) {
  wire::WorkflowDispatch out;
  out.attempt = attempt;
  out.boot = kBoot;
  out.term = kTerm;
  out.content = SharedBytes::copy_of(std::string_view("content"));
  const auto same = std::ranges::find_if(contents_, [&](const auto& known) {
    const wire::DispatchContent& other = *known.second;
    return other.share == content.share && other.cores == content.cores && other.blobs == content.blobs &&
           other.context_version == content.context_version && other.timeout == content.timeout &&
           other.stop_without_manager_after == content.stop_without_manager_after;
  });
  out.digest = same != contents_.end() ? same->first : digest_of(contents_.size() + 1);
  contents_.emplace(out.digest, std::make_shared<const wire::DispatchContent>(content));
  return out;
}

Ticket PlayedWorker::ask_later(const wire::JobQuestion& question, const wire::NodeIdentity& from) {
  const Ticket ticket(++tickets_);
  feed(Asked{ticket, from, question});
  return ticket;
}

wire::WorkflowDispatchAck PlayedWorker::place(const wire::WorkflowDispatch& dispatch) {
  return ask<wire::WorkflowDispatchAck>(dispatch).value();
}

wire::OrderAck PlayedWorker::start(const wire::AttemptId& attempt, Duration in) {
  return ask<wire::OrderAck>(wire::WorkflowStart{attempt, kBoot, kTerm, in, {}}).value();
}

wire::OrderAck PlayedWorker::change(const wire::AttemptId& attempt, std::uint32_t number, const std::string& command) {
  return ask<wire::OrderAck>(wire::WorkflowChange{attempt, kBoot, kTerm, {number, 1s, command}}).value();
}

wire::WorkflowCancelResponse PlayedWorker::cancel(const std::string& job, wire::CancelMode mode, std::uint64_t epoch,
                                                  std::vector<wire::ShareId> shares) {
  const wire::WorkflowCancelRequest request{job, std::move(shares), epoch, mode, "anna", "asked"};
  return ask<wire::WorkflowCancelResponse>(request).value();
}

void PlayedWorker::run(const wire::AttemptId& attempt, std::uint32_t cores) {
  CHECK(place(dispatch(attempt, cores)).accepted);
  CHECK(start(attempt).accepted);
}

void PlayedWorker::end(const wire::AttemptId& attempt, std::string error, const std::string& body) {
  feed(Ended{.attempt = attempt,
             .error = std::move(error),
             .body = SharedBytes::copy_of(body),
             .digest = digest_of(body.size()),
             .context_updates = {},
             .requests = 5});
}

void PlayedWorker::obey(const Answer& answer) {
  CHECK(answers.emplace(answer.ticket, answer.answer).second, "ticket {} is answered twice", answer.ticket.value());
}

void PlayedWorker::obey(const Send& send) {
  const auto answer = managers ? managers(send) : std::optional(accepted(send));
  if (answer) next_.push_back(Acked{send.id, *answer});
}

void PlayedWorker::obey(const ReadContent& read) {
  if (adapter.reads) next_.push_back(ContentRead{read.attempt, contents_.at(read.digest)});
}

void PlayedWorker::obey(const FetchBlobs& fetch) {
  if (adapter.fetches) next_.push_back(BlobsReady{fetch.attempt});
}

void PlayedWorker::obey(const Resolve& resolve) {
  if (adapter.resolves) next_.push_back(Resolved{resolve.attempt});
}

void PlayedWorker::obey(const Prepare& prepare) {
  prepared_[prepare.attempt] = true;
  if (adapter.prepares) next_.push_back(Prepared{prepare.attempt});
}

void PlayedWorker::obey(const Stop& stop) {
  if (adapter.ends_on_stop)
    next_.push_back(Ended{.attempt = stop.attempt, .error = {}, .body = {}, .context_updates = {}});
}

void PlayedWorker::obey(const Kill& kill) {
  if (adapter.ends_on_kill && prepared_.erase(kill.attempt) > 0)
    next_.push_back(Ended{.attempt = kill.attempt, .error = {}, .body = {}, .context_updates = {}});
}

}  // namespace hyperscale::worker
