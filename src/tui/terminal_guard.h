// TerminalGuard: the terminal is given back whatever happens: return, exit(), a failed CHECK, an exception that nobody
// caught, a fatal signal, or a suspension by Ctrl-Z. Only SIGKILL leaves it as it is: nothing can be done then.
//
// One terminal per process at a time. guard() and release() from one thread; signals may arrive on any. The handlers
// only write prepared bytes and restore the saved settings, which is allowed in a signal handler.
//   a failed CHECK, std::terminate()       restore, then their report, which would vanish with the screen
//   SIGSEGV SIGBUS SIGFPE SIGILL SIGABRT   restore, then what was installed before
//   SIGINT SIGTERM SIGHUP SIGUSR1 ...      all others that end a process by default: restore and end, where nothing was
//                                          installed; a handler of the program decides for itself and ends the process
//                                          in order, and an ignored signal stays ignored
//   SIGTSTP SIGCONT                        restore and stop; taken over again when the program is next in front
//   SIGWINCH                               noticed, then what was installed before
#pragma once

#include <termios.h>

namespace hyperscale::tui::terminal_guard {

// Takes the terminal over: raw input, another screen, no cursor. `saved` is what it returns to.
void guard(int descriptor, const termios& saved, const termios& raw);
// Gives it back and removes the handlers.
void release();
// Whether the terminal is ours right now; false while the program was suspended or runs in the background.
bool is_entered();
// After a suspension: takes the terminal over again if the program is in front. True when it did.
bool reenter();
// The window has another size since the last call.
bool take_resized();

// Whether somebody else's job is in front of this terminal.
bool is_in_background(int descriptor);

}  // namespace hyperscale::tui::terminal_guard
