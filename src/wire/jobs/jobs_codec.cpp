#include "wire/jobs/jobs_codec.h"

#include "wire/jobs/message_fields.h"
#include "wire/limits.h"
#include "wire/proto/jobs.pb.h"
#include "wire/proto_fields.h"

#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace hyperscale::wire {
namespace {

using job_fields::check;
using job_fields::read;
using job_fields::write;

constexpr std::string_view kUnknownBody = "body is missing, or of a kind that this version does not know";

// What a field needs beside its text: number, length and the lengths of what is around it.
constexpr std::size_t kFramingBytes = 64;
constexpr std::size_t kNumberBytesMax = 10;
constexpr std::size_t kAttemptBytesMax = kJobIdBytesMax + 8 * kNumberBytesMax;
constexpr std::size_t kChangesBytesMax = kChangesPerMessageMax * (kLoadCommandBytesMax + 2 * kNumberBytesMax);
constexpr std::size_t kValuesBytesMax = kSharedValuesBytesMax + kSharedValuesPerMessageMax * kFramingBytes;
constexpr std::size_t kStepsBytesMax = kStepsPerWorkflowMax * (kProgressNameBytesMax + 4 * kNumberBytesMax);
constexpr std::size_t kFiguresBytesMax =
    kStepsBytesMax + kAssignedCoresMax * kNumberBytesMax + 2 * kProgressIdBytesMax + kProgressNameBytesMax;
constexpr std::size_t kOthersBytesMax = kAttemptBytesMax + kSentenceBytesMax + 16 * kFramingBytes;
static_assert(kJobMessageBytesMax + 1024 < kCompressedBytesMax);
static_assert(kContentInlineBytesMax + kOthersBytesMax <= kJobMessageBytesMax, "a dispatch without changes");
static_assert(kChangesBytesMax + kOthersBytesMax <= kJobMessageBytesMax, "a dispatch without content");
static_assert(kValuesBytesMax + kOthersBytesMax <= kJobMessageBytesMax, "a start, a final result");
static_assert(kSharesPerCancelMax * kAttemptBytesMax + kOthersBytesMax <= kJobMessageBytesMax, "a cancel");
static_assert(kFastMomentBytesMax + kExactDeltaBytesMax + kFiguresBytesMax + kOthersBytesMax <= kJobMessageBytesMax);
static_assert(kBlobPartBytes + kOthersBytesMax <= kJobMessageBytesMax, "a part of bytes");

struct QuestionBody {
  proto::JobQuestion& of;
  proto::WorkflowDispatch& operator()(const WorkflowDispatch&) const { return *of.mutable_workflow_dispatch(); }
  proto::WorkflowStart& operator()(const WorkflowStart&) const { return *of.mutable_workflow_start(); }
  proto::WorkflowChange& operator()(const WorkflowChange&) const { return *of.mutable_workflow_change(); }
  proto::WorkflowCancelRequest& operator()(const WorkflowCancelRequest&) const { return *of.mutable_cancel_workflow(); }
  proto::WorkerQuery& operator()(const WorkerQuery&) const { return *of.mutable_worker_query(); }
  proto::ResultFetch& operator()(const ResultFetch&) const { return *of.mutable_result_fetch(); }
  proto::ResultRelease& operator()(const ResultRelease&) const { return *of.mutable_result_release(); }
  proto::BlobWant& operator()(const BlobWant&) const { return *of.mutable_blob_want(); }
  proto::ShareProgress& operator()(const ShareProgress&) const { return *of.mutable_workflow_progress(); }
  proto::WorkflowEvent& operator()(const WorkflowEvent&) const { return *of.mutable_workflow_event(); }
  proto::WorkflowFinalResult& operator()(const WorkflowFinalResult&) const {
    return *of.mutable_workflow_final_result();
  }
  proto::CancelQuery& operator()(const CancelQuery&) const { return *of.mutable_workflow_cancellation_query(); }
  proto::WorkerRegistration& operator()(const WorkerRegistration&) const { return *of.mutable_worker_registration(); }
};

struct AnswerBody {
  proto::JobAnswer& of;
  proto::WorkflowDispatchAck& operator()(const WorkflowDispatchAck&) const {
    return *of.mutable_workflow_dispatch_ack();
  }
  proto::OrderAck& operator()(const OrderAck&) const { return *of.mutable_order_ack(); }
  proto::WorkflowCancelResponse& operator()(const WorkflowCancelResponse&) const {
    return *of.mutable_workflow_cancel_response();
  }
  proto::WorkerAnswer& operator()(const WorkerAnswer&) const { return *of.mutable_worker_answer(); }
  proto::BytesPart& operator()(const BytesPart&) const { return *of.mutable_bytes_part(); }
  proto::Released& operator()(const Released&) const { return *of.mutable_released(); }
  proto::ProgressAck& operator()(const ProgressAck&) const { return *of.mutable_progress_ack(); }
  proto::ReportAck& operator()(const ReportAck&) const { return *of.mutable_report_ack(); }
  proto::CancelQueryAnswer& operator()(const CancelQueryAnswer&) const { return *of.mutable_cancel_query_answer(); }
  proto::RegistrationAck& operator()(const RegistrationAck&) const { return *of.mutable_registration_ack(); }
};

template <typename Variant>
Result<Variant> as_variant(auto message) {
  if (!message) return fail(std::move(message.error()));
  if (const Status ok = check(*message); !ok) return fail(ok.error());
  return Variant(std::move(*message));
}

// The allow-list of SEC-7: what is not one of these kinds is not a message.
Result<JobQuestion> read_question(proto::JobQuestion& from) {
  using Kind = proto::JobQuestion::BodyCase;
  switch (from.body_case()) {
    case Kind::kWorkflowDispatch:
      return as_variant<JobQuestion>(read(*from.mutable_workflow_dispatch()));
    case Kind::kWorkflowStart:
      return as_variant<JobQuestion>(read(*from.mutable_workflow_start()));
    case Kind::kWorkflowChange:
      return as_variant<JobQuestion>(read(*from.mutable_workflow_change()));
    case Kind::kCancelWorkflow:
      return as_variant<JobQuestion>(read(*from.mutable_cancel_workflow()));
    case Kind::kWorkerQuery:
      return as_variant<JobQuestion>(read(*from.mutable_worker_query()));
    case Kind::kResultFetch:
      return as_variant<JobQuestion>(read(*from.mutable_result_fetch()));
    case Kind::kResultRelease:
      return as_variant<JobQuestion>(read(*from.mutable_result_release()));
    case Kind::kBlobWant:
      return as_variant<JobQuestion>(read(*from.mutable_blob_want()));
    case Kind::kWorkflowProgress:
      return as_variant<JobQuestion>(read(*from.mutable_workflow_progress()));
    case Kind::kWorkflowEvent:
      return as_variant<JobQuestion>(read(*from.mutable_workflow_event()));
    case Kind::kWorkflowFinalResult:
      return as_variant<JobQuestion>(read(*from.mutable_workflow_final_result()));
    case Kind::kWorkflowCancellationQuery:
      return as_variant<JobQuestion>(read(*from.mutable_workflow_cancellation_query()));
    case Kind::kWorkerRegistration:
      return as_variant<JobQuestion>(read(*from.mutable_worker_registration()));
    case Kind::BODY_NOT_SET:
      break;
  }
  return fail(ErrorCode::kProtocol, std::string(kUnknownBody));
}

Result<JobAnswer> read_answer(proto::JobAnswer& from) {
  using Kind = proto::JobAnswer::BodyCase;
  switch (from.body_case()) {
    case Kind::kWorkflowDispatchAck:
      return as_variant<JobAnswer>(read(*from.mutable_workflow_dispatch_ack()));
    case Kind::kOrderAck:
      return as_variant<JobAnswer>(read(*from.mutable_order_ack()));
    case Kind::kWorkflowCancelResponse:
      return as_variant<JobAnswer>(read(*from.mutable_workflow_cancel_response()));
    case Kind::kWorkerAnswer:
      return as_variant<JobAnswer>(read(*from.mutable_worker_answer()));
    case Kind::kBytesPart:
      return as_variant<JobAnswer>(read(*from.mutable_bytes_part()));
    case Kind::kReleased:
      return as_variant<JobAnswer>(read(*from.mutable_released()));
    case Kind::kProgressAck:
      return as_variant<JobAnswer>(read(*from.mutable_progress_ack()));
    case Kind::kReportAck:
      return as_variant<JobAnswer>(read(*from.mutable_report_ack()));
    case Kind::kCancelQueryAnswer:
      return as_variant<JobAnswer>(read(*from.mutable_cancel_query_answer()));
    case Kind::kRegistrationAck:
      return as_variant<JobAnswer>(read(*from.mutable_registration_ack()));
    case Kind::BODY_NOT_SET:
      break;
  }
  return fail(ErrorCode::kProtocol, std::string(kUnknownBody));
}

tl::unexpected<Error> wrong_job_message(std::string_view what, const Error& error) {
  return fail(error.code, fmt::format("{}: {}", what, error.context));
}

tl::unexpected<Error> large_job_message(std::string_view what, std::size_t size) {
  return fail(ErrorCode::kTooLarge, fmt::format("{}: {} bytes, at most {}", what, size, kJobMessageBytesMax));
}

template <typename Proto, typename BodyOf>
Result<SharedBytes> encode_job_message(std::string_view what, const auto& message) {
  const Status ok = std::visit([](const auto& body) { return check(body); }, message);
  if (!ok) return wrong_job_message(what, ok.error());
  Proto to;
  std::visit([&](const auto& body) { write(body, BodyOf{to}(body)); }, message);
  const std::size_t size = to.ByteSizeLong();
  if (size > kJobMessageBytesMax) return large_job_message(what, size);
  std::vector<std::uint8_t> bytes(size);
  to.SerializeWithCachedSizesToArray(bytes.data());
  return SharedBytes::adopt(std::move(bytes));
}

template <typename Proto>
auto decode_job_message(std::string_view what, ByteView bytes, auto read_body)
    -> decltype(read_body(std::declval<Proto&>())) {
  if (bytes.size() > kJobMessageBytesMax) return large_job_message(what, bytes.size());
  Proto from;
  if (!from.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return fail(ErrorCode::kProtocol, fmt::format("{}: not protobuf", what));
  }
  auto message = read_body(from);
  if (!message) return wrong_job_message(what, message.error());
  return message;
}

}  // namespace

