// Runs a program such as curl or h2load and gives what it printed. For tests against clients that others wrote.
#pragma once

#include <string>
#include <vector>

namespace hyperscale::target {

bool is_installed(const std::string& program);

struct ToolRun {
  int exit_code = -1;
  std::string output;  // standard output and standard error
};
ToolRun run_tool(const std::vector<std::string>& command);

}  // namespace hyperscale::target

#define NEED_TOOL(program) \
  if (!::hyperscale::target::is_installed(program)) GTEST_SKIP() << program << " is not installed"
