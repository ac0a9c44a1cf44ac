// What children of these tests do: describe a file, or one of several ways to end or not to end.
#pragma once

#include "intake/guarded_work.h"

namespace hyperscale::intake {

GuardedWorks test_works();
// Waits for the answer of a child that never answers, which writes one byte to standard error when it runs.
int wait_for_a_child();

}  // namespace hyperscale::intake
