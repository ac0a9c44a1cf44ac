#!/usr/bin/env python3
"""Failure detection beside serf: 13 agents on this machine, the same probe interval, one after the other.

    bench/membership.py [--hogs 2] [--rounds 3]

In each round, with CPU hogs on: one agent is killed (how long until the first and until all others know), then another one is
stopped for 5 s (SIGSTOP): who takes it for dead, and who takes an innocent one for dead. Before that, the bytes on the loopback
device in a quiet time. Needs: build/release/bin/hyperscale, serf (make setup-test).
"""

import argparse
import json
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
AGENTS = 13
QUIET_S = 15.0
PAUSE_S = 5.0
GIVE_UP_S = 60.0
PORT = 27946


def loopback_bytes():
    with open("/proc/net/dev") as table:
        return next(int(line.split()[1]) for line in table if line.strip().startswith("lo:"))


class Agents:
    """What both have: agents with a log each, in which a death is a line."""

    def __init__(self):
        self.folder = tempfile.mkdtemp()
        self.pids, self.logs = {}, {}
        self.marks = {}

    def deaths(self):
        """(observer, subject) of every death in the logs since mark()."""
        found = set()
        for observer, path in self.logs.items():
            with open(path, errors="replace") as log:
                log.seek(self.marks.get(observer, 0))
                found |= {(observer, subject) for subject in self.PATTERN.findall(log.read())}
        return found

    def mark(self):
        self.marks = {observer: os.path.getsize(path) for observer, path in self.logs.items()}

    def close(self):
        for pid in self.pids.values():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        shutil.rmtree(self.folder, ignore_errors=True)


class Serf(Agents):
    NAME = "serf"
    PATTERN = re.compile(r"EventMemberFailed: (\S+)")

    def __init__(self):
        super().__init__()
        self.processes = []
        for i in range(AGENTS):
            name = f"n{i}"
            self.logs[name] = os.path.join(self.folder, name)
            command = ["serf", "agent", f"-node={name}", f"-bind=127.0.0.1:{PORT + i}", f"-rpc-addr=127.0.0.1:{PORT + 100 + i}",
                       "-profile=lan"] + ([f"-join=127.0.0.1:{PORT}"] if i else [])
            with open(self.logs[name], "w") as log:
                process = subprocess.Popen(command, stdout=log, stderr=log)
            self.processes.append(process)
            self.pids[name] = process.pid
            time.sleep(0.2)
        deadline = time.monotonic() + GIVE_UP_S
        while time.monotonic() < deadline:
            listed = subprocess.run(["serf", "members", f"-rpc-addr=127.0.0.1:{PORT + 100}", "-status=alive"],
                                    capture_output=True, text=True).stdout
            if len(listed.splitlines()) == AGENTS:
                return
            time.sleep(0.2)
        raise SystemExit("serf's agents did not find each other")

    def close(self):
        super().close()
        for process in self.processes:
            process.wait()


class Hyperscale(Agents):
    NAME = "hyperscale"
    PATTERN = re.compile(r"cluster: (\S+) at incarnation \d+ is dead")

    def __init__(self):
        super().__init__()
        self.state = os.path.join(self.folder, "cluster")
        self.program = os.path.join(ROOT, "build/release/bin/hyperscale")
        done = subprocess.run([self.program, "cluster", "up", "--state-dir", self.state, "--gates", "0", "--managers", "3",
                               "--workers", str(AGENTS - 3), "--probe-interval", "1s", "--json"],
                              capture_output=True, text=True, check=True)
        for row in json.loads(done.stdout):
            self.pids[row["name"]] = row["pid"]
            self.logs[row["name"]] = os.path.join(self.state, row["name"], "log")
        deadline = time.monotonic() + GIVE_UP_S
        while time.monotonic() < deadline:
            rows = json.loads(subprocess.run([self.program, "cluster", "status", "--state-dir", self.state, "--json"],
                                             capture_output=True, text=True, check=True).stdout)
            states = [member["state"] for row in rows for member in row["standing"]["members"]]
            if states == ["alive"] * (AGENTS * (AGENTS - 1)):
                return
            time.sleep(0.2)
        raise SystemExit("hyperscale's nodes did not find each other")


def measure(kind, hogs):
    agents = kind()
    burners = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(hogs)]
    try:
        before = loopback_bytes()
        time.sleep(QUIET_S)
        rate = (loopback_bytes() - before) / QUIET_S / AGENTS
        names = list(agents.pids)
        victim, sleeper = names[-1], names[-2]
        agents.mark()
        os.kill(agents.pids[victim], signal.SIGKILL)
        killed = time.monotonic()
        first = every = None
        while every is None and time.monotonic() - killed < GIVE_UP_S:
            knowing = {observer for observer, subject in agents.deaths() if subject == victim}
            if knowing and first is None:
                first = time.monotonic() - killed
            if len(knowing) >= AGENTS - 1:
                every = time.monotonic() - killed
            time.sleep(0.02)
        wrong = {subject for _, subject in agents.deaths() if subject != victim}
        agents.mark()
        os.kill(agents.pids[sleeper], signal.SIGSTOP)
        time.sleep(PAUSE_S)
        os.kill(agents.pids[sleeper], signal.SIGCONT)
        time.sleep(3 * PAUSE_S)
        after = agents.deaths()
        wrong |= {subject for _, subject in after if subject not in (victim, sleeper)}
        return {"first": first, "every": every, "sleeper": any(subject == sleeper for _, subject in after),
                "innocent": len(wrong), "bytes_per_s": rate}
    finally:
        for burner in burners:
            burner.kill()
            burner.wait()
        agents.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hogs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    rows = {kind.NAME: [measure(kind, options.hogs) for _ in range(options.rounds)] for kind in (Serf, Hyperscale)}
    print(f"{AGENTS} agents, probe interval 1 s, {options.hogs} CPU hogs, {options.rounds} rounds, medians\n")
    print("| | first knows | all know | stopped for 5 s taken for dead | innocent taken for dead | bytes/s per agent |")
    print("|---|---|---|---|---|---|")
    for name, rounds in rows.items():
        def median(key):
            values = [row[key] for row in rounds if row[key] is not None]
            return statistics.median(values) if values else float("nan")
        print(f"| {name} | {median('first'):.2f} s | {median('every'):.2f} s | {sum(row['sleeper'] for row in rounds)} of {len(rounds)} "
              f"| {sum(row['innocent'] for row in rounds)} | {median('bytes_per_s'):.0f} |")
    ratio = statistics.median(row["every"] for row in rows["hyperscale"]) / statistics.median(row["every"] for row in rows["serf"])
    print(f"\nall know: {ratio:.2f} x of serf")


if __name__ == "__main__":
    main()
