#include "node/executors/core_use.h"

#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include <fmt/format.h>
#include <unistd.h>

namespace hyperscale::node {
namespace {

constexpr int kStealField = 8;  // of a line of /proc/stat, see proc(5)

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

Duration waited_of(std::string_view schedstat) {
  std::istringstream fields{std::string(schedstat)};
  std::int64_t ran = 0, waited = 0;
  fields >> ran >> waited;
  return Duration(fields ? waited : 0);
}

Duration stolen_of(std::string_view stat, int core, long ticks_per_second) {
  if (core < 0 || ticks_per_second <= 0) return {};
  const std::string name = fmt::format("cpu{} ", core);
  std::istringstream lines{std::string(stat)};
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(name)) continue;
    std::istringstream fields(line.substr(name.size()));
    std::int64_t ticks = 0;
    for (int i = 0; i < kStealField; ++i) fields >> ticks;
    return fields ? std::chrono::nanoseconds(std::chrono::seconds(ticks)) / ticks_per_second : Duration();
  }
  return {};
}

CoreUse core_use_of(pid_t process, int core) {
  return {.waited = waited_of(text_of(fmt::format("/proc/{}/schedstat", process))),
          .stolen = stolen_of(text_of("/proc/stat"), core, ::sysconf(_SC_CLK_TCK))};
}

}  // namespace hyperscale::node
