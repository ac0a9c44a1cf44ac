"""The shared memory of a run: what is there while it runs, what is left when it is killed, who may see it, who follows it."""

import json
import os
import pwd
import shutil
import signal
import stat
import struct
import subprocess
import tempfile
import threading
import time
import unittest

from harness.node import binary, clean_environment
from harness.runs import LoadRun, Target, invoke, is_alive
from harness.waiting import until

CORES = 2
LEASE_S = 3
MAGIC = 0x544F504C53484D31
OLD_AT_ONCE = {"HYPERSCALE_POLICIES_EPOCH_GC_MIN_AGE_NS": "1"}


def user_folder(base, user=None):
    return os.path.join(base, "tensorpool-" + (user or pwd.getpwuid(os.getuid()).pw_name))


def files_below(base):
    return sorted(os.path.join(folder, name) for folder, _, names in os.walk(base) for name in names)


def superblock(path):
    with open(path, "rb") as file:
        fields = struct.unpack("<QIQIhHIIIQQQ", file.read(64))
    names = ("magic", "version", "epoch", "stream", "type", "pool", "nslots", "slot_bytes", "stride", "pid", "started", "activity")
    return dict(zip(names, fields))


class StreamsCase(unittest.TestCase):
    def setUp(self):
        self.target = Target()
        self.addCleanup(self.target.close)
        self.base = tempfile.mkdtemp(dir="/dev/shm")
        self.addCleanup(shutil.rmtree, self.base, ignore_errors=True)

    def start(self, *arguments, environment=None, **options):
        load = self.enterContext(
            LoadRun("--cores", str(CORES), *arguments, self.target.url + "/delay/2ms",
                    environment={"HYPERSCALE_SHM_BASE_DIR": self.base, **(environment or {})}, **options)
        )
        load.await_load(self.target, 100)
        return load

    def stream(self, load, *arguments, **environment):
        return invoke("stream", *arguments, environment={**load.environment, **environment})


class WhileItRuns(StreamsCase):
    # proves: SHM-DIR-1
    def test_each_executor_has_a_stream_of_its_own_and_nothing_is_left_at_the_end(self):
        load = self.start("-d", "30s")
        spaces = os.listdir(user_folder(self.base))
        self.assertEqual(len(spaces), 1)
        folder = os.path.join(user_folder(self.base), spaces[0])
        streams = sorted(name for name in os.listdir(folder) if name.isdigit())
        self.assertEqual(streams, ["0", "1"])
        owners = set()
        for name in streams:
            self.assertEqual(os.listdir(os.path.join(folder, name)), ["1"])
            epoch = os.path.join(folder, name, "1")
            self.assertEqual(sorted(os.listdir(epoch)), ["1.pool", "counters", "header.ring"])
            for file in os.listdir(epoch):
                block = superblock(os.path.join(epoch, file))
                self.assertEqual((block["magic"], block["version"], block["epoch"], block["stream"]), (MAGIC, 1, 1, int(name)))
                owners.add(block["pid"])
        self.assertEqual(owners, set(load.executors()))
        for folder, folders, files in os.walk(user_folder(self.base)):
            for name in folders:
                self.assertEqual(stat.S_IMODE(os.stat(os.path.join(folder, name)).st_mode), 0o700)
            for name in files:
                self.assertEqual(stat.S_IMODE(os.stat(os.path.join(folder, name)).st_mode), 0o600)
        load.ctl("stop")
        ended = load.wait()
        self.assertEqual(ended.code, 0, ended)
        self.assertEqual(ended.result["run_id"], spaces[0])
        self.assertEqual(os.listdir(user_folder(self.base)), [])

    def test_a_restarted_executor_gets_a_new_epoch(self):
        load = self.start("-d", "30s")
        executors = load.executors()
        os.kill(executors[0], signal.SIGKILL)
        run = os.listdir(user_folder(self.base))[0]
        stream = os.path.join(user_folder(self.base), run, "0")
        until(lambda: "2" in os.listdir(stream), "a second epoch")
        self.assertEqual(superblock(os.path.join(stream, "1", "header.ring"))["pid"], 0)
        load.ctl("stop")
        self.assertEqual(load.wait().code, 0)

    def test_ls_tells_streams_and_leases(self):
        load = self.start("-d", "30s")
        listed = self.stream(load, "ls", "--json")
        self.assertEqual(listed.code, 0, listed)
        told = json.loads(listed.out)
        self.assertEqual([(epoch["stream"], epoch["epoch"], epoch["owner"], epoch["driver"]) for epoch in told["epochs"]],
                         [(0, 1, "alive", True), (1, 1, "alive", True)])
        self.assertEqual({lease["pid"] for lease in told["leases"]}, set(load.executors()))
        self.assertIn("producer", self.stream(load, "ls").out)
        load.ctl("stop")
        load.wait()
        self.assertEqual(self.stream(load, "ls").out, "no streams\n")


