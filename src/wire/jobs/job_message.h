// JobQuestion and JobAnswer: every message of the job links, between managers and workers. A question is carried by a
// sealed frame whose action is its name; the answer by the frame that answers it.
//
// Plain values; any thread. Bytes: jobs_codec.h. docs/formats/wire.md maps the catalogue's messages to these.
#pragma once

#include "wire/jobs/dispatch.h"
#include "wire/jobs/worker_reports.h"

#include <cstdint>
#include <string_view>
#include <variant>

namespace hyperscale::wire {

using JobQuestion = std::variant<WorkflowDispatch, WorkflowStart, WorkflowChange, WorkflowCancelRequest, WorkerQuery,
                                 ResultFetch, ResultRelease, BlobWant, ShareProgress, WorkflowEvent,
                                 WorkflowFinalResult, CancelQuery, WorkerRegistration>;

using JobAnswer = std::variant<WorkflowDispatchAck, OrderAck, WorkflowCancelResponse, WorkerAnswer, BytesPart, Released,
                               ProgressAck, ReportAck, CancelQueryAnswer, RegistrationAck>;

// "workflow_dispatch", "workflow_progress", ...
std::string_view action_of(const JobQuestion& question);
// True for the one kind of answer that a question of this action has.
bool answers(const JobAnswer& answer, std::string_view action);

// Classes of README and AD-22: a node under load refuses the higher numbers first, and never the first class.
enum class JobPriority : std::uint8_t { kCritical = 0, kHigh = 1, kNormal = 2, kLow = 3 };
JobPriority priority_of(const JobQuestion& question);
// The same by its action, so that a question is refused before it is decoded; an unknown one is of the last class.
JobPriority priority_of_action(std::string_view action);

}  // namespace hyperscale::wire
