// The work "describe": reads a workflow file, runs it once and sends the job that it declares. The parent's end is
// described_in_child.h. describing() is what it shares with other work that looks at such a file.
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

// What work on a workflow file is sent: the settings of a run, with the variables of the script. Fails when they are
// beyond the limits of plan/limits.h.
Result<std::vector<std::uint8_t>> encode_describing(plan::Plan settings, const ScriptVariables& variables);

struct Describing {
  plan::Plan settings;
  ScriptVariables variables;
};
Result<Describing> decode_describing(std::span<const std::uint8_t> request);

// The libraries and the script engine.
WorkRights rights_to_describe();

// Told the path.
Result<GuardedWork> prepare_describing(std::span<const std::string> words, std::vector<std::uint8_t> request);

// What it sends; exact both ways. Bytes that encode() did not write are kProtocol.
Result<std::vector<std::uint8_t>> encode(const DescribedJob& described);
Result<DescribedJob> decode_described_job(ByteView bytes);

}  // namespace hyperscale::intake
