#include "runtime/sandbox/privileges.h"

#include "base/errno_text.h"

#include <array>
#include <cerrno>

#include <fmt/format.h>
#include <grp.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace hyperscale::runtime {
namespace {

// More than any kernel has; the first number that it does not know ends the loop.
constexpr unsigned long kCapabilitiesMax = 256;

tl::unexpected<Error> not_dropped(const char* call) {
  return fail(ErrorCode::kInternal, fmt::format("sandbox: {}: {}", call, errno_text(errno)));
}

bool not_available(int error) {
  return error == EINVAL || error == EPERM;
}

Status change_user() {
  if (::geteuid() != 0) return {};
  if (::setgroups(0, nullptr) != 0 && !not_available(errno)) return not_dropped("setgroups");
  if (::setresgid(kNobody, kNobody, kNobody) != 0 && !not_available(errno)) return not_dropped("setresgid");
  if (::setresuid(kNobody, kNobody, kNobody) != 0 && !not_available(errno)) return not_dropped("setresuid");
  return {};
}

Status drop_capabilities() {
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> none{};
  if (::syscall(SYS_capset, &header, none.data()) != 0) return not_dropped("capset");
  return {};
}

// Takes the right to set capabilities, so it comes first. Without that right nothing is lost: no_new_privs keeps a
// program that is started from getting any.
void empty_bounding_set() {
  for (unsigned long capability = 0; capability < kCapabilitiesMax; ++capability)
    if (::prctl(PR_CAPBSET_DROP, capability, 0UL, 0UL, 0UL) != 0) return;
}

}  // namespace

Status give_up_privileges(bool become_nobody) {
  const rlimit no_core{.rlim_cur = 0, .rlim_max = 0};
  if (::setrlimit(RLIMIT_CORE, &no_core) != 0) return not_dropped("setrlimit");
  empty_bounding_set();
  ::prctl(PR_CAP_AMBIENT, static_cast<unsigned long>(PR_CAP_AMBIENT_CLEAR_ALL), 0UL, 0UL, 0UL);
  if (become_nobody)
    if (Status changed = change_user(); !changed) return changed;
  if (Status dropped = drop_capabilities(); !dropped) return dropped;
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1UL, 0UL, 0UL, 0UL) != 0) return not_dropped("no_new_privs");
  if (::prctl(PR_SET_DUMPABLE, 0UL, 0UL, 0UL, 0UL) != 0) return not_dropped("dumpable");
  return {};
}

}  // namespace hyperscale::runtime
