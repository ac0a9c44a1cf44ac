// TerminalGuard: restores the terminal on return, exit(), a failed CHECK, an uncaught exception, a fatal signal, or
// suspension by Ctrl-Z. Only after SIGKILL it stays unrestored: no handler can run.
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

// Takes over the terminal: raw input, alternate screen, no cursor. `saved` is restored later.
void guard(int descriptor, const termios& saved, const termios& raw);
// Restores the terminal and removes the handlers.
void release();
// True while the terminal is taken over; false while the program is suspended or in the background.
bool is_entered();
// After a suspension: takes over the terminal again if the program is in the foreground. True if it did.
bool reenter();
// True if the window was resized since the last call.
bool take_resized();

// True if the foreground job of this terminal is another one.
bool is_in_background(int descriptor);

}  // namespace hyperscale::tui::terminal_guard
