"""Workers die all the time and callers hardly notice: /readyz says degraded meanwhile, and ready again afterwards."""

import asyncio
import threading
import time
import unittest

from harness import figures
from harness.load import compute_request, open_loop
from harness.node import Node
from harness.waiting import until

WORKERS = 20
KILLED_PER_ROUND = WORKERS // 10
ROUND_S = 0.250
CHAOS_S = 10.0
REQUESTS_PER_S = 100
FAILED_SHARE_MAX = 0.001


class ReadinessWatch:
    """The states that /readyz went through, each change once."""

    def __init__(self, node):
        self.states = []
        self._node = node
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        self._thread.join()

    def _run(self):
        while not self._stop.wait(0.05):
            state = self._node.observe("/readyz").json()["state"]
            if not self.states or self.states[-1] != state:
                self.states.append(state)


class Chaos(unittest.TestCase):
    # proves part: NODE-GATE-6 (with jobs that are too short to be hit)
    # proves part: NODE-TEST-6 (readiness, not the deadlines of drains)
    def test_killed_workers_degrade_the_node_and_not_its_answers(self):
        settings = dict(restart__window="5s", restart__recovery_hysteresis="1s", admin__fault_injection=True, facets__compute=1000)
        samples = []
        with Node("--workers", str(WORKERS), **settings) as node, ReadinessWatch(node) as readiness:
            until(lambda: readiness.states == ["ready"], "ready before the chaos")
            chaos = threading.Thread(target=self._kill_workers, args=(node,))
            chaos.start()
            request = compute_request(job="hash", data="chaos", rounds=100)
            asyncio.run(open_loop(node.api, request, REQUESTS_PER_S, CHAOS_S, samples))
            chaos.join()
            until(lambda: readiness.states[-1] == "ready", f"ready again: {readiness.states}", 20)
            restarts = node.metrics()["service_restarts_total", "worker_pool"]
            self.assertEqual(node.terminate(), 0, node.log())
        failed = [s.status for s in samples if s.status is None or s.status >= 500]
        figures.record(
            "NODE-GATE-6", "/readyz ready, degraded, ready; 5xx <= 0.1 %",
            {"readyz": ", ".join(readiness.states), "requests": len(samples), "5xx": len(failed), "worker restarts": f"{restarts:.0f}"},
        )
        self.assertEqual(readiness.states, ["ready", "degraded", "ready"])
        self.assertGreater(restarts, CHAOS_S / ROUND_S, "hardly any worker was killed")
        self.assertGreater(len(samples), REQUESTS_PER_S * CHAOS_S * 0.9)
        self.assertLessEqual(len(failed) / len(samples), FAILED_SHARE_MAX, failed)

    @staticmethod
    def _kill_workers(node):
        begin = time.monotonic()
        for number in range(int(CHAOS_S / ROUND_S)):
            time.sleep(max(begin + number * ROUND_S - time.monotonic(), 0))
            node.post(f"/api/v1/debug/crash?service=worker_pool&count={KILLED_PER_ROUND}")


if __name__ == "__main__":
    unittest.main(verbosity=2)
