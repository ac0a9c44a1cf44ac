// Hook that runs before the report of a failed CHECK is printed: the owner of the terminal restores it, otherwise the
// report would vanish with the screen.
//
// One function at a time, any thread. It must not fail a CHECK itself.
#pragma once

namespace hyperscale {

using CheckPrologue = void (*)();

// Null for none. Returns the one before.
CheckPrologue set_check_prologue(CheckPrologue prologue);

}  // namespace hyperscale
