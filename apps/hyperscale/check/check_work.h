// The work "check": produces the output of `hyperscale check` in a child process (intake/guarded_work.h).
#pragma once

#include "base/result.h"
#include "intake/guarded_work.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hyperscale::app {

// Name and arguments of the work, for the parent; its request is that of the work "describe".
std::vector<std::string> check_words(const std::string& file, bool json, std::uint32_t cores);

Result<intake::GuardedWork> prepare_check(std::span<const std::string> words, std::vector<std::uint8_t> request);

}  // namespace hyperscale::app
