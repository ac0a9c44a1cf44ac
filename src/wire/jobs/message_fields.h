// One message of the job links at a time: its limits, and its protobuf form; private to this folder.
//
// check() judges a value. write() expects a value that check() has accepted. read() takes a protobuf message apart, and
// may move its texts out; what it returns still needs check(). Any thread.
#pragma once

#include "base/result.h"
#include "wire/jobs/job_message.h"
#include "wire/proto/jobs.pb.h"

namespace hyperscale::wire::job_fields {

// --- orders and their answers
Status check(const WorkflowDispatch& message);
void write(const WorkflowDispatch& from, proto::WorkflowDispatch& to);
Result<WorkflowDispatch> read(proto::WorkflowDispatch& from);

Status check(const WorkflowDispatchAck& message);
void write(const WorkflowDispatchAck& from, proto::WorkflowDispatchAck& to);
Result<WorkflowDispatchAck> read(proto::WorkflowDispatchAck& from);

Status check(const WorkflowStart& message);
void write(const WorkflowStart& from, proto::WorkflowStart& to);
Result<WorkflowStart> read(proto::WorkflowStart& from);

Status check(const WorkflowChange& message);
void write(const WorkflowChange& from, proto::WorkflowChange& to);
Result<WorkflowChange> read(proto::WorkflowChange& from);

Status check(const OrderAck& message);
void write(const OrderAck& from, proto::OrderAck& to);
Result<OrderAck> read(proto::OrderAck& from);

Status check(const WorkflowCancelRequest& message);
void write(const WorkflowCancelRequest& from, proto::WorkflowCancelRequest& to);
Result<WorkflowCancelRequest> read(proto::WorkflowCancelRequest& from);

Status check(const WorkflowCancelResponse& message);
void write(const WorkflowCancelResponse& from, proto::WorkflowCancelResponse& to);
Result<WorkflowCancelResponse> read(proto::WorkflowCancelResponse& from);

// --- reports and their answers
Status check(const ShareProgress& message);
void write(const ShareProgress& from, proto::ShareProgress& to);
Result<ShareProgress> read(proto::ShareProgress& from);

Status check(const ProgressAck& message);
void write(const ProgressAck& from, proto::ProgressAck& to);
Result<ProgressAck> read(proto::ProgressAck& from);

Status check(const WorkflowEvent& message);
void write(const WorkflowEvent& from, proto::WorkflowEvent& to);
Result<WorkflowEvent> read(proto::WorkflowEvent& from);

Status check(const WorkflowFinalResult& message);
void write(const WorkflowFinalResult& from, proto::WorkflowFinalResult& to);
Result<WorkflowFinalResult> read(proto::WorkflowFinalResult& from);
// Inside the state of its attempt, which is not repeated.
void write_without_attempt(const WorkflowFinalResult& from, proto::WorkflowFinalResult& to);
Result<WorkflowFinalResult> read_of(const AttemptId& attempt, proto::WorkflowFinalResult& from);

Status check(const ReportAck& message);
void write(const ReportAck& from, proto::ReportAck& to);
Result<ReportAck> read(proto::ReportAck& from);

Status check(const CancelQuery& message);
void write(const CancelQuery& from, proto::CancelQuery& to);
Result<CancelQuery> read(proto::CancelQuery& from);

Status check(const CancelQueryAnswer& message);
void write(const CancelQueryAnswer& from, proto::CancelQueryAnswer& to);
Result<CancelQueryAnswer> read(proto::CancelQueryAnswer& from);

// --- what a leader asks for
Status check(const WorkerQuery& message);
void write(const WorkerQuery& from, proto::WorkerQuery& to);
Result<WorkerQuery> read(proto::WorkerQuery& from);

Status check(const WorkerAnswer& message);
void write(const WorkerAnswer& from, proto::WorkerAnswer& to);
Result<WorkerAnswer> read(proto::WorkerAnswer& from);

Status check(const ResultFetch& message);
void write(const ResultFetch& from, proto::ResultFetch& to);
Result<ResultFetch> read(proto::ResultFetch& from);

Status check(const ResultRelease& message);
void write(const ResultRelease& from, proto::ResultRelease& to);
Result<ResultRelease> read(proto::ResultRelease& from);

Status check(const BlobWant& message);
void write(const BlobWant& from, proto::BlobWant& to);
Result<BlobWant> read(proto::BlobWant& from);

Status check(const BytesPart& message);
void write(const BytesPart& from, proto::BytesPart& to);
Result<BytesPart> read(proto::BytesPart& from);

Status check(const Released& message);
void write(const Released& from, proto::Released& to);
Result<Released> read(proto::Released& from);

Status check(const WorkerRegistration& message);
void write(const WorkerRegistration& from, proto::WorkerRegistration& to);
Result<WorkerRegistration> read(proto::WorkerRegistration& from);

Status check(const RegistrationAck& message);
void write(const RegistrationAck& from, proto::RegistrationAck& to);
Result<RegistrationAck> read(proto::RegistrationAck& from);

}  // namespace hyperscale::wire::job_fields
