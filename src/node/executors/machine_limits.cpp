#include "node/executors/machine_limits.h"

#include <memory>

#include <sched.h>
#include <sys/resource.h>

namespace hyperscale::node {
namespace {

constexpr int kCoresMax = 8192;

struct FreeCpuSet {
  void operator()(cpu_set_t* set) const { CPU_FREE(set); }
};

}  // namespace

std::vector<int> usable_cores() {
  const std::unique_ptr<cpu_set_t, FreeCpuSet> set(CPU_ALLOC(kCoresMax));
  const std::size_t size = CPU_ALLOC_SIZE(kCoresMax);
  CPU_ZERO_S(size, set.get());
  std::vector<int> cores;
  if (::sched_getaffinity(0, size, set.get()) == 0) {
    for (int core = 0; core < kCoresMax; ++core) {
      if (CPU_ISSET_S(static_cast<std::size_t>(core), size, set.get())) cores.push_back(core);
    }
  }
  if (cores.empty()) cores.push_back(0);
  return cores;
}

std::uint64_t raise_descriptor_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 1024;
  const rlim_t soft = limit.rlim_cur;
  limit.rlim_cur = limit.rlim_max;
  if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) return soft;
  return limit.rlim_cur;
}

}  // namespace hyperscale::node
