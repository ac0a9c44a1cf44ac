// Counts what a thread takes from the heap through operator new, for tests that prove that a path does not allocate.
// Linking test_support and calling this replaces the global operators of the test program. Under the thread sanitizer,
// which brings its own, nothing is counted.
#pragma once

#include <cstddef>

namespace hyperscale::test {

// False under the thread sanitizer.
bool counts_allocations();
// Allocations of the calling thread so far.
std::size_t allocation_count();
// Of all other threads together.
std::size_t allocation_count_elsewhere();

}  // namespace hyperscale::test
