"""The live screen of a real run on a real terminal: figures, keys, several workflows, and the terminal given back."""

import json
import os
import tempfile
import time
import unittest

from harness.node import binary
from harness.runs import LoadRun, Target
from harness.tmux import Tmux
from harness.waiting import until

WORKFLOWS = """import {{ Workflow, http, step }} from 'hyperscale';
export class Browse extends Workflow {{
  static vus = 2; static duration = '60s';
  frontpage = step(http.get('{url}/delay/5ms'));
}}
export class Pay extends Workflow {{
  static vus = 2; static duration = '60s';
  checkout = step(http.get('{url}/delay/5ms'));
}}
"""


class Screen(unittest.TestCase):
    def setUp(self):
        self.target = self.enterContext(Target())
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.tmux = self.enterContext(Tmux(120, 40))

    def start(self, *arguments):
        self.result = os.path.join(self.folder, "result.json")
        self.tmux.run("env", f"XDG_RUNTIME_DIR={self.folder}", binary(), "run", *arguments, "--out", f"json={self.result}")
        until(lambda: "running" in self.tmux.text(), "the screen of a run")

    def end(self):
        until(lambda: os.path.exists(self.result), "the result")
        until(lambda: self.tmux.asked("alternate_on,cursor_flag") == "0,1", "the main screen with its cursor")
        until(lambda: "latency" in self.tmux.history(), "the summary")
        with open(self.result, encoding="utf-8") as file:
            return json.load(file)

    # proves: LOCAL-2, LOCAL-4
    # proves part: UI-1 (progress, rates, latencies and outcomes; not the values of metric hooks)
    # proves part: UI-7 (figures of executors reach the screen, which never blocks; not by a queue of updates)
    def test_figures_move_and_keys_steer(self):
        self.start("-c", "10", "-d", "60s", self.target.url + "/delay/5ms")
        until(lambda: self.target.count()["requests"] > 300, "requests are sent")
        until(lambda: "of 10" in self.tmux.text() and "100%" in self.tmux.text(), "users and outcomes")
        self.tmux.type("p")
        until(lambda: "Paused" in self.tmux.text(), "the run is paused")
        at_rest = self.target.count()["requests"]
        self.tmux.type("+")
        until(lambda: "changed: vus=11" in self.tmux.text(), "one more user")
        self.assertLessEqual(self.target.count()["requests"], at_rest + 10, "nothing begins in a pause")
        self.tmux.type("]")
        until(lambda: "has no rate" in self.tmux.text(), "what cannot be done is said")
        self.tmux.type("p")
        until(lambda: "changed: resume" in self.tmux.text() and "of 11" in self.tmux.text(), "it goes on")
        self.tmux.type("q")
        result = self.end()
        self.assertEqual([change["what"] for change in result["changes"]], ["pause", "vus=11", "resume"])
        self.assertTrue(result["interrupted"])
        self.assertEqual(result["totals"]["requests"], self.target.count()["requests"])
        self.assertIn("changed: vus=11", self.tmux.history(), "what was said is not lost with the screen")

    def test_quick_presses_add_up(self):
        self.start("-c", "10", "-d", "60s", self.target.url + "/delay/5ms")
        self.tmux.type("+++++")
        until(lambda: "changed: vus=15" in self.tmux.text(), "five more users")
        self.tmux.type("pp")
        until(lambda: "changed: resume" in self.tmux.text() and "of 15" in self.tmux.text(), "it went on")
        self.assertNotIn("Paused", self.tmux.text())
        self.tmux.type("q")
        self.assertEqual([change["what"] for change in self.end()["changes"]],
                         ["vus=11", "vus=12", "vus=13", "vus=14", "vus=15", "pause", "resume"])

    def test_workflows_that_wait_are_not_missed(self):
        path = os.path.join(self.folder, "two.js")
        with open(path, "w", encoding="utf-8") as file:
            file.write(WORKFLOWS.format(url=self.target.url.rstrip("/")).replace(
                "class Pay extends Workflow {", "class Pay extends Workflow { static depends = ['Browse'];"))
        self.start(path)
        until(lambda: self.target.count()["requests"] > 100, "requests are sent")
        self.assertNotIn("are alive", self.tmux.text(), "all that is to run now does")
        self.tmux.type("q")
        self.end()

    def test_a_terminal_that_cannot_draw_gets_lines(self):
        for name in ("dumb", ""):
            with self.subTest(name):
                self.tmux.run("env", f"TERM={name}", f"XDG_RUNTIME_DIR={self.folder}", binary(), "run", "-d", "300ms",
                              self.target.url + f"/delay/5ms?{name}")
                until(lambda: self.tmux.history().count("latency") > (name == ""), "the summary")
                self.assertEqual(self.tmux.asked("alternate_on,cursor_flag"), "0,1")
                self.assertNotIn("q stop", self.tmux.history())

    def test_a_suspension_by_key_is_told(self):
        self.start("-c", "4", "-d", "60s", self.target.url + "/delay/5ms")
        self.tmux.type("C-z")
        until(lambda: self.tmux.asked("alternate_on,cursor_flag") == "0,1", "the shell has the terminal")
        begin = time.monotonic()
        until(lambda: time.monotonic() - begin > 1, "the time of the suspension")
        self.tmux.run("fg")
        until(lambda: "the run was suspended for " in self.tmux.text(), "the screen tells it")
        self.tmux.type("q")
        warnings = self.end()["warnings"]
        self.assertRegex(warnings[0], r"^The run was suspended for [1-9]\.\ds: ")

    # proves part: UI-6 (turns of three seconds; also for workflows that wait or have ended, not the active ones alone)
    def test_workflows_are_shown_in_turn_and_by_choice(self):
        path = os.path.join(self.folder, "two.js")
        with open(path, "w", encoding="utf-8") as file:
            file.write(WORKFLOWS.format(url=self.target.url.rstrip("/")))
        self.start(path)
        until(lambda: "frontpage" in self.tmux.text(), "the first workflow")
        until(lambda: "checkout" in self.tmux.text(), "the second one by itself")
        self.tmux.type("2")
        until(lambda: "checkout" in self.tmux.text(), "the chosen one")
        self.tmux.type("+")
        until(lambda: "changed: vus=3" in self.tmux.text(), "one more user")
        self.tmux.type("q")
        result = self.end()
        self.assertEqual([workflow["end"] for workflow in result["workflows"]], ["stopped", "stopped"])
        self.assertEqual([(change["what"], change["workflow"]) for change in result["changes"]], [("vus=3", "Pay")])

    def test_users_of_a_rate_are_not_for_keys(self):
        self.start("-r", "100", "-d", "60s", self.target.url)
        self.tmux.type("+")
        until(lambda: "it follows a rate" in self.tmux.text(), "what cannot be done is said")
        self.tmux.type("]")
        until(lambda: "changed: rate=110" in self.tmux.text(), "a tenth more")
        self.tmux.type("q")
        self.assertEqual([change["what"] for change in self.end()["changes"]], ["rate=110"])

    def test_a_resized_window_goes_on(self):
        self.start("-c", "2", "-d", "60s", self.target.url + "/delay/5ms")
        self.tmux.resize(80, 24)
        until(lambda: max(map(len, self.tmux.text().splitlines())) <= 80 and "running" in self.tmux.text(), "it fits")
        self.tmux.type("q")
        self.end()


class Commands(unittest.TestCase):
    def test_a_change_that_rests_on_an_old_tick_is_refused(self):
        with Target() as target, LoadRun("-c", "2", "-d", "60s", target.url + "/delay/5ms") as load:
            load.await_load(target, 4)
            until(lambda: json.loads(load.ctl("status").out)["tick"] > 30, "the world has ticked")
            refused = load.ctl("vus=3", "--basis", "1")
            self.assertEqual(refused.code, 1, refused)
            self.assertRegex(refused.err, r"stale: the change rests on tick 1, and the run is at tick \d+; look again")
            early = load.ctl("vus=3", "--basis", "99999999")
            self.assertEqual(early.code, 1, early)
            self.assertRegex(early.err, r"the run has not reached tick 99999999 yet; it is at \d+")
            self.assertEqual(load.ctl("vus=3", "--basis", "-1").code, 2)
            changed = load.ctl("vus=3")
            self.assertGreater(json.loads(changed.out)["tick"], 30)
            load.ctl("stop")
            self.assertEqual([change["what"] for change in load.wait().result["changes"]], ["vus=3"])


if __name__ == "__main__":
    unittest.main()
