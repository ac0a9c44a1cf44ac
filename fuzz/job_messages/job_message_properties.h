// What must hold for every input of the readers of messages of jobs. A violation fails a CHECK, so the fuzzer and the
// unit tests share it.
#pragma once

#include "base/bytes.h"
#include "base/check.h"
#include "wire/jobs/jobs_codec.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace hyperscale::wire::fuzz {

// What was read can be written again, is no longer than it was, and reads the same.
inline void check_rewritten(ByteView input, const auto& value, const Result<SharedBytes>& bytes, const auto& decode) {
  CHECK(bytes.has_value(), "{}", bytes.error().context);
  CHECK(bytes->size() <= input.size(), "{} bytes became {}", input.size(), bytes->size());
  const auto again = decode(bytes->view());
  CHECK(again.has_value() && *again == value);
}

inline void check_refused(const Error& error) {
  CHECK(error.code == ErrorCode::kProtocol || error.code == ErrorCode::kTooLarge);
  CHECK(!error.context.empty());
}

// As a question of that action, and as its answer.
inline void check_job_message(std::string_view action, ByteView input) {
  const auto as_question = [action](ByteView bytes) { return decode_job_question(action, bytes); };
  if (const Result<JobQuestion> question = as_question(input)) {
    CHECK(action_of(*question) == action);
    check_rewritten(input, *question, encode_job_question(*question), as_question);
  } else {
    check_refused(question.error());
  }
  const auto as_answer = [action](ByteView bytes) { return decode_job_answer(action, bytes); };
  if (const Result<JobAnswer> answer = as_answer(input)) {
    CHECK(answers(*answer, action));
    check_rewritten(input, *answer, encode_job_answer(*answer), as_answer);
  } else {
    check_refused(answer.error());
  }
}

inline void check_dispatch_content(ByteView input) {
  if (const Result<DispatchContent> content = decode_dispatch_content(input)) {
    check_rewritten(input, *content, encode_dispatch_content(*content), decode_dispatch_content);
  } else {
    check_refused(content.error());
  }
}

inline constexpr std::array<std::string_view, 13> kJobActionNames{
    "workflow_dispatch",  "workflow_start", "workflow_change",       "cancel_workflow",
    "worker_query",       "result_fetch",   "result_release",        "blob_want",
    "workflow_progress",  "workflow_event", "workflow_final_result", "workflow_cancellation_query",
    "worker_registration"};

// The same bytes as everything they may be.
inline void check_job_messages(ByteView input) {
  for (const std::string_view action : kJobActionNames) check_job_message(action, input);
  check_dispatch_content(input);
}

}  // namespace hyperscale::wire::fuzz
