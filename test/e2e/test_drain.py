"""Drains under steady load: in time, without aborts, and without a caller that gets no answer."""

import asyncio
import signal
import threading
import time
import unittest

from harness import figures, http1
from harness.load import compute_request, open_loop
from harness.node import Node
from harness.waiting import until

DRAINS = 8
REQUESTS_PER_S = 60
P95_LIMIT_S = 3.0
P99_LIMIT_S = 5.0
QUEUED_JOBS = 512


class Scraper:
    """Scrapes /metrics as fast as it can until the node closes the door."""

    def __init__(self, node):
        self._node = node
        self._thread = threading.Thread(target=self._run)
        self.states = set()
        self.last_at = None

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._thread.join()

    def _run(self):
        try:
            while True:
                self.states.add(self._node.metrics()["drain_state"])
                self.last_at = time.monotonic()
        except (OSError, http1.ConnectionEnded):
            pass


class DrainUnderLoad(unittest.TestCase):
    # proves part: NODE-GATE-1 (eight drains)
    def test_drains_under_steady_load_keep_their_limits(self):
        took = [self._drain_once(by_api=number % 4 == 3) for number in range(DRAINS)]
        p95, p99 = figures.percentile(took, 95), figures.percentile(took, 99)
        figures.record(
            "NODE-GATE-1", "drain p95 <= 3 s, p99 <= 5 s, no aborts",
            {"drains": DRAINS, "p50": f"{figures.percentile(took, 50) * 1000:.0f} ms", "p95": f"{p95 * 1000:.0f} ms",
             "p99": f"{p99 * 1000:.0f} ms"},
        )
        self.assertLessEqual(p95, P95_LIMIT_S)
        self.assertLessEqual(p99, P99_LIMIT_S)

    def _drain_once(self, by_api):
        samples = []
        request = compute_request(job="delay", ms=100)
        with Node("--workers", "16", facets__compute=1000) as node:
            running = lambda: node.process.poll() is None
            load = threading.Thread(target=lambda: asyncio.run(open_loop(node.api, request, REQUESTS_PER_S, 20, samples, running)))
            load.start()
            until(lambda: sum(s.status == 200 for s in samples) >= 20, "the load is steady")
            begin = time.monotonic()
            if by_api:
                self.assertEqual(node.post("/api/v1/shutdown").status, 202)
            else:
                node.signal(signal.SIGTERM)
            code = node.wait()
            took = time.monotonic() - begin
            load.join()
            self.assertEqual(code, 0, node.log())
            self.assertNotIn("did not stop in time", node.log())
        # A connection that came after the door had closed was never accepted: it was refused in no time, by the kernel.
        self.assertEqual({s.status for s in samples if s.sent_at < begin}, {200}, "a request sent before the shutdown was lost")
        self.assertLessEqual({s.status for s in samples}, {200, 503, None})
        return took


class DrainOfQueuedWork(unittest.TestCase):
    def test_a_full_queue_is_worked_off_and_metrics_can_be_read_meanwhile(self):
        settings = dict(
            facets__compute=5000, api__concurrency_per_route=5000, api__max_conns=5000, api__conns_per_ip=5000, api__deadline="10s", facets__deadline="10s"
        )
        with Node("--workers", "8", **settings) as node:
            connections = [http1.connect(node.api) for _ in range(QUEUED_JOBS)]
            for connection in connections:
                self.addCleanup(connection.close)
                connection.sendall(compute_request(job="delay", ms=10))
            until(lambda: node.metrics()["semaphore_inflight", "compute"] > 0, "jobs are queued")
            late = http1.connect(node.api)
            self.addCleanup(late.close)
            # A slow one keeps the drain open for long enough to see what new work is told.
            slow = http1.connect(node.api)
            self.addCleanup(slow.close)
            slow.sendall(compute_request(job="delay", ms=1500))
            until(lambda: node.metrics()["queue_depth", "work"] == 0, "the queue is worked off or nearly so")
            with Scraper(node) as scraper:
                node.signal(signal.SIGTERM)
                node.await_log("drain: draining")
                until(lambda: 2 in scraper.states, "/metrics shows the drain")
                late.sendall(compute_request(job="echo", data="too late"))
                refused = http1.read_answer(late)[0]
                unready = node.observe("/readyz")
                self.assertEqual(node.wait(), 0, node.log())
                ended = time.monotonic()
            self.assertEqual((refused.status, unready.status), (503, 503))
            self.assertIn("retry-after", unready.headers)
            self.assertLess(ended - scraper.last_at, 1.0, "/metrics went away long before the node did")
            self.assertEqual(http1.read_answer(slow)[0].status, 200)
            self.assertEqual([http1.read_answer(c)[0].status for c in connections], [200] * QUEUED_JOBS)


if __name__ == "__main__":
    unittest.main(verbosity=2)
