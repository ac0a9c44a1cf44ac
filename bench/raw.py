#!/usr/bin/env python3
"""Runs `hyperscale run tcp://` and redis-benchmark against the same Redis, in alternating pairs, and prints exchanges per CPU second.

redis-server has one core, the generators the other, so a machine needs two. Both send the same bytes on 50 connections, one at a time
on each: PING_INLINE ("PING\\r\\n") and PING_MBULK ("*1\\r\\n$4\\r\\nPING\\r\\n"). What was answered comes from the server's own books. CPU is
user + system of the generator and all its processes, its start included.

Exit code 1 when the median ratio of a case is below the bar of docs/performance.md (only with --check)."""

import argparse
import os
import pathlib
import shlex
import socket
import statistics
import subprocess
import sys
import tempfile
import time

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent
HYPERSCALE = os.environ.get("HYPERSCALE_BIN", str(REPOSITORY / "build/release/bin/hyperscale"))
CONNECTIONS = 50
BAR = 1.0
CASES = {
    "PING_INLINE": ("ping_inline", r"PING\r\n"),
    "PING_MBULK": ("ping_mbulk", r"*1\r\n$4\r\nPING\r\n"),
}


class Redis:
    def __init__(self, core):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.folder = tempfile.TemporaryDirectory(prefix="raw-")
        self.process = subprocess.Popen(
            ["taskset", "-c", str(core), "redis-server", "--bind", "127.0.0.1", "--port", str(self.port), "--dir", self.folder.name,
             "--save", "", "--appendonly", "no"], stdout=subprocess.DEVNULL)
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", self.port), 0.1).close()
                return
            except OSError:
                time.sleep(0.05)
        raise SystemExit("raw: redis-server did not start")

    def pings(self):
        with socket.create_connection(("127.0.0.1", self.port), 5) as connection, connection.makefile("rb") as answer:
            connection.sendall(b"INFO commandstats\r\n")
            text = answer.read(int(answer.readline()[1:])).decode()
        for line in text.splitlines():
            if line.startswith("cmdstat_ping:"):
                return int(line.split("calls=")[1].split(",")[0])
        return 0

    def stop(self):
        self.process.terminate()
        self.process.wait()
        self.folder.cleanup()


def measure(redis, command, core):
    before = redis.pings()
    started = time.monotonic()
    child = subprocess.Popen(["taskset", "-c", str(core), *command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    error = child.stderr.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    elapsed = time.monotonic() - started
    answered = redis.pings() - before
    if child.returncode != 0 or answered == 0:
        raise SystemExit(f"raw: {shlex.join(command)} ended with {child.returncode}: {error.decode()[-500:]}")
    cpu = usage.ru_utime + usage.ru_stime
    return {"answered": answered, "rate": answered / elapsed, "per_cpu_s": answered / cpu}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--exchanges", type=int, default=500_000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--loop", default="auto")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    redis = Redis(0)
    good = True
    try:
        print(f"{'case':14}{'hyperscale':>14}{'redis-benchmark':>18}{'per CPU second':>18}{'least to most':>18}")
        for name, (test, send) in CASES.items():
            count = str(arguments.exchanges)
            ours = [HYPERSCALE, "run", f"tcp://127.0.0.1:{redis.port}", "--send", send, "--until", r"\r\n", "-c", str(CONNECTIONS), "-n", count,
                    "--cores", "1", "--loop", arguments.loop, "--ui", "none"]
            theirs = ["redis-benchmark", "-p", str(redis.port), "-t", test, "-c", str(CONNECTIONS), "-n", count, "-q"]
            pairs = [(measure(redis, ours, 1), measure(redis, theirs, 1)) for _ in range(arguments.rounds)]
            ratios = [a["per_cpu_s"] / b["per_cpu_s"] for a, b in pairs]
            middle = statistics.median(ratios)
            print(f"{name:14}{statistics.median(a['per_cpu_s'] for a, _ in pairs):>14,.0f}{statistics.median(b['per_cpu_s'] for _, b in pairs):>18,.0f}"
                  f"{middle:>16.2f} x{min(ratios):>10.2f} to {max(ratios):.2f}", flush=True)
            good = good and middle >= BAR
    finally:
        redis.stop()
    return 0 if good or not arguments.check else 1


if __name__ == "__main__":
    sys.exit(main())
