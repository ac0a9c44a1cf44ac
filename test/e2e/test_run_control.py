"""The load of a run is changed while it goes on: hyperscale ctl vus=, rate=, pause, resume."""

import json
import os
import signal
import tempfile
import time
import unittest

from harness.runs import LoadRun, Target, invoke
from harness.waiting import until

TWO_WORKFLOWS = """import {{ Workflow, http, step }} from 'hyperscale';
export class Browse extends Workflow {{
  static vus = 2; static duration = '60s';
  page = step(http.get('{url}/delay/5ms'));
}}
export class Pay extends Workflow {{
  static vus = 2; static duration = '60s';
  order = step(http, async ({{ client }}) => client.http.get('{url}/delay/5ms'));
}}
"""


class Control(unittest.TestCase):
    def setUp(self):
        self.target = self.enterContext(Target())

    def start(self, *arguments, path="/delay/5ms"):
        load = self.enterContext(LoadRun(*arguments, self.target.url + path))
        load.await_load(self.target, 4)
        return load

    def status(self, load):
        asked = load.ctl("status")
        self.assertEqual(asked.code, 0, asked)
        return json.loads(asked.out)

    def test_users_join_and_leave(self):
        load = self.start("-c", "2", "-d", "60s", path="/delay/50ms")
        changed = load.ctl("vus=9")
        self.assertEqual(changed.code, 0, changed)
        self.assertEqual(json.loads(changed.out)["changed"], "vus=9")
        until(lambda: self.status(load)["users"] == 9, "nine users are busy")
        self.assertEqual(load.ctl("vus=1").code, 0)
        until(lambda: self.status(load)["users"] == 1, "one user is busy")
        load.ctl("stop")
        ended = load.wait()
        self.assertEqual((ended.code, ended.result["vus_max"]), (0, 9), ended)
        self.assertEqual([change["what"] for change in ended.result["changes"]], ["vus=9", "vus=1"])
        self.assertEqual(ended.totals["requests"], self.target.count()["requests"])
        self.assertRegex(ended.out, r"changes +made while it ran\n.*\d\.\d s: vus=9\n.*\d\.\d s: vus=1\n")
        self.assertIn("changed: vus=9", ended.err)

    def test_a_rate_is_followed(self):
        load = self.start("-r", "20", "-d", "60s", path="/")
        before = self.target.count()["requests"]
        self.assertEqual(load.ctl("rate=5000").code, 0)
        until(lambda: self.target.count()["requests"] > before + 3000, "thousands were sent")
        load.ctl("stop")
        ended = load.wait()
        self.assertLess(ended.result["elapsed_s"], 30, "at the old rate they take minutes")
        self.assertIsNone(ended.result["asked_rate_per_s"], "no one rate was asked any more")
        self.assertEqual(ended.totals["requests"], self.target.count()["requests"])

    def test_a_pause_holds_everything_and_makes_the_run_longer(self):
        load = self.start("-c", "3", "-d", "1200ms")
        self.assertEqual(load.ctl("pause").code, 0)
        until(lambda: self.status(load)["users"] == 0, "nobody is busy")
        self.assertEqual(self.status(load)["state"], "paused")
        at_rest = self.target.count()["requests"]
        before = self.status(load)
        self.pass_time(1.5)  # the run would be over
        self.assertEqual(self.target.count()["requests"], at_rest)
        now = self.status(load)
        self.assertEqual((now["elapsed_s"], now["planned_s"], now["rate_per_s"]), (before["elapsed_s"], 1.2, 0), now)
        self.assertEqual(load.ctl("resume").code, 0)
        ended = load.wait()
        self.assertEqual((ended.code, ended.result["interrupted"]), (0, False), ended)
        self.assertGreater(ended.totals["requests"], at_rest)
        self.assertEqual(ended.result["planned_s"], 1.2)
        self.assertGreater(ended.result["wall_s"], 2.5)
        self.assertEqual(ended.totals["requests"], self.target.count()["requests"])

    @staticmethod
    def pass_time(seconds):
        end = time.monotonic() + seconds
        until(lambda: time.monotonic() >= end, "time passes")

    def paused_run(self, *arguments):
        load = self.start(*arguments, path="/")
        self.assertEqual(load.ctl("pause").code, 0)
        self.pass_time(4)
        self.assertEqual(load.ctl("resume").code, 0)
        return load.wait()

    def assert_time_stood_still(self, result):
        self.assertAlmostEqual(result["elapsed_s"], 3, delta=0.4)
        self.assertAlmostEqual(result["wall_s"], result["elapsed_s"] + 4, delta=0.4)
        self.assertAlmostEqual(sum(window["length_s"] for window in result["windows"]), result["elapsed_s"], delta=0.2)
        self.assertEqual([window for window in result["windows"] if window["requests"] == 0], [])
        for change in result["changes"]:
            self.assertLess(change["at_s"], 3)

    def test_a_pause_is_not_in_rates(self):
        ended = self.paused_run("-c", "2", "-d", "3s", "--think-time", "10ms", "--threshold", "rate>100/s")
        self.assertEqual(ended.code, 0, ended)
        self.assert_time_stood_still(ended.result)
        self.assertAlmostEqual(ended.totals["rate_per_s"], ended.totals["requests"] / ended.result["elapsed_s"], delta=1)
        self.assertRegex(ended.out, r"wall time +7\.\d+ ?s +paused for 4\.\d+ ?s")

    def test_a_pause_is_not_in_the_achieved_rate(self):
        ended = self.paused_run("-r", "200", "-d", "3s", "--threshold", "rate>190/s")
        self.assertEqual((ended.code, ended.totals["requests"]), (0, 600), ended)
        self.assert_time_stood_still(ended.result)
        self.assertEqual(ended.result["asked_rate_per_s"], 200)
        self.assertGreater(ended.result["achieved_rate_per_s"], 190)
        self.assertNotIn("under the", ended.out)

    def test_the_run_goes_on_while_one_workflow_is_paused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "two.js")
            with open(path, "w", encoding="utf-8") as file:
                file.write(TWO_WORKFLOWS.format(url=self.target.url.rstrip("/")))
            load = self.enterContext(LoadRun(path))
            load.await_load(self.target, 20)
            self.assertEqual(load.ctl("pause", "--workflow", "Pay").code, 0)
            self.pass_time(2)
            self.assertEqual(load.ctl("resume", "--workflow", "Pay").code, 0)
            self.pass_time(0.5)
            load.ctl("stop")
            ended = load.wait()
        browse, pay = sorted(ended.result["workflows"], key=lambda workflow: workflow["name"])
        self.assertEqual(ended.result["wall_s"], ended.result["elapsed_s"])
        self.assertEqual(browse["wall_s"], browse["elapsed_s"])
        self.assertAlmostEqual(pay["wall_s"] - pay["elapsed_s"], 2, delta=0.5)
        self.assertAlmostEqual(pay["rate_per_s"], pay["requests"] / pay["elapsed_s"], delta=1)

    def test_many_changes_hide_no_pause(self):
        load = self.start("-c", "2", "-d", "60s")
        for action in [f"vus={users}" for users in range(3, 25)] + ["pause", "resume"]:
            self.assertEqual(load.ctl(action).code, 0, action)
        load.ctl("stop")
        ended = load.wait()
        self.assertEqual(len(ended.result["changes"]), 24)
        self.assertRegex(ended.out, r"s: 22 changes from vus=3 to vus=24\n.* s: pause\n.* s: resume\n")

    def test_what_cannot_be_done_is_said(self):
        load = self.start("-c", "2", "-d", "60s")
        for action, code, sentence in (("rate=50", 1, "rate: it runs users in a closed loop and has no rate; change vus"),
                                       ("resume", 1, "it is not paused"),
                                       ("vus=9999999", 1, "vus: 9999999 users need"),
                                       ("vus=many", 2, 'vus: "many"'),
                                       ("hurry", 2, '"hurry" is not one of vus=N, rate=N, pause, resume; other actions are')):
            with self.subTest(action):
                asked = load.ctl(action)
                self.assertEqual((asked.code, asked.out), (code, ""), asked)
                self.assertTrue(asked.err.startswith("hyperscale ctl: " + sentence), asked)
        self.assertEqual(load.ctl("pause").code, 0)
        self.assertIn("it is paused already", load.ctl("pause").err)
        load.ctl("stop")
        ended = load.wait()
        self.assertEqual(ended.code, 0, "a paused run can be stopped")
        self.assertEqual([change["what"] for change in ended.result["changes"]], ["pause"])

    def test_a_successor_follows_the_changes_too(self):
        load = self.start("-c", "2", "-d", "60s", path="/delay/50ms")
        self.assertEqual(load.ctl("vus=6").code, 0)
        until(lambda: self.status(load)["users"] == 6, "six users are busy")
        for pid in load.executors():
            os.kill(pid, signal.SIGKILL)
        until(lambda: self.status(load)["users"] == 6, "six users are busy again")
        load.ctl("stop")
        self.assertEqual(load.wait().result["vus_max"], 6)

    def test_what_a_lost_share_cannot_do_is_said(self):
        load = self.start("-c", "4", "-d", "60s", "--cores", "2", path="/delay/50ms")
        executors = load.executors()
        os.kill(executors[0], signal.SIGKILL)
        successor, = until(lambda: [pid for pid in load.executors() if pid not in executors], "a successor runs")
        until(lambda: self.status(load)["users"] == 4, "all users are back")
        os.kill(successor, signal.SIGKILL)
        load.await_err("the rest of its share is lost")
        changed = json.loads(load.ctl("vus=40").out)
        self.assertEqual((changed["changed"], changed["note"]), ("vus=40", "executor 0 is lost: 20 of them run"))
        until(lambda: self.status(load)["users"] == 20, "as many as it said")
        load.ctl("stop")
        ended = load.wait()
        self.assertEqual((ended.code, ended.result["vus_max"]), (1, 20), ended)
        self.assertIn("changed: vus=40 (executor 0 is lost: 20 of them run)", ended.err)

    def test_one_of_several_workflows(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "two.js")
            with open(path, "w", encoding="utf-8") as file:
                file.write(TWO_WORKFLOWS.format(url=self.target.url.rstrip("/")))
            load = self.enterContext(LoadRun(path))
            load.await_load(self.target, 20)
            asked = load.ctl("vus=5")
            self.assertEqual(asked.code, 1, asked)
            self.assertIn("several workflows are under way; say --workflow with one of Browse, Pay", asked.err)
            self.assertIn("no such workflow", load.ctl("vus=5", "--workflow", "Shop").err)
            self.assertEqual(load.ctl("vus=5", "--workflow", "Pay").code, 0)
            self.assertEqual(load.ctl("pause").code, 0)
            until(lambda: self.status(load)["users"] == 0, "both stand still")
            load.ctl("stop")
            changes = load.wait().result["changes"]
            self.assertEqual([(change["what"], change["workflow"]) for change in changes],
                             [("vus=5", "Pay"), ("pause", "Browse"), ("pause", "Pay")])

    def workflows(self, lines):
        with open(lines, encoding="utf-8") as file:
            last = json.loads(file.read().splitlines()[-1])
        return last["state"], {workflow["name"]: workflow["state"] for workflow in last["workflows"]}

    def test_one_of_several_workflows_is_paused_and_stopped(self):
        with tempfile.TemporaryDirectory() as folder:
            path, lines = os.path.join(folder, "two.js"), os.path.join(folder, "live.jsonl")
            with open(path, "w", encoding="utf-8") as file:
                file.write(TWO_WORKFLOWS.format(url=self.target.url.rstrip("/")))
            load = self.enterContext(LoadRun(path, "--out", "jsonl=" + lines))
            load.await_load(self.target, 20)
            self.assertEqual(load.ctl("pause", "--workflow", "Pay").code, 0)
            self.assertEqual(self.status(load)["state"], "running", "the other one goes on")
            until(lambda: os.path.getsize(lines) > 0 and self.workflows(lines) ==
                  ("running", {"Browse": "running", "Pay": "paused"}), "lines tell which one is paused")
            refused = load.ctl("stop", "--workflow", "Shop")
            self.assertEqual(refused.code, 1, refused)
            self.assertIn("there is no such workflow; say --workflow with one of Browse, Pay", refused.err)
            self.assertEqual(load.ctl("stop", "--workflow", "Browse").code, 0)
            until(lambda: self.workflows(lines)[1] == {"Browse": "done", "Pay": "paused"}, "one has ended")
            self.assertEqual(self.status(load)["state"], "paused", "all that is left is")
            self.assertIn("it has ended", load.ctl("stop", "--workflow", "Browse").err)
            load.ctl("resume")
            load.ctl("stop")
            ended = load.wait()
            self.assertEqual([(change["what"], change["workflow"]) for change in ended.result["changes"]],
                             [("pause", "Pay"), ("stop", "Browse"), ("resume", "Pay")])
            self.assertIn("changed: pause of Pay", ended.err)

    def test_options_that_would_be_ignored_are_refused(self):
        for arguments in (("stop", "--basis", "0"), ("status", "--workflow", "Pay"), ("list", "--workflow", "Pay")):
            with self.subTest(arguments):
                asked = invoke("ctl", *arguments)
                self.assertEqual(asked.code, 2, asked)
                self.assertIn(f"{arguments[1]} does not go with {arguments[0]}", asked.err)

    def test_a_pause_in_the_warm_up_is_none_of_the_counted_part(self):
        load = self.enterContext(LoadRun("-c", "3", "--warmup", "1500ms", "-d", "1s", self.target.url + "/delay/5ms"))
        load.await_load(self.target, 4)
        self.assertEqual(self.status(load)["state"], "warm_up")
        self.assertEqual(load.ctl("pause").code, 0)
        until(lambda: self.status(load)["users"] == 0, "nobody is busy")
        at_rest = self.target.count()["requests"]
        for _ in range(30):
            self.assertEqual(self.status(load)["state"], "paused")
        self.assertEqual(self.target.count()["requests"], at_rest)
        self.assertEqual(load.ctl("resume").code, 0)
        self.assertEqual(self.status(load)["state"], "warm_up", "it goes on where it was")
        ended = load.wait()
        self.assertEqual(ended.code, 0, ended)
        self.assertEqual(ended.result["planned_s"], 1.0)
        self.assertLess(ended.result["elapsed_s"], 1.5)
        for change in ended.result["changes"]:
            self.assertLess(change["at_s"], 0, "before anything counts")

    def test_help_tells_of_it(self):
        shown = invoke("ctl", "--help").out
        for word in ("vus=N", "rate=N", "pause", "resume", "--workflow"):
            self.assertIn(word, shown)


if __name__ == "__main__":
    unittest.main()
