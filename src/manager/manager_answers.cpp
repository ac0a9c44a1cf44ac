// ManagerCore: questions to workers and what their answers mean.
#include "manager/manager_core.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::manager {
namespace {

const wire::AttemptId* attempt_of(const wire::JobQuestion& message) {
  if (const auto* dispatch = std::get_if<wire::WorkflowDispatch>(&message)) return &dispatch->attempt;
  if (const auto* start = std::get_if<wire::WorkflowStart>(&message)) return &start->attempt;
  return nullptr;
}

}  // namespace

void ManagerCore::ask(const std::string& worker, wire::JobQuestion message, MonoTime give_up_at) {
  Question question{.worker = worker, .message = std::move(message), .give_up_at = give_up_at};
  const QuestionId id = questions_.open(question);
  send(id, question);
}

// What depends on the moment is added here, for each repetition again: the bytes of a dispatch, which are not kept for
// each share, and the time left until a start.
void ManagerCore::send(QuestionId id, const Question& question) {
  Ask asked{id, question.worker, question.message};
  if (auto* dispatch = std::get_if<wire::WorkflowDispatch>(&asked.message)) {
    Share& share = *share_of(dispatch->attempt);
    share.attempt().dispatched = true;
    SharedBytes content = config_.encode_content(content_of(*job_of(dispatch->attempt.share.job), share));
    share.set_digest(config_.sha256(content.view()));
    dispatch->term = *term_;
    dispatch->content_bytes = content.size();
    if (content.size() <= wire::kContentInlineBytesMax) dispatch->content = std::move(content);
  }
  if (auto* start = std::get_if<wire::WorkflowStart>(&asked.message)) {
    const Duration left = share_of(start->attempt)->attempt().start_at - now_;
    start->term = *term_;
    start->start_in = std::max(left - pool_.round_trip_of(question.worker) / 2, Duration::zero());
  }
  out_.emplace_back(std::move(asked));
}

void ManagerCore::drop_questions(const wire::AttemptId& attempt) {
  questions_.drop([&](const Question& each) {
    const wire::AttemptId* about = attempt_of(each.message);
    return about && *about == attempt;
  });
}

void ManagerCore::handle(const Answered& event) {
  auto question = questions_.answered(event.question);
  if (!question) return;
  touch(job_of_question(question->message));
  if (!answered(*question, event.answer)) questions_.repeat(std::move(*question), now_, jitter_);
}

void ManagerCore::handle(const AskFailed& event) {
  if (const auto question = questions_.failed(event.question, now_, jitter_)) given_up(*question);
}

// No answer in all its patience. The worker is alive for the cluster, so the attempt is fenced before it moves.
void ManagerCore::given_up(const Question& question) {
  const wire::AttemptId* attempt = attempt_of(question.message);
  Share* share = attempt ? share_of(*attempt) : nullptr;
  touch(job_of_question(question.message));
  if (!share || !share->is_current(attempt->fence) || !share->with_worker()) return;
  const bool is_dispatch = std::holds_alternative<wire::WorkflowDispatch>(question.message);
  // A message of the attempt has confirmed it meanwhile.
  if (is_dispatch ? share->phase() != SharePhase::kDispatching : share->phase() != SharePhase::kStarting) return;
  LedJob& job = *job_of(attempt->share.job);
  if (stops(job, *share)) return;
  pool_.hold_off(question.worker, now_ + kHoldOff);
  lose(job, *share, fmt::format("worker {} did not answer a {}", question.worker, is_dispatch ? "dispatch" : "start"),
       true);
}

// False: it has to be asked again.
bool ManagerCore::answered(const Question& question, const wire::JobAnswer& answer) {
  const auto pair = [&]<typename Asked, typename Told>(bool (ManagerCore::*take)(const Asked&, const Told&)) {
    const auto* asked = std::get_if<Asked>(&question.message);
    const auto* told = std::get_if<Told>(&answer);
    return asked && told ? std::optional((this->*take)(*asked, *told)) : std::nullopt;
  };
  if (const auto done = pair(&ManagerCore::dispatch_answered)) return *done;
  if (const auto done = pair(&ManagerCore::start_answered)) return *done;
  if (const auto done = pair(&ManagerCore::cancel_answered)) return *done;
  if (std::holds_alternative<wire::ResultRelease>(question.message) && std::holds_alternative<wire::Released>(answer))
    return true;
  out_.emplace_back(Note{fmt::format("worker {} gave an answer of another kind", question.worker)});
  return now_ >= question.give_up_at;
}

bool ManagerCore::dispatch_answered(const wire::WorkflowDispatch& dispatch, const wire::WorkflowDispatchAck& ack) {
  Share* share = share_of(dispatch.attempt);
  if (!share || !share->is_current(dispatch.attempt.fence) || share->phase() != SharePhase::kDispatching) return true;
  LedJob& job = *job_of(dispatch.attempt.share.job);
  if (ack.accepted) {
    share->accepted(now_);
    pool_.accepted({job.id(), share->number()});
    // A cancel that overtook the dispatch has stopped nothing.
    share->attempt().cancel_asked = false;
    share->attempt().cancel_known = false;
    return true;
  }
  const std::string worker = share->attempt().worker;
  std::string why = fmt::format("worker {} refused it: {}", worker, ack.error);
  if (stops(job, *share)) return close_share(job, *share, {}), true;
  switch (ack.refusal) {
    case wire::Refusal::kBadPlan:
      fail_workflow(job, dispatch.attempt.share.workflow, ack.error);
      return close_share(job, *share, ack.error), true;
    case wire::Refusal::kOldFence:
      if (ack.known.epoch <= job.epoch) share->rise_above(ack.known);
      break;
    case wire::Refusal::kOtherContent:
      out_.emplace_back(Note{fmt::format("bug: {}", why)});
      break;
    default:
      break;
  }
  pool_.hold_off(worker, now_ + kHoldOff);
  lose(job, *share, std::move(why), ack.refusal == wire::Refusal::kResources);
  return true;
}

bool ManagerCore::start_answered(const wire::WorkflowStart& start, const wire::OrderAck& ack) {
  Share* share = share_of(start.attempt);
  if (!share || !share->is_current(start.attempt.fence) || share->phase() != SharePhase::kStarting) return true;
  if (ack.accepted) return share->running(now_), true;
  if (ack.refusal == wire::Refusal::kNotReady && now_ < share->since() + kDispatchPatience) return false;
  LedJob& job = *job_of(start.attempt.share.job);
  if (!stops(job, *share))
    lose(job, *share, fmt::format("worker {} did not start it: {}", share->attempt().worker, ack.error), true);
  return true;
}

bool ManagerCore::cancel_answered(const wire::WorkflowCancelRequest& request,
                                  const wire::WorkflowCancelResponse& response) {
  if (!response.success) return false;
  LedJob* job = job_of(request.job);
  if (!job) return true;
  for (const wire::ShareId& id : request.shares) {
    Share* share = job->shares.find({id.workflow, id.part, id.share});
    if (share && share->with_worker() && share->attempt().cancel_asked) share->attempt().cancel_known = true;
  }
  return true;
}

}  // namespace hyperscale::manager
