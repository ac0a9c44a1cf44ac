// A workflow file on disk, read and run once to learn what it declares.
//
// Blocking; the main thread, because the script engine belongs to it. A script can loop, crash the engine or take all
// memory: a process that has to survive that asks described_in_child.h or guarded_child.h. Files are read below the
// folder of the given one only, each at most kSourceBytesMax.
#pragma once

#include "base/result.h"
#include "workflow/description.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::node {

inline constexpr std::size_t kSourceBytesMax = std::size_t{8} << 20;

// Whether an argument of `run` names a file rather than a URL: "shop.js", "tests/shop.mjs".
bool is_workflow_file(std::string_view argument);
// Fails when an argument is neither: a file that exists and is not a workflow file, such as "shop.ts".
Status refuse_other_file(const std::string& argument);

struct DescribedFile {
  workflow::Description description;
  plan::Script script;  // all files that it needs, data included, and the environment
};

// A workflow that says neither how long nor how often runs as long as a URL does. Fails with every mistake that was
// found, each with its place and line, ready to be shown. `env` is what the script's env() knows, `secrets` what its
// secret() knows: NAME=VALUE each. `seed` is that of the run: requests may be made of random values.
Result<DescribedFile> describe_file(const std::string& path, const std::vector<std::string>& env,
                                    const std::vector<std::string>& secrets, std::uint64_t seed);

}  // namespace hyperscale::node
