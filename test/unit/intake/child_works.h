// What children of these tests do: describe a file, or one of several ways to end or not to end.
#pragma once

#include "intake/guarded_work.h"

namespace hyperscale::intake {

GuardedWorks test_works();
// Waits for the answer of a child that never answers, which writes one byte to standard error when it runs.
int wait_for_a_child();

// The thread sanitizer reports what happens inside the engine's library, which it does not instrument, and wants to
// start a program to put names to it; in a child the sandbox ends it there. The address sanitizer runs these tests.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HYPERSCALE_NO_ENGINE_IN_CHILDREN 1
#endif
#endif
#ifdef HYPERSCALE_NO_ENGINE_IN_CHILDREN
#define NEEDS_ENGINE_IN_CHILD() GTEST_SKIP() << "no script engine in a sandboxed child under the thread sanitizer"
#else
#define NEEDS_ENGINE_IN_CHILD() static_cast<void>(0)
#endif

}  // namespace hyperscale::intake