class TruncatedFile(StreamsCase):
    def test_costs_the_share_and_not_the_run(self):
        for file in ("counters", "header.ring", "1.pool"):
            with self.subTest(file=file):
                load = self.start("-d", "30s")
                run = os.listdir(user_folder(self.base))[0]
                os.truncate(os.path.join(user_folder(self.base), run, "0", "1", file), 0)
                load.await_err("the file of its stream was cut short by another process")
                load.ctl("stop")
                ended = load.wait()
                self.assertEqual(ended.code, 1, ended)
                self.assertTrue(ended.result["partial"])
                self.assertEqual([executor["end"] for executor in ended.result["executors"]], ["lost", "finished"])
                self.assertEqual(ended.totals["errors"], 0)
                # Nothing has become absurd because a figure went back.
                self.assertLess(ended.totals["requests"], 10_000_000)
                self.assertTrue(all(window["requests"] < 10_000_000 for window in ended.result["windows"]))
                self.target.take_count()


class Followed(StreamsCase):
    def tail(self, load):
        return self.enterContext(
            subprocess.Popen([binary(), "stream", "tail", "--json"], env=clean_environment(load.environment),
                             stdout=subprocess.PIPE, text=True)
        )

    def test_tail_prints_samples_as_they_come(self):
        load = self.start("-d", "30s")
        tail = self.stream(load, "tail", "--json", "--limit", "200")
        self.assertEqual(tail.code, 0, tail)
        samples = [json.loads(line) for line in tail.out.splitlines()]
        self.assertEqual(len(samples), 200)
        self.assertEqual({sample["outcome"] for sample in samples}, {"ok"})
        self.assertEqual({sample["status"] for sample in samples}, {200})
        self.assertTrue(all(sample["duration_ns"] >= 2_000_000 for sample in samples))
        self.assertRegex(tail.err, r"^200 samples; missed \d+ \(drops_gap \d+, drops_late \d+\)\n$")
        load.ctl("stop")
        load.wait()

    def consumers(self, load):
        listed = json.loads(self.stream(load, "ls", "--json").out)
        return json.dumps(listed).count('"consumer"')

    def test_a_tail_that_is_interrupted_gives_back_its_leases_and_tells_what_it_saw(self):
        load = self.start("-d", "60s")
        tail = self.enterContext(
            subprocess.Popen([binary(), "stream", "tail", "--json"], env=clean_environment(load.environment),
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))
        self.assertTrue(tail.stdout.readline())
        self.assertEqual(self.consumers(load), CORES)
        tail.send_signal(signal.SIGINT)
        _, said = tail.communicate()
        self.assertEqual(tail.returncode, 0)
        self.assertRegex(said, r"^\d+ samples; missed \d+ ")
        self.assertEqual(self.consumers(load), 0)

    def test_a_tail_of_what_is_not_there_is_an_error(self):
        load = self.start("-d", "60s")
        other = self.stream(load, "tail", "--stream", "7")
        self.assertEqual((other.code, other.out), (1, ""), other)
        self.assertIn("the run has no stream 7", other.err)
        elsewhere = self.stream(load, "tail", "--base-dir", "/tmp")
        self.assertEqual((elsewhere.code, elsewhere.out), (1, ""), elsewhere)
        self.assertIn("none of its streams can be read", elsewhere.err)
        for limit in ("0", "-1", "99999999999999999999"):
            self.assertEqual(self.stream(load, "tail", "--limit", limit).code, 2)

    def test_a_base_may_be_relative(self):
        load = self.start("-d", "60s", environment={"HYPERSCALE_SHM_BASE_DIR": os.path.relpath(self.base)})
        tail = self.stream(load, "tail", "--limit", "1", "--base-dir", os.path.relpath(self.base) + "/")
        self.assertEqual(tail.code, 0, tail)
        self.assertEqual(len(tail.out.splitlines()), 1)

    # proves part: SHM-AUTH-3 (remaps, not frames in flight)
    def test_tail_goes_on_with_the_epoch_of_a_restarted_executor(self):
        load = self.start("-d", "60s")
        tail = self.tail(load)
        newest = {}

        def read():
            for line in tail.stdout:
                sample = json.loads(line)
                newest[sample["stream"]] = sample["ended_ns"]

        reader = threading.Thread(target=read)
        reader.start()
        self.addCleanup(reader.join)
        self.addCleanup(tail.kill)
        until(lambda: len(newest) == CORES, "samples of both executors")
        os.kill(load.executors()[0], signal.SIGKILL)
        stream = os.path.join(user_folder(self.base), os.listdir(user_folder(self.base))[0], "0")
        until(lambda: "2" in os.listdir(stream), "a second epoch")
        changed = time.monotonic_ns()
        until(lambda: newest[0] > changed, "samples of the new epoch, which only a consumer that maps it can see")
        load.ctl("stop")
        self.assertEqual(load.wait().code, 0)

    def test_a_tail_that_is_read_slowly_keeps_its_leases(self):
        load = self.start("-c", "64", "-d", "60s")
        tail = self.tail(load)
        self.addCleanup(tail.kill)
        began = time.monotonic()

        def has_outlived_a_lease():
            os.read(tail.stdout.fileno(), 4096)
            return time.monotonic() - began > 2 * LEASE_S

        until(has_outlived_a_lease, "samples all the time")
        leases = json.loads(self.stream(load, "ls", "--json").out)["leases"]
        self.assertEqual([lease["stream"] for lease in leases if lease["pid"] == tail.pid], [0, 1])
        tail.kill()
        load.ctl("stop")
        self.assertEqual(load.wait().code, 0)

    def test_a_tail_keeps_leases_that_are_short(self):
        lease_s = 0.6
        load = self.start("-d", "60s", environment={"HYPERSCALE_POLICIES_LEASE_KEEPALIVE_INTERVAL_MS": str(int(lease_s * 1000 / LEASE_S))})
        tail = self.tail(load)
        self.addCleanup(tail.kill)

        def leases():
            told = json.loads(self.stream(load, "ls", "--json").out)["leases"]
            return {lease["lease"] for lease in told if lease["pid"] == tail.pid}

        until(lambda: len(leases()) == CORES, "a lease on each stream")
        first = leases()
        began = time.monotonic()

        def has_outlived_leases():
            os.read(tail.stdout.fileno(), 65536)
            return time.monotonic() - began > 4 * lease_s

        until(has_outlived_leases, "samples all the time")
        self.assertEqual(leases(), first)
        tail.kill()
        load.ctl("stop")
        self.assertEqual(load.wait().code, 0)

    def test_tail_without_a_run_says_so(self):
        with tempfile.TemporaryDirectory() as folder:
            tail = invoke("stream", "tail", environment={"XDG_RUNTIME_DIR": folder})
        self.assertEqual((tail.code, tail.err), (1, "hyperscale stream tail: no run of this user is under way\n"))


