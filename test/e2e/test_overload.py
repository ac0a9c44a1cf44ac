"""Twice the load the node can hold: it says Busy at once, loses nothing it took, and does not grow."""

import itertools
import threading
import time
import unittest

from harness import figures, http1, proc
from harness.load import ClosedLoopProcess, compute_request
from harness.node import Node
from harness.waiting import until

WORK_QUEUE = 512
WORKERS = 4
# Twice what queue and workers hold; jobs are so short that the queue moves all the time.
CONNECTIONS = 2 * (WORK_QUEUE + WORKERS)
WARM_UP_S = 4.0
LOAD_S = 14.0
THINK_S = 1.0
PROBES_PER_S = 100
BUSY_P99_LIMIT_S = 0.050
MEMORY_GROWTH_LIMIT = 0.10


def roomy():
    """Only the work queue is to refuse, so everything before it gets room."""
    return dict(
        facets__compute=5000, api__max_conns=4 * CONNECTIONS, api__concurrency_per_route=5000,
        api__accept_rate_per_ip=100000, api__accept_burst_per_ip=100000,
    )


class MemoryWatch:
    """Samples the resident size in the background."""

    def __init__(self, pid, period_s=0.1):
        self.sizes = []
        self._pid = pid
        self._period_s = period_s
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        self._thread.join()

    def _run(self):
        while not self._stop.wait(self._period_s):
            self.sizes.append(proc.rss_bytes(self._pid))


def probe(node, request, keep_going):
    """Requests on connections of their own, at a steady pace: the seconds to each Busy."""
    busy = []
    begin = time.monotonic()
    for number in itertools.count():
        if not keep_going():
            return busy
        time.sleep(max(begin + number / PROBES_PER_S - time.monotonic(), 0))
        with http1.connect(node.api) as connection:
            connection.sendall(request)
            sent = time.monotonic()
            first = connection.recv(12)
            took = time.monotonic() - sent
        if first.endswith(b" 429"):
            busy.append(took)


class Overload(unittest.TestCase):
    # proves: NODE-GATE-3, NODE-GATE-4
    def test_twice_the_load_is_refused_at_once_and_nothing_is_dropped(self):
        request = compute_request(job="delay", ms=10)
        with Node("--workers", str(WORKERS), **roomy()) as node:
            load = ClosedLoopProcess(node.api, request, CONNECTIONS, LOAD_S, THINK_S)
            begin = time.monotonic()
            until(lambda: time.monotonic() > begin + WARM_UP_S, "warm")
            warm = proc.rss_bytes(node.pid)
            with MemoryWatch(node.pid) as memory:
                busy = probe(node, request, lambda: time.monotonic() < begin + LOAD_S - THINK_S)
            samples = load.result()
            metrics = node.metrics()
            self.assertEqual(node.observe("/healthz").status, 200)
            self.assertEqual(node.terminate(), 0, node.log())
        self._judge(samples, busy, metrics, max(memory.sizes) / warm - 1)

    def _judge(self, samples, busy, metrics, growth):
        statuses = [s.status for s in samples]
        p99 = figures.percentile(busy, 99)
        figures.record(
            "NODE-GATE-3", "Busy within 50 ms (p99) at 2x load; memory grows < 10 %",
            {"busy p50": f"{figures.percentile(busy, 50) * 1000:.1f} ms", "busy p99": f"{p99 * 1000:.1f} ms",
             "probes answered Busy": len(busy), "load answered Busy": statuses.count(429), "served": statuses.count(200),
             "memory growth": f"{growth * 100:.1f} %"},
        )
        dropped = {queue: metrics["queue_dropped_total", queue] for queue in ("work", "telemetry")}
        figures.record("NODE-GATE-4", "work dropped: 0", {f"{queue} dropped": f"{count:.0f}" for queue, count in dropped.items()})
        self.assertEqual(set(statuses) - {200, 429, 504}, set(), "only results, Busy and timeouts")
        self.assertGreater(len(busy), 100, "the load was not twice what fits")
        self.assertGreater(statuses.count(429), 100)
        self.assertGreater(statuses.count(200), 100)
        self.assertGreaterEqual(metrics["busy_rejections_total", "/api/v1/compute"], len(busy))
        self.assertEqual(dropped["work"], 0)
        self.assertLessEqual(p99, BUSY_P99_LIMIT_S)
        self.assertLess(growth, MEMORY_GROWTH_LIMIT)


if __name__ == "__main__":
    unittest.main(verbosity=2)
