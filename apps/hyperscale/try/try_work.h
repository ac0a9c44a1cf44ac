// The work "try": runs each workflow of a job once in a child process (intake/guarded_work.h). The request is the job
// as bytes; the first byte of the answer is the exit code of `hyperscale try`, the rest is its output.
#pragma once

#include "apps/hyperscale/try/try_command.h"
#include "base/glyphs.h"
#include "base/result.h"
#include "intake/guarded_work.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hyperscale::app {

// Name and arguments of the work, for the parent.
std::vector<std::string> try_words(TryOutput output, Glyphs glyphs);

Result<intake::GuardedWork> prepare_try(std::span<const std::string> words, std::vector<std::uint8_t> request);

}  // namespace hyperscale::app