class Killed(StreamsCase):
    def kill_all(self, load):
        """The runner, and before it the process that would collect what it leaves."""
        executors = load.executors()
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/comm") as name, open(f"/proc/{pid}/cmdline") as arguments:
                    if name.read() == "hs-streams\n" and self.base in arguments.read():
                        os.kill(int(pid), signal.SIGKILL)
            except (FileNotFoundError, ProcessLookupError, PermissionError):
                pass  # it has ended meanwhile
        load.process.kill()
        load.process.wait()
        until(lambda: not any(is_alive(pid) for pid in executors), "the executors are gone")

    def test_what_a_killed_run_left_is_collected(self):
        load = self.start("-d", "30s")
        self.kill_all(load)
        self.assertTrue(files_below(self.base))
        told = self.stream(load, "gc", **OLD_AT_ONCE)
        self.assertEqual(told.code, 0, told)
        self.assertIn("2 epochs would be removed", told.out)
        self.assertTrue(files_below(self.base), "only told")
        fresh = self.stream(load, "gc", "--yes", HYPERSCALE_POLICIES_EPOCH_GC_MIN_AGE_NS=str(10**15))
        self.assertIn("stays: fresh", fresh.out)
        done = self.stream(load, "gc", "--yes", **OLD_AT_ONCE)
        self.assertIn("2 epochs removed", done.out)
        self.assertEqual(os.listdir(user_folder(self.base)), [])

    def test_a_run_that_was_killed_alone_leaves_nothing_for_long(self):
        load = self.start("-d", "30s")
        self.assertTrue(files_below(self.base))
        load.process.kill()
        load.process.wait()
        until(lambda: not os.listdir(user_folder(self.base)), "the process that stays behind has removed it")

    def test_the_next_run_collects_it_too(self):
        load = self.start("-d", "30s")
        self.kill_all(load)
        left = os.listdir(user_folder(self.base))
        self.target.take_count()
        other = self.start("-d", "30s", environment=OLD_AT_ONCE)
        self.assertNotIn(left[0], os.listdir(user_folder(self.base)))
        other.ctl("stop")
        self.assertEqual(other.wait().code, 0)

    # proves: SHM-SAFE-1
    # proves part: SHM-GOAL-2 (a living run; not that a tail reports what it maps)
    def test_a_living_run_is_not_touched(self):
        load = self.start("-d", "30s")
        before = files_below(self.base)
        done = self.stream(load, "gc", "--yes", **OLD_AT_ONCE)
        self.assertIn("0 epochs removed", done.out)
        self.assertEqual(files_below(self.base), before)
        load.ctl("stop")
        self.assertEqual(load.wait().code, 0)


