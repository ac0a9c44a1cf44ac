#!/usr/bin/env python3
"""Is the reported latency true when the target stalls? The target stops for 200 ms every 2 s; requests come at a fixed rate.

The truth is computed from the schedule: arrivals are even, so over whole periods their phases are too, and what each must wait
is known to the microsecond. The answer takes 20 ms otherwise, so that p50 has a truth as well. A closed-loop tool sends nothing
while the target stalls and so does not see most of the stall: wrk is shown beside it.

Exit code 1 when p50, p99 or p99.9 is off by more than 2 %."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent
HYPERSCALE = os.environ.get("HYPERSCALE_BIN", str(REPOSITORY / "build/release/bin/hyperscale"))
RATE, SECONDS = 2000, 20
CORES = sorted(os.sched_getaffinity(0))
ON_TARGET_CORE, ON_GENERATOR_CORE = (["taskset", "-c", str(core)] for core in (CORES[0], CORES[-1]))
PERIOD_MS, STALL_MS, DELAY_MS = 2000.0, 200.0, 20.0
PERCENTILES = (50.0, 90.0, 99.0, 99.9)
ALLOWED = 0.02


def after_stall(time):
    phase = time % PERIOD_MS
    return time + STALL_MS - phase if phase < STALL_MS else time


def truth():
    """Latencies of all arrivals of one period, in ms: work begins when the server does not stall and takes DELAY_MS, and the answer
    leaves when it does not stall either."""
    latencies = []
    for k in range(int(RATE * PERIOD_MS / 1000)):
        arrival = k * 1000.0 / RATE
        latencies.append(after_stall(after_stall(arrival) + DELAY_MS) - arrival)
    return sorted(latencies)


def percentile(values, wanted):
    rank = max(1, -(-len(values) * wanted // 100))
    return values[int(rank) - 1]


def hyperscale(url):
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        subprocess.run([*ON_GENERATOR_CORE, HYPERSCALE, "run", url, "-r", str(RATE), "-d", f"{SECONDS}s", "--ui", "none", "--out", f"json={file.name}"], check=True)
        totals = json.load(open(file.name))["totals"]
    durations = totals["duration_ms"]
    found = {50.0: durations["p50"], 90.0: durations["p90"], 99.0: durations["p99"], 99.9: durations["p99_9"]}
    service = {50.0: totals["service_ms"]["p50"], 90.0: totals["service_ms"]["p90"], 99.0: totals["service_ms"]["p99"], 99.9: totals["service_ms"]["p99_9"]}
    return totals, found, service


def wrk(url):
    script = 'done = function(s, l, r) for _, p in pairs({50, 90, 99, 99.9}) do print("P", p, l:percentile(p) / 1000) end end'
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as file:
        file.write(script)
        file.flush()
        text = subprocess.run([*ON_GENERATOR_CORE, "wrk", "-t1", "-c50", f"-d{SECONDS}s", "-s", file.name, url], capture_output=True, text=True, check=True).stdout
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", text)[1])
    return rate, {float(p): float(v) for p, v in re.findall(r"P\s+([\d.]+)\s+([\d.]+)", text)}


def row(name, rate, values, expected):
    cells = [f"{values[p]:.2f} ({(values[p] / expected[p] - 1) * 100:+.1f} %)" for p in PERCENTILES]
    return f"| {name} | {rate:,.0f} | " + " | ".join(cells) + " |"


def main():
    latencies = truth()
    expected = {p: percentile(latencies, p) for p in PERCENTILES}
    server = subprocess.Popen([*ON_TARGET_CORE, HYPERSCALE, "target", "--stall", f"{STALL_MS:.0f}ms/{PERIOD_MS / 1000:.0f}s"], stdout=subprocess.PIPE, text=True)
    try:
        url = re.search(r"http://\S+", server.stdout.readline())[0] + f"/delay/{DELAY_MS:.0f}ms"
        totals, found, service = hyperscale(url)
        print(f"\n{RATE}/s asked for {SECONDS} s, answers after {DELAY_MS:.0f} ms, target stalls {STALL_MS:.0f} ms every {PERIOD_MS / 1000:.0f} s. Latency in ms.\n")
        print("| | rate/s | p50 | p90 | p99 | p99.9 |\n|---|---|---|---|---|---|")
        print(row("truth, from the schedule", RATE, expected, expected))
        print(row("hyperscale, duration", totals["rate_per_s"], found, expected))
        print(row("hyperscale, service time", totals["rate_per_s"], service, expected))
        if shutil.which("wrk"):
            rate, closed = wrk(url)
            print(row("wrk, 50 connections (closed loop)", rate, closed, expected))
    finally:
        server.terminate()
        server.wait()
    wrong = [p for p in (50.0, 99.0, 99.9) if abs(found[p] / expected[p] - 1) > ALLOWED]
    for p in wrong:
        print(f"honesty: p{p} is {found[p]:.2f} ms, the truth is {expected[p]:.2f} ms", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
