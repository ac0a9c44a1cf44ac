// The work "describe": reads a workflow file, runs it once and sends the job that it declares. The parent's side is
// described_in_child.h. Other work on workflow files reuses Describing.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "intake/guarded_work.h"
#include "intake/job_from_description.h"
#include "intake/workflow_file.h"
#include "plan/plan.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hyperscale::intake {

// Encodes the request for work on a workflow file: the settings of a run, with the variables of the script. Fails
// beyond the limits of plan/limits.h.
Result<std::vector<std::uint8_t>> encode_describing(plan::Plan settings, const ScriptVariables& variables);

struct Describing {
  plan::Plan settings;
  ScriptVariables variables;
};
Result<Describing> decode_describing(std::span<const std::uint8_t> request);

// Loads the libraries and starts the script engine.
WorkRights rights_to_describe();

// `words`: the path.
Result<GuardedWork> prepare_describing(std::span<const std::string> words, std::vector<std::uint8_t> request);

// The answer of the work; exact both ways. Bytes that encode() cannot produce are kProtocol.
Result<std::vector<std::uint8_t>> encode(const DescribedJob& described);
Result<DescribedJob> decode_described_job(ByteView bytes);

}  // namespace hyperscale::intake