@unittest.skipUnless(os.geteuid() == 0, "mounting and changing the user need root")
class AsRoot(StreamsCase):
    # proves: SHM-ALLOC-1
    # proves part: SHM-DRV-5 (no space is a clear error; not that it makes the driver collect and try again)
    def test_a_full_base_is_a_clear_error(self):
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", self.base], capture_output=True)
        if mounted.returncode != 0:
            self.skipTest("no tmpfs can be mounted here")
        self.addCleanup(subprocess.run, ["umount", self.base])
        ended = invoke("run", "-d", "1s", self.target.url, environment={"HYPERSCALE_SHM_BASE_DIR": self.base})
        self.assertEqual(ended.code, 1, ended)
        self.assertRegex(ended.err, r"insufficient shared memory: \d+ bytes are needed, \d+ are available")
        self.assertEqual(files_below(self.base), [])

    # proves: SHM-DIR-1
    def test_users_have_folders_of_their_own(self):
        os.chmod(self.base, 0o1777)
        runtime = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, runtime, ignore_errors=True)
        os.chmod(runtime, 0o777)
        load = self.start("-d", "30s")
        environment = clean_environment({"HYPERSCALE_SHM_BASE_DIR": self.base, "XDG_RUNTIME_DIR": runtime})
        as_nobody = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", binary()]
        if subprocess.run([*as_nobody, "version"], env=environment, capture_output=True).returncode != 0:
            self.skipTest("nobody cannot run the program")
        other = subprocess.run([*as_nobody, "run", "-d", "200ms", self.target.url], env=environment, capture_output=True, text=True)
        self.assertEqual(other.returncode, 0, other.stderr)
        listed = subprocess.run([*as_nobody, "stream", "ls"], env=environment, capture_output=True, text=True)
        self.assertEqual((listed.returncode, listed.stdout), (0, "no streams\n"))
        self.assertTrue(os.path.isdir(user_folder(self.base, "nobody")))
        self.assertEqual(len(json.loads(self.stream(load, "ls", "--json").out)["epochs"]), CORES)
        load.ctl("stop")
        self.assertEqual(load.wait().code, 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
