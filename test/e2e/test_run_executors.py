"""Executors that are killed, a runner that is killed, and what the processes of a run share: no port, no file."""

import os
import re
import signal
import unittest

from harness.runs import LoadRun, Target, is_alive
from harness.waiting import until

USERS = 8
CORES = 2
AFTER_THE_RUNNER_S = 1.0


def tcp_listeners(pid):
    """Inodes of listening TCP sockets that the process has open."""
    listening = set()
    for table in ("tcp", "tcp6"):
        with open(f"/proc/net/{table}") as rows:
            for row in list(rows)[1:]:
                fields = row.split()
                if fields[3] == "0A":
                    listening.add(fields[9])
    return [inode for inode in sockets_of(pid) if inode in listening]


def sockets_of(pid):
    """Inodes; descriptors may be closed while one looks."""
    inodes = []
    for number in os.listdir(f"/proc/{pid}/fd"):
        try:
            link = os.readlink(f"/proc/{pid}/fd/{number}")
        except FileNotFoundError:
            continue
        if link.startswith("socket:["):
            inodes.append(link[len("socket:["):-1])
    return inodes


def unix_sockets():
    with open("/proc/net/unix") as rows:
        return {row.split()[6] for row in list(rows)[1:]}


def mapped_files(pid):
    with open(f"/proc/{pid}/maps") as maps:
        return {match[1] for match in re.finditer(r" (/(?:dev/shm/|memfd:)\S*)", maps.read())}


class ExecutorsCase(unittest.TestCase):
    def setUp(self):
        self.target = Target()
        self.addCleanup(self.target.close)

    def start(self, *arguments):
        load = self.enterContext(LoadRun("--cores", str(CORES), *arguments, self.target.url + "/delay/2ms"))
        load.await_load(self.target, 100)
        executors = load.executors()
        self.assertEqual(len(executors), CORES)
        return load, executors

    def assert_between(self, low, value, high):
        self.assertLessEqual(low, value)
        self.assertLessEqual(value, high)