Result<SharedBytes> encode_job_question(const JobQuestion& question) {
  return encode_job_message<proto::JobQuestion, QuestionBody>(action_of(question), question);
}

Result<JobQuestion> decode_job_question(std::string_view action, ByteView bytes) {
  Result<JobQuestion> question = decode_job_message<proto::JobQuestion>(action, bytes, read_question);
  if (question && action_of(*question) != action) {
    return fail(ErrorCode::kProtocol, fmt::format("{}: the frame has a {}", action, action_of(*question)));
  }
  return question;
}

Result<SharedBytes> encode_job_answer(const JobAnswer& answer) {
  return encode_job_message<proto::JobAnswer, AnswerBody>("job answer", answer);
}

Result<JobAnswer> decode_job_answer(std::string_view action, ByteView bytes) {
  Result<JobAnswer> answer = decode_job_message<proto::JobAnswer>(action, bytes, read_answer);
  if (answer && !answers(*answer, action)) {
    return fail(ErrorCode::kProtocol, fmt::format("{}: answered with another kind of message", action));
  }
  return answer;
}

std::size_t fit_answer(WorkerAnswer& answer) {
  proto::JobAnswer whole;
  write(answer, *whole.mutable_worker_answer());
  std::size_t size = whole.ByteSizeLong();
  std::size_t left_out = 0;
  for (std::size_t at = answer.attempts.size(); at > 0 && size > kJobMessageBytesMax; --at) {
    AttemptState& state = answer.attempts[at - 1];
    if (!state.result) continue;
    state.result.reset();
    size -= whole.worker_answer().attempts(static_cast<int>(at - 1)).result().ByteSizeLong();
    ++left_out;
  }
  return left_out;
}

}  // namespace hyperscale::wire
