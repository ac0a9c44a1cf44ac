"""What the target received is what the result says, whatever sets the pace and whatever goes wrong."""

import unittest

from harness.runs import Target, run

WAYS_TO_RUN = {
    "users by time": ("-c", "8", "-d", "150ms"),
    "number of requests": ("-c", "8", "-n", "1501"),
    "iterations of fewer users than cores": ("-c", "1", "--iterations", "77"),
    "think time": ("-c", "20", "-d", "150ms", "--think-time", "20ms"),
    "stages of users": ("--stage", "100ms:12", "--stage", "100ms:3"),
    "constant rate": ("-r", "1000", "-d", "200ms"),
    "random gaps": ("-r", "1000", "-d", "150ms", "--poisson"),
    "stages of a rate": ("-r", "200", "--stage", "100ms:1500", "--stage", "100ms:0"),
    "pipelining": ("-c", "4", "-n", "2003", "--pipeline", "8"),
    "streams": ("-c", "4", "-n", "2003", "--http2", "--streams", "10"),
    "streams by time": ("-c", "4", "-d", "150ms", "--http2", "--streams", "10"),
    "the older event loop": ("-c", "8", "-n", "1501", "--loop", "epoll"),
    "a connection each": ("-c", "4", "-n", "201", "--no-keepalive"),
}
CORES = ("1", "2")


class CountsCase(unittest.TestCase):
    target_arguments = ()

    @classmethod
    def setUpClass(cls):
        cls.target = Target(*cls.target_arguments)
        cls.addClassCleanup(cls.target.close)

    def compare(self, path, *arguments):
        self.target.take_count()
        ended = run(*arguments, self.target.url + path)
        counted = self.target.take_count()
        totals = ended.totals
        self.assertIn(ended.code, (0, 1), ended)
        self.assertFalse(ended.result["partial"], ended)
        self.assertGreater(totals["requests"], 0, ended)
        self.assertEqual(counted["requests"], totals["requests"] + ended.result["warmup_requests"], ended)
        self.assertEqual(counted["bad_requests"], 0)
        self.assertEqual(sum(totals["outcomes"].values()), totals["requests"])
        self.assertEqual(totals["duration_ms"]["count"], totals["requests"])
        self.assertEqual(sum(window["requests"] for window in ended.result["windows"]), totals["requests"])
        return ended.result, counted


class PlainCounts(CountsCase):
    # proves: LOCAL-1
    def test_every_way_to_run_counts_what_the_target_received(self):
        for name, arguments in WAYS_TO_RUN.items():
            for cores in CORES:
                with self.subTest(name, cores=cores):
                    result, _ = self.compare("/", "--cores", cores, *arguments)
                    self.assertEqual(result["totals"]["errors"], 0)
                    if "-n" in arguments:
                        self.assertEqual(result["totals"]["requests"], int(arguments[arguments.index("-n") + 1]))
                    if name == "constant rate":
                        # A machine that is busy with other things drops some.
                        self.assertEqual(result["totals"]["requests"] + result["dropped"], 200)

    def test_answers_that_are_errors_count(self):
        for name in ("users by time", "number of requests", "constant rate", "pipelining", "streams"):
            for cores in CORES:
                with self.subTest(name, cores=cores):
                    result, counted = self.compare("/status/200,500@5", "--cores", cores, *WAYS_TO_RUN[name])
                    # 5 of 100; whose turn it is goes on from the run before.
                    self.assertAlmostEqual(result["totals"]["errors"], counted["requests"] * 0.05, delta=1)
                    self.assertEqual(result["totals"]["statuses"]["500"], result["totals"]["errors"])
                    self.assertEqual(result["totals"]["outcomes"]["status"], result["totals"]["errors"])

    def test_connections_that_are_reset_count(self):
        for arguments in (("-c", "4", "-n", "203"), ("-c", "4", "-d", "200ms"), ("-r", "500", "-d", "200ms"),
                          ("-c", "2", "-n", "203", "--http2", "--streams", "5")):
            for cores in CORES:
                with self.subTest(arguments, cores=cores):
                    result, _ = self.compare("/reset", "--cores", cores, *arguments)
                    self.assertEqual(result["totals"]["outcomes"], {"reset": result["totals"]["requests"]})
                    self.assertEqual(result["failures"][0]["count"], result["totals"]["requests"])

    def test_warm_up_is_counted_apart(self):
        result, _ = self.compare("/", "-c", "4", "--warmup", "200ms", "-d", "200ms")
        self.assertGreater(result["warmup_requests"], 0)

    def test_each_hop_of_a_redirect_is_a_request(self):
        result, _ = self.compare("/redirect/3", "-c", "4", "-n", "100")
        self.assertEqual((result["iterations"], result["totals"]["redirects_followed"]), (100, 300))
        self.assertEqual(result["totals"]["statuses"], {"200": 100, "302": 300})
        result, _ = self.compare("/redirect/3", "-n", "100", "--redirects", "0")
        self.assertEqual(result["totals"]["statuses"], {"302": 100})

    def test_a_redirect_loop_fails_every_iteration(self):
        self.target.take_count()
        ended = run("-n", "50", "--redirects", "3", "--threshold", "errors<10%", "--threshold", "iterations_failed<1%",
                    self.target.url + "/redirect/5")
        totals = ended.totals
        self.assertEqual(ended.code, 1, ended)
        self.assertEqual(self.target.take_count()["requests"], totals["requests"])
        self.assertEqual(totals["outcomes"], {"redirects": 50, "redirected": 150})
        self.assertEqual((totals["requests"], totals["errors"]), (200, 50))
        names = ("iterations", "iterations_ok", "iterations_failed", "iterations_cut")
        self.assertEqual([ended.result[name] for name in names], [50, 0, 50, 0])
        self.assertEqual([(each["actual"], each["passed"]) for each in ended.result["thresholds"]],
                         [("100%", False), ("100%", False)])

    # proves: EXEC-VU-5, DAG-STEP-2
    def test_users_loop_side_by_side_until_the_time_is_up(self):
        result, counted = self.compare("/delay/100ms", "-c", "10", "-d", "450ms")
        self.assertEqual((result["vus_max"], counted["connections"]), (10, 10))
        self.assertGreaterEqual(result["elapsed_s"], 0.45)
        self.assertGreaterEqual(result["totals"]["requests"], 40, "each user came back until the time was up")
        self.assertLessEqual(result["totals"]["requests"], 50, "a user has one request at a time")


class TlsCounts(CountsCase):
    target_arguments = ("--tls",)

    def test_tls_counts(self):
        for arguments in (("-c", "4", "-n", "501", "--http1"), ("-c", "4", "-d", "200ms", "--http1"),
                          ("-c", "4", "-n", "501", "--http2", "--streams", "10"), ("-r", "500", "-d", "200ms")):
            for cores in CORES:
                with self.subTest(arguments, cores=cores):
                    result, _ = self.compare("/", "-k", "--cores", cores, *arguments)
                    self.assertEqual(result["totals"]["errors"], 0)

    def test_tls_counts_resets(self):
        result, _ = self.compare("/reset", "-k", "--http1", "-c", "4", "-n", "101")
        self.assertEqual(result["totals"]["errors"], 101)


if __name__ == "__main__":
    unittest.main(verbosity=2)
