"""An open loop keeps its schedule while the target stalls, and says what waiting users would have felt."""

import unittest

from harness.runs import Target, run

STALL_MS = 100
PERIOD_MS = 500
RATE = 500
SECONDS = 3


class Honesty(unittest.TestCase):
    def test_a_stall_is_in_the_duration_of_all_that_came_meanwhile(self):
        with Target("--stall", f"{STALL_MS}ms/{PERIOD_MS}ms") as target:
            ended = run("-r", str(RATE), "-d", f"{SECONDS}s", target.url + "/")
            self.assertEqual(ended.code, 0, ended)
            self.assertEqual((ended.totals["requests"], ended.result["dropped"]), (RATE * SECONDS, 0), ended)
            self.assertEqual(target.count()["requests"], RATE * SECONDS)
        duration, service = ended.totals["duration_ms"], ended.totals["service_ms"]
        # A fifth of the requests arrives in a stall and waits, evenly spread, up to its length.
        self.assertGreater(duration["p99"], 0.6 * STALL_MS)
        self.assertLess(duration["p99"], 1.1 * STALL_MS)
        self.assertGreater(duration["p90"], 0.3 * STALL_MS)
        self.assertLess(service["p50"], 0.1 * STALL_MS)
        self.assertLess(duration["p50"], 0.1 * STALL_MS)
        self.assertEqual(ended.result["asked_rate_per_s"], RATE)
        self.assertAlmostEqual(ended.result["achieved_rate_per_s"], RATE, delta=RATE * 0.001)

    def test_a_closed_loop_waits_and_its_duration_is_its_service_time(self):
        with Target() as target:
            ended = run("-c", "4", "-n", "100", target.url + "/delay/10ms")
        self.assertAlmostEqual(ended.totals["duration_ms"]["p50"], ended.totals["service_ms"]["p50"], delta=1)
        self.assertGreaterEqual(ended.totals["service_ms"]["min"], 10)

    # proves: HOOK-ARG-4
    def test_think_time_is_in_no_latency(self):
        with Target() as target:
            ended = run("-c", "2", "-n", "20", "--think-time", "50ms", target.url + "/")
        self.assertGreater(ended.result["elapsed_s"], 0.4)
        self.assertLess(ended.totals["duration_ms"]["p50"], 25)

    def test_iterations_that_find_every_user_busy_are_dropped_and_said(self):
        with Target() as target:
            ended = run("-r", "200", "-d", "500ms", "-c", "2", target.url + "/delay/100ms")
            received = target.count()["requests"]
        self.assertEqual(ended.code, 0, ended)
        self.assertEqual(ended.totals["requests"], received)
        self.assertEqual(ended.totals["requests"] + ended.result["dropped"], 100)
        self.assertLessEqual(ended.totals["requests"], 12)
        self.assertTrue(any("every user was busy" in warning for warning in ended.result["warnings"]), ended)


if __name__ == "__main__":
    unittest.main(verbosity=2)
