// Messages of the job links as protobuf, to write what the codec refuses to write.
#pragma once

#include "wire/jobs/jobs_codec.h"
#include "wire/jobs/message_fields.h"
#include "wire/proto/jobs.pb.h"

#include <string>
#include <vector>

namespace hyperscale::wire {

// The schema's message of a value.
proto::WorkflowDispatch proto_of(const WorkflowDispatch&);
proto::WorkflowStart proto_of(const WorkflowStart&);
proto::WorkflowChange proto_of(const WorkflowChange&);
proto::WorkflowCancelRequest proto_of(const WorkflowCancelRequest&);
proto::WorkerQuery proto_of(const WorkerQuery&);
proto::ResultFetch proto_of(const ResultFetch&);
proto::ResultRelease proto_of(const ResultRelease&);
proto::BlobWant proto_of(const BlobWant&);
proto::ShareProgress proto_of(const ShareProgress&);
proto::WorkflowEvent proto_of(const WorkflowEvent&);
proto::WorkflowFinalResult proto_of(const WorkflowFinalResult&);
proto::CancelQuery proto_of(const CancelQuery&);
proto::WorkerRegistration proto_of(const WorkerRegistration&);
proto::WorkflowDispatchAck proto_of(const WorkflowDispatchAck&);
proto::OrderAck proto_of(const OrderAck&);
proto::WorkflowCancelResponse proto_of(const WorkflowCancelResponse&);
proto::WorkerAnswer proto_of(const WorkerAnswer&);
proto::BytesPart proto_of(const BytesPart&);
proto::Released proto_of(const Released&);
proto::ProgressAck proto_of(const ProgressAck&);
proto::ReportAck proto_of(const ReportAck&);
proto::CancelQueryAnswer proto_of(const CancelQueryAnswer&);
proto::RegistrationAck proto_of(const RegistrationAck&);

template <typename Body>
constexpr bool is_question = std::is_constructible_v<JobQuestion, Body>;

// The action of a question, or one that has such an answer.
template <typename Body>
std::string action_for(const Body& body) {
  if constexpr (is_question<Body>) {
    return std::string(action_of(body));
  } else {
    for (const char* action :
         {"workflow_dispatch", "workflow_start", "cancel_workflow", "worker_query", "result_fetch", "result_release",
          "workflow_progress", "workflow_event", "workflow_cancellation_query", "worker_registration"}) {
      if (answers(body, action)) return action;
    }
    return "";
  }
}

template <typename Body>
Result<SharedBytes> encoded(const Body& body) {
  if constexpr (is_question<Body>) {
    return encode_job_question(body);
  } else {
    return encode_job_answer(body);
  }
}

// The one field of the oneof, whose numbers are in the order of the variant.
template <typename Body>
std::string wrapped(const Body& body, const std::string& bytes) {
  std::size_t field = 1;
  if constexpr (is_question<Body>) {
    field += JobQuestion(body).index();
  } else {
    field += JobAnswer(body).index();
  }
  std::string message(1, static_cast<char>(field << 3 | 2));
  for (std::size_t left = bytes.size();; left >>= 7) {
    message += static_cast<char>((left & 0x7f) | (left > 0x7f ? 0x80 : 0));
    if (left <= 0x7f) break;
  }
  return message + bytes;
}

// As a peer without limits writes it; `change` gets the schema's message.
template <typename Body, typename Change>
std::string unchecked(const Body& body, Change change) {
  decltype(proto_of(body)) message;
  job_fields::write(body, message);
  change(message);
  return wrapped(body, message.SerializeAsString());
}
template <typename Body>
std::string unchecked(const Body& body) {
  return unchecked(body, [](auto&) {});
}

// Empty if the reader accepts it.
template <typename Body>
std::string reader_says(const Body& body, const std::string& bytes) {
  if constexpr (is_question<Body>) {
    const auto read = decode_job_question(action_for(body), as_bytes(bytes));
    return read ? std::string() : read.error().to_string();
  } else {
    const auto read = decode_job_answer(action_for(body), as_bytes(bytes));
    return read ? std::string() : read.error().to_string();
  }
}
template <typename Body>
std::string writer_says(const Body& body) {
  const auto written = encoded(body);
  return written ? std::string() : written.error().to_string();
}

}  // namespace hyperscale::wire
