#include "runtime/sandbox/process_memory.h"

#include <fstream>

#include <fmt/format.h>
#include <unistd.h>

namespace hyperscale::runtime {

std::uint64_t resident_bytes_of(pid_t process) {
  std::ifstream statm(fmt::format("/proc/{}/statm", process));
  std::uint64_t total = 0;
  std::uint64_t resident = 0;
  statm >> total >> resident;
  return statm ? resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) : 0;
}

}  // namespace hyperscale::runtime
