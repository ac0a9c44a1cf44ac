// Reads a workflow file from disk and runs it once to get its declarations.
//
// Blocking; the main thread, because the script engine belongs to it. A script can loop, crash the engine or use all
// memory: a process that must survive uses described_in_child.h or guarded_child.h, and opens the files for its child.
// Reads only files below the folder of the given one, each at most kSourceBytesMax.
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

// True if an argument of `run` is a file and not a URL: "shop.js", "tests/shop.mjs".
bool is_workflow_file(std::string_view argument);
// Fails if the argument is an existing file but not a workflow file, such as "shop.ts".
Status refuse_other_file(const std::string& argument);

struct DescribedFile {
  workflow::Description description;
  plan::Script script;  // all files that it needs, including data, and the environment
};

// Values of the script's env() and secret().
struct ScriptVariables {
  std::vector<plan::Tag> env;
  std::vector<plan::Tag> secrets;
};

// From NAME=VALUE, or NAME for a variable of this process.
Result<ScriptVariables> read_script_variables(const std::vector<std::string>& env,
                                              const std::vector<std::string>& secrets);

// Opens a file for reading; the reader closes the descriptor.
using OpenFile = std::function<Result<OwnedFd>(const std::string& path)>;

// A workflow without duration and count runs as long as a URL does. Fails with every error found, each with its
// location and line, ready for display. `seed` is that of the run: requests may contain random values.
Result<DescribedFile> describe_file(const std::string& path, const ScriptVariables& variables, std::uint64_t seed,
                                    const OpenFile& open);

// For a parent that opens files for such a child: allows this file and those below its folder.
OpenFile files_to_describe(const std::string& path);

}  // namespace hyperscale::intake
