#!/usr/bin/env python3
# proves part: NODE-TOP-3 (the end-to-end files that run on both flavours)
# proves part: NODE-TEST-11 (the end-to-end files that run on both flavours)
"""Latency of both runtime flavours side by side, in one run: many threads and one thread, same load, rounds in turn.

Quick jobs run inline while heavy ones keep the blocking pool busy, so a flavour that lets a heavy job hold up its event loop
shows as starvation: the slowest quick job then takes as long as a heavy one. The script fails on starvation, on an answer
other than 200, and on nothing else: times are for reading.
"""

import asyncio
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "test" / "e2e"))
sys.dont_write_bytecode = True

from harness import load  # noqa: E402
from harness.node import Node  # noqa: E402

ROUNDS = 3
SECONDS = 3.0
QUICK_CONNECTIONS = 8
HEAVY_CONNECTIONS = 2
HEAVY_ROUNDS = 400_000  # about 100 ms of one core
FLAVOURS = ("multi", "single")


async def round_of(node):
    quick, heavy = [], []
    await asyncio.gather(
        load.closed_loop(node.api, load.compute_request(job="echo", data="x"), QUICK_CONNECTIONS, SECONDS, quick, think_s=0.002),
        load.closed_loop(
            node.api, load.compute_request(job="hash", data="x", rounds=HEAVY_ROUNDS), HEAVY_CONNECTIONS, SECONDS, heavy
        ),
    )
    return quick, heavy


def percentile(sorted_values, share):
    return sorted_values[min(int(len(sorted_values) * share), len(sorted_values) - 1)]


def measure():
    quick = {flavour: [] for flavour in FLAVOURS}
    heavy = {flavour: [] for flavour in FLAVOURS}
    for _ in range(ROUNDS):
        for flavour in FLAVOURS:
            os.environ["HYPERSCALE_FLAVOUR"] = flavour
            # A worker waits for its heavy job, so there are more workers than heavy jobs.
            with Node(api__deadline="20s", facets__deadline="20s", facets__compute=64, node__workers=8) as node:
                done = asyncio.run(round_of(node))
            quick[flavour] += done[0]
            heavy[flavour] += done[1]
    return quick, heavy


def main():
    quick, heavy = measure()
    failed = False
    print("| flavour | quick jobs | p50 ms | p90 ms | p99 ms | max ms | heavy jobs | heavy p50 ms |")
    print("|---|---|---|---|---|---|---|---|")
    for flavour in FLAVOURS:
        times = sorted(sample.seconds * 1000 for sample in quick[flavour])
        long = sorted(sample.seconds * 1000 for sample in heavy[flavour])
        figures = [percentile(times, share) for share in (0.5, 0.9, 0.99, 1.0)]
        print(f"| {flavour} | {len(times)} | " + " | ".join(f"{f:.2f}" for f in figures) + f" | {len(long)} | {percentile(long, 0.5):.0f} |")
        wrong = [sample for sample in quick[flavour] + heavy[flavour] if sample.status != 200]
        if wrong:
            print(f"flavours: {flavour}: {len(wrong)} answers other than 200", file=sys.stderr)
            failed = True
        if percentile(times, 0.5) > percentile(long, 0.5):
            print(f"flavours: {flavour}: quick jobs are starved by heavy ones", file=sys.stderr)
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
