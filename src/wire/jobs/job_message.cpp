#include "wire/jobs/job_message.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>

namespace hyperscale::wire {
namespace {

struct JobAction {
  std::string_view name;
  JobPriority priority;
  std::size_t answer;  // number in JobAnswer
};

template <typename Answer>
constexpr std::size_t answer_index() {
  const std::array<bool, std::variant_size_v<JobAnswer>> same = []<typename... Answers>(std::variant<Answers...>*) {
    return std::array{std::is_same_v<Answer, Answers>...};
  }(static_cast<JobAnswer*>(nullptr));
  std::size_t at = 0;
  while (!same.at(at)) ++at;
  return at;
}

// In the order of JobQuestion. A query about a cancel is part of cancelling: it finds the order that was lost.
constexpr std::array<JobAction, std::variant_size_v<JobQuestion>> kJobActions{{
    {"workflow_dispatch", JobPriority::kHigh, answer_index<WorkflowDispatchAck>()},
    {"workflow_start", JobPriority::kHigh, answer_index<OrderAck>()},
    {"workflow_change", JobPriority::kHigh, answer_index<OrderAck>()},
    {"cancel_workflow", JobPriority::kCritical, answer_index<WorkflowCancelResponse>()},
    {"worker_query", JobPriority::kHigh, answer_index<WorkerAnswer>()},
    {"result_fetch", JobPriority::kNormal, answer_index<BytesPart>()},
    {"result_release", JobPriority::kHigh, answer_index<Released>()},
    {"blob_want", JobPriority::kNormal, answer_index<BytesPart>()},
    {"workflow_progress", JobPriority::kLow, answer_index<ProgressAck>()},
    {"workflow_event", JobPriority::kHigh, answer_index<ReportAck>()},
    {"workflow_final_result", JobPriority::kCritical, answer_index<ReportAck>()},
    {"workflow_cancellation_query", JobPriority::kCritical, answer_index<CancelQueryAnswer>()},
    {"worker_registration", JobPriority::kNormal, answer_index<RegistrationAck>()},
}};

const JobAction* find_job_action(std::string_view name) {
  const auto* const found = std::ranges::find(kJobActions, name, &JobAction::name);
  return found == kJobActions.end() ? nullptr : found;
}

}  // namespace

std::string_view action_of(const JobQuestion& question) {
  return kJobActions.at(question.index()).name;
}

JobPriority priority_of(const JobQuestion& question) {
  return kJobActions.at(question.index()).priority;
}

JobPriority priority_of_action(std::string_view action) {
  const JobAction* const found = find_job_action(action);
  return found == nullptr ? JobPriority::kLow : found->priority;
}

bool answers(const JobAnswer& answer, std::string_view action) {
  const JobAction* const found = find_job_action(action);
  return found != nullptr && found->answer == answer.index();
}

}  // namespace hyperscale::wire
