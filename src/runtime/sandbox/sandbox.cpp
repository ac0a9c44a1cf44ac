#include "runtime/sandbox/sandbox.h"

#include "runtime/sandbox/file_rules.h"
#include "runtime/sandbox/privileges.h"

#include <fmt/format.h>

namespace hyperscale::runtime {

Status enter_sandbox(SandboxUser user) {
  if (Status given = give_up_privileges(user == SandboxUser::kNobody); !given) return given;
  const auto rules = restrict_files(FileRights::kRead);
  if (!rules) return fail(rules.error());
  return {};
}

Result<SandboxState> seal_sandbox(Sockets sockets) {
  const auto rules = restrict_files(FileRights::kNone);
  if (!rules) return fail(rules.error());
  const auto filtered = filter_calls(sockets);
  if (!filtered) return fail(filtered.error());
  return SandboxState{.landlock_version = *rules, .filtered = *filtered};
}

SandboxState sandbox_of_kernel() {
  return {.landlock_version = landlock_version(), .filtered = kernel_filters_calls()};
}

std::string sandbox_text(const SandboxState& state) {
  const std::string landlock =
      state.landlock_version > 0 ? fmt::format("Landlock (version {})", state.landlock_version) : "no Landlock";
  return fmt::format("{} and {}", state.filtered ? "seccomp" : "no seccomp", landlock);
}

}  // namespace hyperscale::runtime
