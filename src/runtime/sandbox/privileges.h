// Drops the privileges of a process permanently.
//
// For a process with one thread; user and capabilities are those of a thread in the kernel. The kernel clears the
// parent death signal when the user changes: set it after this.
#pragma once

#include "base/result.h"

#include <sys/types.h>

namespace hyperscale::runtime {

// "nobody" and "nogroup" of Debian, and the kernel's own number for users that it cannot name.
inline constexpr uid_t kNobody = 65534;

// No capability is left in any set, no program that is started gets one (no_new_privs), no core is dumped, and no
// process of the same user may read its memory. A process of root becomes `nobody` when asked; where user numbers are
// not available (a user namespace without them) it stays root without any capability.
Status give_up_privileges(bool become_nobody);

}  // namespace hyperscale::runtime
