"""Ways to end a run early: Ctrl-C once and twice, SIGTERM, hyperscale ctl stop, the time limit."""

import json
import os
import signal
import stat
import time
import unittest

from harness.runs import LoadRun, Target, process_state, run
from harness.waiting import until

# Far from the 30 s that a graceful stop may take, and from the end of the run.
AT_ONCE_S = 5.0


class StoppingCase(unittest.TestCase):
    def setUp(self):
        self.target = Target()
        self.addCleanup(self.target.close)

    def start(self, *arguments, path="/delay/5ms"):
        load = self.enterContext(LoadRun("-c", "4", *arguments, self.target.url + path))
        load.await_load(self.target, 4)
        return load


class Signals(StoppingCase):
    def test_one_stops_in_order_and_the_summary_is_printed(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number):
                self.target.take_count()
                load = self.start("-d", "60s")
                load.interrupt(number)
                ended = load.wait(AT_ONCE_S)
                self.assertEqual(ended.code, 0, ended)
                self.assertIn("stopping: waiting up to 30s", ended.err)
                self.assertRegex(ended.out, r"requests +\d+")
                self.assertRegex(ended.out, r"The run was stopped after \S+ of 1m00s planned")
                self.assertTrue(ended.result["interrupted"])
                self.assertFalse(ended.result["partial"])
                self.assertEqual([executor["end"] for executor in ended.result["executors"]], ["finished"] * len(ended.result["executors"]))
                self.assertEqual(ended.totals["requests"], self.target.count()["requests"])
                self.assertEqual(ended.totals["errors"], 0)

    def test_requests_in_flight_may_end(self):
        load = self.start("-d", "60s", path="/delay/400ms")
        load.interrupt()
        ended = load.wait(AT_ONCE_S)
        self.assertEqual(ended.code, 0, ended)
        self.assertEqual((ended.totals["requests"], ended.totals["errors"]), (self.target.count()["requests"], 0))

    def test_a_second_one_ends_at_once(self):
        load = self.start("-d", "60s", path="/never")
        load.interrupt()
        load.await_err("press Ctrl-C again to stop now")
        executors = load.executors()
        self.assertTrue(executors)
        begin = time.monotonic()
        load.interrupt()
        ended = load.wait()
        self.assertLess(time.monotonic() - begin, AT_ONCE_S)
        self.assertEqual(ended.code, 130, ended)
        self.assertTrue(ended.result["interrupted"])
        self.assertGreater(ended.result["elapsed_s"], 0, "it was tried for a while, though nothing was answered")
        self.assertRegex(ended.out, r"requests +0")
        self.assertFalse([pid for pid in executors if os.path.exists(f"/proc/{pid}")])

    def test_a_closed_window_hangs_up_twice_and_stops_in_order(self):
        load = self.start("-d", "60s", path="/delay/400ms")
        load.interrupt(signal.SIGHUP)
        load.await_err("stopping: ")
        load.interrupt(signal.SIGHUP)
        ended = load.wait(AT_ONCE_S)
        self.assertEqual(ended.code, 0, ended)
        self.assertEqual((ended.totals["requests"], ended.totals["errors"]), (self.target.count()["requests"], 0))

    def test_an_ignored_hangup_stays_ignored(self):
        load = self.enterContext(LoadRun("-d", "600ms", self.target.url + "/delay/5ms",
                                         preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)))
        load.await_load(self.target)
        load.interrupt(signal.SIGHUP)
        ended = load.wait()
        self.assertEqual((ended.code, ended.result["interrupted"]), (0, False), ended)

    def test_the_graceful_stop_is_bounded(self):
        ended = run("-c", "4", "-d", "200ms", "--graceful-stop", "200ms", self.target.url + "/never")
        self.assertEqual(ended.code, 1, ended)
        self.assertEqual(ended.totals["outcomes"], {"cut": 4})
        self.assertLess(ended.result["elapsed_s"], AT_ONCE_S)

    # proves part: LOCAL-6 (name, mode, timeout, tags of one workflow; not: tags of several kept apart in results)
    def test_the_time_limit(self):
        ended = run("-n", "1000000", "-c", "2", "--time-limit", "300ms", self.target.url + "/delay/5ms")
        self.assertEqual(ended.code, 0, ended)
        self.assertTrue(ended.result["interrupted"])
        self.assertIn("stopped at the time limit of 300ms", ended.result["warnings"])
        self.assertEqual(ended.totals["requests"], self.target.count()["requests"])


