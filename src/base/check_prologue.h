// What is done before the report of a failed CHECK is printed: whoever has taken over the terminal gives it back, or
// the report would vanish with the screen.
//
// One function at a time, any thread. It must not fail a CHECK itself.
#pragma once

namespace hyperscale {

using CheckPrologue = void (*)();

// Null for none. Returns the one before.
CheckPrologue set_check_prologue(CheckPrologue prologue);

}  // namespace hyperscale
