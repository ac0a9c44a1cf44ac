#include "command_line_tool.h"

#include <array>
#include <cstdio>

#include <sys/wait.h>

namespace hyperscale::target {
namespace {

std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace

bool is_installed(const std::string& program) {
  return run_tool({"sh", "-c", "command -v " + program}).exit_code == 0;
}

ToolRun run_tool(const std::vector<std::string>& command) {
  std::string line;
  for (const std::string& word : command) line += quoted(word) + ' ';
  ToolRun run;
  FILE* pipe = ::popen((line + "2>&1").c_str(), "r");
  if (pipe == nullptr) return run;
  std::array<char, 4096> buffer;
  while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), pipe))
    run.output.append(buffer.data(), got);
  const int status = ::pclose(pipe);
  run.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return run;
}

}  // namespace hyperscale::target
