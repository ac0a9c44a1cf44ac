#!/usr/bin/env python3
"""Is the asked rate met? Rates from 100/s to 80 % of what one core can do, against the built-in target on another core.

Prints asked and achieved rates, the spread of arrivals as the generator's own lag, and the CPU of the generator. Exit code 1 when a
rate is missed by more than 0.1 %, or a run of 100/s takes more than 3 % of a core."""

import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent
HYPERSCALE = os.environ.get("HYPERSCALE_BIN", str(REPOSITORY / "build/release/bin/hyperscale"))
ALLOWED_RATE, ALLOWED_IDLE_CPU = 0.001, 0.03


def run(core, *arguments):
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        command = ["taskset", "-c", str(core), HYPERSCALE, "run", *arguments, "--ui", "none", "--out", f"json={file.name}"]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        result = json.load(open(file.name))
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return result, cpu


def share_of_capacity(percent, core, url):
    """Of what the core does in a closed loop of 50 users; measured just before it is used, because neighbours change it."""
    capacity = run(core, url, "-c", "50", "-d", "4s")[0]["totals"]["rate_per_s"]
    return int(capacity * int(percent.split()[0]) / 100)


def main():
    cores = sorted(os.sched_getaffinity(0))
    server = subprocess.Popen(["taskset", "-c", str(cores[0]), HYPERSCALE, "target"], stdout=subprocess.PIPE, text=True)
    missed = []
    try:
        url = re.search(r"http://\S+", server.stdout.readline())[0] + "/"
        print("\n| asked /s | achieved /s | off by | dropped | lag p50 µs | lag p99 µs | generator CPU, % of a core |\n|---|---|---|---|---|---|---|")
        for asked in [100, 1000, 5000, 10000, 20000, "50 %", "80 %"]:
            rate = asked if isinstance(asked, int) else share_of_capacity(asked, cores[-1], url)
            seconds = 20 if rate == 100 else 8
            users = [] if rate == asked else ["-c", "50"]
            result, cpu = run(cores[-1], url, "-r", str(rate), "-d", f"{seconds}s", *users)
            totals = result["totals"]
            off = totals["rate_per_s"] / rate - 1
            busy = cpu / seconds
            print(f"| {rate:,}{'' if rate == asked else f' ({asked})'} | {totals['rate_per_s']:,.2f} | {off * 100:+.3f} % | {result['dropped']} | {result['lag_ms']['p50'] * 1000:.0f} | "
                  f"{result['lag_ms']['p99'] * 1000:.0f} | {busy * 100:.1f} |", flush=True)
            if abs(off) > ALLOWED_RATE:
                missed.append(f"{rate}/s is off by {off * 100:+.3f} %")
            if rate == 100 and busy > ALLOWED_IDLE_CPU:
                missed.append(f"100/s takes {busy * 100:.1f} % of a core")
    finally:
        server.terminate()
        server.wait()
    for each in missed:
        print(f"accuracy: {each}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
