// The work "check": what `hyperscale check` prints about a workflow file, made in a child process
// (intake/guarded_work.h).
#pragma once

#include "base/result.h"
#include "intake/guarded_work.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hyperscale::app {

// Name and words of the work, for the parent; the request is that of describing the file.
std::vector<std::string> check_words(const std::string& file, bool json, std::uint32_t cores);

Result<intake::GuardedWork> prepare_check(std::span<const std::string> words, std::vector<std::uint8_t> request);

}  // namespace hyperscale::app
