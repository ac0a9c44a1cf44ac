// A workflow file on disk, read and run once to learn what it declares.
//
// Blocking; the main thread, because the script engine belongs to it. A script can loop, crash the engine or take all
// memory: a process that has to survive that asks described_in_child.h or guarded_child.h, and opens the files for its
// child. Files are read below the folder of the given one only, each at most kSourceBytesMax.
#pragma once

#include "base/owned_fd.h"
#include "base/result.h"
#include "plan/tag.h"
#include "workflow/description.h"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::intake {

inline constexpr std::size_t kSourceBytesMax = std::size_t{8} << 20;

// Whether an argument of `run` names a file rather than a URL: "shop.js", "tests/shop.mjs".
bool is_workflow_file(std::string_view argument);
// Fails when an argument is neither: a file that exists and is not a workflow file, such as "shop.ts".
Status refuse_other_file(const std::string& argument);

struct DescribedFile {
  workflow::Description description;
  plan::Script script;  // all files that it needs, data included, and the environment
};

// What the script's env() and secret() know.
struct ScriptVariables {
  std::vector<plan::Tag> env;
  std::vector<plan::Tag> secrets;
};

// From NAME=VALUE, or NAME for a variable of this process.
Result<ScriptVariables> read_script_variables(const std::vector<std::string>& env,
                                              const std::vector<std::string>& secrets);

// How a file is opened for reading; the reader closes the descriptor.
using OpenFile = std::function<Result<OwnedFd>(const std::string& path)>;

// A workflow that says neither how long nor how often runs as long as a URL does. Fails with every mistake that was
// found, each with its place and line, ready to be shown. `seed` is that of the run: requests may be made of
// random values.
Result<DescribedFile> describe_file(const std::string& path, const ScriptVariables& variables, std::uint64_t seed,
                                    const OpenFile& open);

// For a parent that opens the files of such a child: this one and those below its folder.
OpenFile files_to_describe(const std::string& path);

}  // namespace hyperscale::intake
