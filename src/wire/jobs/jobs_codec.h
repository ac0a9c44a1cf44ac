// JobQuestion, JobAnswer and DispatchContent to protobuf bytes and back. docs/formats/wire.md describes the bytes,
// proto/jobs.proto is the schema.
//
// Pure functions; any thread. Decoding checks sizes, counts, texts, numbers and kinds, and names the first error in one
// sentence (kProtocol, kTooLarge). Fields this version does not know are ignored; optional ones that are absent get
// their defaults; a missing required field is an error that names it. Encoding fails with the same errors where a value
// breaks a limit. Equal values have equal bytes; a sentence (error, reason, text) is fitted, see fitted_sentence().
//
// A message fits a sealed frame even where nothing can be compressed. Three can be within their limits and still too
// large, and have a way out: a dispatch is sent without its content, which is fetched then; an answer of a worker
// leaves results out (fit_answer); values of a setup or workflow beyond kSharedValuesBytesMax end the workflow.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "wire/jobs/job_message.h"

#include <cstddef>
#include <string_view>

namespace hyperscale::wire {

inline constexpr std::size_t kJobMessageBytesMax = 1'000'000;

Result<SharedBytes> encode_job_question(const JobQuestion& question);
Result<SharedBytes> encode_job_answer(const JobAnswer& answer);
// `action` is that of the frame. A question of another action, or an answer to one, is refused.
Result<JobQuestion> decode_job_question(std::string_view action, ByteView bytes);
Result<JobAnswer> decode_job_answer(std::string_view action, ByteView bytes);

// Leaves out results of finished attempts, the last first, until the answer fits a message; returns how many. Their
// reports come by themselves, because a final result is repeated until it is acknowledged.
std::size_t fit_answer(WorkerAnswer& answer);

// At most kContentBytesMax. The digest of a content is that of the bytes that its leader made: a worker never encodes
// it again, because a newer leader may have written fields that it does not know.
Result<SharedBytes> encode_dispatch_content(const DispatchContent& content);
Result<DispatchContent> decode_dispatch_content(ByteView bytes);
Sha256 sha256_of(ByteView bytes);

}  // namespace hyperscale::wire