class KilledExecutor(ExecutorsCase):
    # proves: LOCAL-2
    def test_its_share_is_started_again_and_nothing_recorded_is_lost(self):
        load, executors = self.start("-c", str(USERS), "-d", "2s")
        counted = self.target.count()["requests"]
        os.kill(executors[0], signal.SIGKILL)
        until(lambda: len(load.executors()) == CORES, "a successor runs")
        ended = load.wait()
        self.assertEqual(ended.code, 0, ended)
        result = ended.result
        self.assertFalse(result["partial"])
        self.assertEqual([executor["end"] for executor in result["executors"]], ["restarted", "finished"])
        self.assertRegex(result["executors"][0]["message"], r"^killed by signal 9 after \d\.\d s( with \d+ users? busy, whose requests in flight are not counted)?; its share was started again$")
        self.assertIn("executor 0: killed by signal 9", ended.err)
        self.assertIn("executor 0 was started again: killed by signal 9", " ".join(ended.out.split()))
        self.assertGreaterEqual(result["totals"]["requests"], counted)
        # All that may be missing is what the dead one had in flight.
        received = self.target.count()["requests"]
        self.assert_between(received - USERS // CORES, result["totals"]["requests"], received)
        self.assertEqual(result["totals"]["errors"], 0, ended)

    def test_an_open_schedule_goes_on_where_it_was(self):
        load, executors = self.start("-r", "1000", "-d", "1200ms", "-c", "100")
        os.kill(executors[1], signal.SIGKILL)
        ended = load.wait()
        self.assertEqual(ended.code, 0, ended)
        received = self.target.count()["requests"]
        self.assertEqual([executor["end"] for executor in ended.result["executors"]], ["finished", "restarted"])
        # One request of the schedule that was in flight is lost at most per user that was busy; none is sent twice.
        self.assert_between(1200 - 50, ended.totals["requests"] + ended.result["dropped"], 1200)
        self.assert_between(ended.totals["requests"], received, 1200)

    def test_a_share_that_dies_twice_is_lost_and_the_result_is_partial(self):
        load, executors = self.start("-c", str(USERS), "-d", "60s")
        os.kill(executors[0], signal.SIGKILL)
        successor = until(lambda: [pid for pid in load.executors() if pid not in executors], "a successor runs")[0]
        until(lambda: self.target.count()["connections"] == USERS + USERS // CORES, "its users have sent something")
        counted = self.target.count()["requests"]
        os.kill(successor, signal.SIGKILL)
        load.await_err("the rest of its share is lost")
        load.await_load(self.target, self.target.count()["requests"] + 100)  # the other share goes on
        load.ctl("stop")
        ended = load.wait()
        self.assertEqual(ended.code, 1, ended)
        result = ended.result
        self.assertTrue(result["partial"])
        self.assertEqual([executor["end"] for executor in result["executors"]], ["lost", "finished"])
        self.assertRegex(result["executors"][0]["message"],
                         r"^killed by signal 9 .*its share was started again, then killed by signal 9 .*the rest of its share is lost$")
        self.assertTrue(any("The share of 1 of 2 executors was lost" in warning for warning in result["warnings"]), ended)
        self.assertGreaterEqual(result["totals"]["requests"], counted)
        received = self.target.count()["requests"]
        self.assert_between(received - 2 * (USERS // CORES), result["totals"]["requests"], received)


class KilledRunner(ExecutorsCase):
    def test_no_executor_and_no_memory_survives_it(self):
        load, executors = self.start("-c", str(USERS), "-d", "30s")
        shared = set().union(*(mapped_files(pid) for pid in executors))
        self.assertTrue(shared, "tallies lie in shared memory")
        load.process.kill()
        until(lambda: not any(is_alive(pid) for pid in executors), "the executors are gone", AFTER_THE_RUNNER_S)
        load.process.wait()
        until(lambda: not any(map(os.path.exists, shared)), "their memory is gone", AFTER_THE_RUNNER_S)

    def test_the_socket_that_it_left_confuses_nobody(self):
        load, _ = self.start("-c", str(USERS), "-d", "30s")
        folder = os.path.join(load.runtime_folder, f"hyperscale-{os.getuid()}")
        left = os.listdir(folder)
        self.assertEqual(len(left), 1)
        load.process.kill()
        load.process.wait()
        self.assertEqual(os.listdir(folder), left)
        listed = load.ctl("list")
        self.assertEqual((listed.code, listed.out, listed.err), (0, "", ""))
        for action in ("status", "stop"):
            asked = load.ctl(action)
            self.assertEqual((asked.code, asked.err), (1, "hyperscale ctl: no run of this user is under way\n"))
        self.target.take_count()
        with LoadRun("-d", "30s", self.target.url, environment=load.environment) as living:
            living.await_load(self.target)
            listed = living.ctl("list").out.split()
            self.assertEqual(len(listed), 1)
            self.assertNotIn(f"run-{listed[0]}.sock", left)
            self.assertEqual(living.ctl("stop").code, 0)
            self.assertEqual(living.wait().result["run_id"], listed[0])


class Processes(ExecutorsCase):
    # proves part: LOCAL-3 (the cores of the mask, or as many as are asked for; but never more executors than users)
    # proves part: EXEC-VU-4 (executors of a local run; not a worker that is sent a number of cores)
    def test_users_are_spread_evenly_over_cores(self):
        load, executors = self.start("-c", "7", "-d", "60s")
        # Besides its connections, an executor has one socket: to the runner.
        self.assertEqual(sorted(len(sockets_of(pid)) - 1 for pid in executors), [3, 4])
        cores = [os.sched_getaffinity(pid) for pid in executors]
        self.assertTrue(all(len(core) == 1 for core in cores), cores)
        self.assertEqual(len(set().union(*cores)), min(CORES, len(os.sched_getaffinity(0))))
        load.ctl("stop")
        ended = load.wait()
        self.assertEqual([{executor["core"]} for executor in ended.result["executors"]], cores)
        self.assertEqual(ended.result["vus_max"], 7)

    # proves: LOCAL-1, LOCAL-4, LOCAL-5
    def test_a_socketpair_and_shared_memory_but_no_port(self):
        load, executors = self.start("-c", str(USERS), "-d", "30s")
        for pid in (load.process.pid, *executors):
            self.assertEqual(tcp_listeners(pid), [], "listens on a TCP port")
            self.assertTrue(mapped_files(pid), "has no shared memory")
        known = unix_sockets()
        for pid in executors:
            self.assertEqual(len([inode for inode in sockets_of(pid) if inode in known]), 1, "one socketpair")
        load.ctl("stop")
        self.assertEqual(load.wait().code, 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