class Suspension(StoppingCase):
    def suspend(self, load, seconds):
        os.killpg(load.process.pid, signal.SIGSTOP)
        begin = time.monotonic()
        until(lambda: time.monotonic() - begin > seconds, "the time of the suspension")
        os.killpg(load.process.pid, signal.SIGCONT)

    def test_a_suspension_is_told(self):
        load = self.start("-d", "3s")
        self.suspend(load, 1.5)
        load.await_err("the run was suspended for 1.")
        ended = load.wait()
        self.assertEqual((ended.code, len(ended.result["warnings"])), (0, 1), ended)
        self.assertRegex(ended.result["warnings"][0], r"^The run was suspended for 1\.[5-9]s: requests that were under way")
        self.assertIn("The run was suspended for 1.", ended.out)

    def test_nobody_is_blamed_for_one_that_outlasts_the_run(self):
        load = self.start("-d", "300ms", "--graceful-stop", "0s")
        self.suspend(load, 6)
        ended = load.wait()
        self.assertEqual((ended.code, ended.result["partial"]), (0, False), ended)
        self.assertNotIn("did not end in time", ended.out)

    def test_a_run_that_is_continued_without_a_suspension_has_no_warning(self):
        load = self.start("-d", "600ms")
        load.interrupt(signal.SIGCONT)
        self.assertEqual(load.wait().result["warnings"], [])


class Control(StoppingCase):
    def test_status_is_json_and_stop_ends_in_order(self):
        load = self.start("-d", "60s")
        run_id = load.ctl("list").out.strip()
        first, second = (json.loads(load.ctl(*words).out) for words in (("status",), (run_id, "status")))
        self.assertEqual((first["run_id"], first["state"], first["planned_s"]), (run_id, "running", 60))
        self.assertGreaterEqual(first["requests"], 4)
        self.assertGreaterEqual(second["requests"], first["requests"])
        self.assertGreaterEqual(second["elapsed_s"], first["elapsed_s"])
        self.assertEqual((second["errors"], second["dropped"]), (0, 0))
        stopped = load.ctl(run_id, "stop")
        self.assertEqual((stopped.code, stopped.out), (0, f"{run_id} stops\n"))
        ended = load.wait(AT_ONCE_S)
        self.assertEqual((ended.code, ended.result["interrupted"], ended.result["run_id"]), (0, True, run_id), ended)
        self.assertEqual(ended.totals["requests"], self.target.count()["requests"])
        self.assertIn("stopping: asked by hyperscale ctl", ended.err)

    def test_the_socket_is_for_its_user_only_and_goes_with_the_run(self):
        load = self.start("-d", "60s")
        folder = os.path.join(load.runtime_folder, f"hyperscale-{os.getuid()}")
        sockets = os.listdir(folder)
        self.assertEqual(len(sockets), 1)
        mode = os.stat(os.path.join(folder, sockets[0])).st_mode
        self.assertTrue(stat.S_ISSOCK(mode))
        self.assertEqual(stat.S_IMODE(mode), 0o600)
        self.assertEqual(stat.S_IMODE(os.stat(folder).st_mode), 0o700)
        load.interrupt()
        self.assertEqual(load.wait().code, 0)
        self.assertEqual(os.listdir(folder), [])

    def test_what_a_killed_run_left_is_removed_and_nothing_else(self):
        living, killed = self.start("-d", "60s"), self.start("-d", "60s")
        folder = os.path.join(living.runtime_folder, f"hyperscale-{os.getuid()}")
        other = os.path.join(killed.runtime_folder, f"hyperscale-{os.getuid()}")
        until(lambda: killed.ctl("list").out, "the second can be reached too")
        name, = os.listdir(other)
        os.rename(os.path.join(other, name), os.path.join(folder, name))
        self.assertEqual(len(living.ctl("list").out.split()), 2, "somebody listens on both")
        killed.process.kill()
        killed.process.wait()
        self.assertEqual(len(os.listdir(folder)), 2)
        self.assertEqual(len(living.ctl("list").out.split()), 1)
        self.assertEqual(len(os.listdir(folder)), 1)
        self.assertEqual(living.ctl("status").code, 0)

    def test_a_run_that_is_suspended_is_named(self):
        load = self.start("-d", "60s")
        run_id = load.ctl("list").out.strip()
        os.kill(load.process.pid, signal.SIGSTOP)
        until(lambda: process_state(load.process.pid) == "T", "it is suspended")
        begin = time.monotonic()
        for words, out in ((("status",), ""), (("stop",), ""), ((run_id, "vus=2"), ""), (("list",), run_id + "\n")):
            asked = load.ctl(*words)
            self.assertEqual((asked.code, asked.out), (1, out), asked)
            self.assertEqual(asked.err, f"hyperscale ctl: run {run_id} does not answer: it is suspended; `fg` in its terminal or "
                                        f"`kill -CONT {load.process.pid}` lets it go on\n")
        self.assertLess(time.monotonic() - begin, AT_ONCE_S)
        os.kill(load.process.pid, signal.SIGCONT)
        self.assertEqual(json.loads(load.ctl("status").out)["state"], "running", "what was asked meanwhile is not done")

    def test_a_folder_that_others_may_enter_is_not_used(self):
        load = self.start("-d", "60s")
        os.chmod(os.path.join(load.runtime_folder, f"hyperscale-{os.getuid()}"), 0o755)
        asked = load.ctl("stop")
        self.assertEqual((asked.code, asked.err.count("\n")), (1, 1), asked)

    def test_an_unknown_run(self):
        load = self.start("-d", "60s")
        asked = load.ctl("1-2", "status")
        self.assertEqual((asked.code, asked.err), (1, "hyperscale ctl: no run 1-2 is under way\n"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
