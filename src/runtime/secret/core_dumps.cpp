#include "runtime/secret/core_dumps.h"

#include <cstdlib>
#include <string_view>

#include <sys/prctl.h>
#include <sys/resource.h>

namespace hyperscale::runtime {

void leave_no_core_dump() {
  const char* const asked =
      std::getenv(kCoreDumpsVariable);  // NOLINT(concurrency-mt-unsafe): nobody sets it while we run
  if (asked != nullptr && std::string_view(asked) == "1") return;
  const rlimit none{.rlim_cur = 0, .rlim_max = 0};
  ::setrlimit(RLIMIT_CORE, &none);
  ::prctl(PR_SET_DUMPABLE, 0UL, 0UL, 0UL, 0UL);
}

}  // namespace hyperscale::runtime
