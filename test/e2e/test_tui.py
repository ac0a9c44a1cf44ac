"""The live screen on a real terminal: cells, resizing, and a terminal that is given back on every way out."""

import os
import pathlib
import signal
import unittest

from harness.runs import is_alive
from harness.tmux import Tmux
from harness.waiting import until

PROGRAM = os.environ["TUI_SCREENS_BIN"]
GOLDEN = pathlib.Path(__file__).resolve().parent.parent / "unit" / "tui" / "golden"


def golden(name):
    return (GOLDEN / f"{name}.txt").read_text()


class Screens(unittest.TestCase):
    def expect_screen(self, tmux, name):
        wanted = golden(name)
        try:
            until(lambda: tmux.text() == wanted, f"the screen {name}")
        except AssertionError:
            self.assertEqual(tmux.text(), wanted)

    # proves part: UI-4 (terminal, layout, sections, cycling, sums; not a queue of updates: the newest moment is read)
    def test_cells_are_those_of_the_golden_screens(self):
        for columns, rows in ((80, 24), (120, 40), (200, 60)):
            with self.subTest(columns=columns), Tmux(columns, rows) as tmux:
                tmux.run(PROGRAM, f"failing_{columns}x{rows}")
                self.expect_screen(tmux, f"failing_{columns}x{rows}")
                self.assertEqual(tmux.asked("alternate_on,cursor_flag"), "1,0")

    def test_wide_characters_and_escape_sequences_in_names(self):
        with Tmux(100, 30) as tmux:
            tmux.run(PROGRAM, "hostile_100x30")
            self.expect_screen(tmux, "hostile_100x30")

    # proves part: UI-4 (terminal, layout, sections, cycling, sums; not a queue of updates: the newest moment is read)
    def test_a_resized_window_is_drawn_anew(self):
        with Tmux(80, 24) as tmux:
            tmux.run(PROGRAM, "failing_80x24")
            self.expect_screen(tmux, "failing_80x24")
            tmux.resize(120, 40)
            self.expect_screen(tmux, "failing_120x40")
            tmux.resize(200, 60)
            self.expect_screen(tmux, "failing_200x60")
            tmux.resize(50, 10)
            self.expect_screen(tmux, "too_small_50x10")
            tmux.resize(80, 24)
            self.expect_screen(tmux, "failing_80x24")

    def test_keys_reach_the_screen(self):
        with Tmux(80, 24) as tmux:
            tmux.run(PROGRAM, "failing_80x24")
            self.expect_screen(tmux, "failing_80x24")
            tmux.type("?")
            until(lambda: "pause the run" in tmux.text(), "the page of keys")
            tmux.type("?")
            self.expect_screen(tmux, "failing_80x24")
            tmux.type("Right")
            until(lambda: "lookup" in tmux.text(), "the next workflow")


class WaysOut(unittest.TestCase):
    def setUp(self):
        tmux = Tmux(80, 24)
        self.tmux = self.enterContext(tmux)
        self.before = self.tmux.settings()
        self.tmux.run("ulimit", "-c", "0")
        self.tmux.run("printf", "%s the run\\n", "before")
        until(lambda: "before the run" in self.tmux.text(), "the shell works")
        self.tmux.run(PROGRAM, "failing_80x24")
        until(lambda: self.tmux.text() == golden("failing_80x24"), "the screen")
        self.assertIn("-echo", self.tmux.settings())

    def expect_given_back(self):
        until(lambda: self.tmux.asked("alternate_on,cursor_flag") == "0,1", "the main screen with its cursor")
        until(lambda: self.tmux.settings() == self.before, "the settings from before")
        self.assertIn("echo", self.tmux.settings())
        self.assertIn("before the run", self.tmux.history())
        self.tmux.run("printf", "after %s\\n", "all")
        until(lambda: "after all" in self.tmux.history(), "the shell works again")

    def test_normal_end(self):
        self.tmux.type("q")
        self.expect_given_back()

    def test_termination(self):
        self.signalled(signal.SIGTERM)

    def test_interrupt_key(self):
        self.tmux.type("C-c")
        self.expect_given_back()

    def test_quit_key(self):
        self.tmux.type("C-\\")
        self.expect_given_back()

    def test_hangup(self):
        self.signalled(signal.SIGHUP)

    def test_segmentation_fault(self):
        self.signalled(signal.SIGSEGV)

    def test_abort(self):
        self.signalled(signal.SIGABRT)

    def test_other_faults(self):
        for fault in (signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGUSR1, signal.SIGXCPU):
            self.signalled(fault)
            self.tmux.run(PROGRAM, "failing_80x24")
            until(lambda: self.tmux.text() == golden("failing_80x24"), "the screen again")
        self.tmux.type("q")

    def signalled(self, number):
        os.kill(self.tmux.child("tui_screens"), number)
        self.expect_given_back()

    def test_failed_check(self):
        self.tmux.type("+")
        self.expect_given_back()
        self.assertIn("CHECK failed", self.tmux.history())

    def test_uncaught_exception(self):
        self.tmux.type("-")
        self.expect_given_back()
        self.assertIn("asked for", self.tmux.history())

    def test_exit_without_unwinding(self):
        self.tmux.type("]")
        self.expect_given_back()

    def test_suspended_and_continued(self):
        self.tmux.type("C-z")
        self.expect_given_back()
        self.tmux.run("fg")
        until(lambda: self.tmux.text() == golden("failing_80x24"), "the screen after fg")
        self.assertEqual(self.tmux.asked("alternate_on,cursor_flag"), "1,0")
        self.assertIn("-echo", self.tmux.settings())
        self.tmux.type("q")
        self.expect_given_back()

    def test_continued_in_the_background_it_keeps_quiet(self):
        process = self.tmux.child("tui_screens")
        self.tmux.type("C-z")
        self.expect_given_back()
        self.tmux.run("bg")
        self.tmux.run("printf", "still %s\\n", "mine")
        until(lambda: "\nstill mine" in self.tmux.text(), "the shell keeps the terminal")
        os.kill(process, signal.SIGTERM)
        until(lambda: not is_alive(process), "it has ended")
        self.assertEqual(self.tmux.asked("alternate_on,cursor_flag"), "0,1")


if __name__ == "__main__":
    unittest.main()
