// Tests the sandbox from inside: calls that a hijacked script engine would make, and calls that an executor needs.
//
// Blocking; each attempt runs in a child of its own. REQUIRES: one thread.
#pragma once

#include "runtime/sandbox/sandbox.h"

#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::runtime {

enum class AttemptEnd : std::uint8_t { kWorked, kRefused, kKilled, kNotTried };

struct Attempt {
  std::string_view what;
  bool should_work = false;
  AttemptEnd end = AttemptEnd::kNotTried;
  int error = 0;  // kRefused

  bool as_it_should() const {
    return should_work ? end == AttemptEnd::kWorked : end == AttemptEnd::kRefused || end == AttemptEnd::kKilled;
  }
};

// With the sandbox of an executor for TCP targets (kTcp), or of the child that reads a workflow file (kNone).
std::vector<Attempt> try_sandbox(Sockets sockets);

// One line per attempt: "refused (Operation not permitted)  read /etc/passwd".
std::string self_test_text(const std::vector<Attempt>& attempts);

}  // namespace hyperscale::runtime
