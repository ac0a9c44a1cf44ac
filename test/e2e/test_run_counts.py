"""What the target received is what the result says, whatever sets the pace and whatever goes wrong."""

import unittest

from harness.runs import Target, run

WAYS_TO_RUN = {
    "users by time": ("-c", "8", "-d", "300ms"),
    "number of requests": ("-c", "8", "-n", "1501"),
    "iterations of fewer users than cores": ("-c", "1", "--iterations", "77"),
    "think time": ("-c", "20", "-d", "300ms", "--think-time", "20ms"),
    "stages of users": ("--stage", "200ms:12", "--stage", "200ms:3"),
    "constant rate": ("-r", "1000", "-d", "400ms"),
    "random gaps": ("-r", "1000", "-d", "400ms", "--poisson"),
    "stages of a rate": ("-r", "200", "--stage", "200ms:1500", "--stage", "200ms:0"),
    "pipelining": ("-c", "4", "-n", "2003", "--pipeline", "8"),
    "streams": ("-c", "4", "-n", "2003", "--http2", "--streams", "10"),
    "streams by time": ("-c", "4", "-d", "300ms", "--http2", "--streams", "10"),
    "a connection each": ("-c", "4", "-n", "201", "--no-keepalive"),
}
CORES = ("1", "2")


class CountsCase(unittest.TestCase):
    target_arguments = ()

    @classmethod
    def setUpClass(cls):
        cls.target = Target(*cls.target_arguments)
        cls.addClassCleanup(cls.target.close)

    def compare(self, path, *arguments, redirected=False):
        self.target.take_count()
        ended = run(*arguments, self.target.url + path)
        counted = self.target.take_count()
        totals = ended.totals
        self.assertIn(ended.code, (0, 1), ended)
        self.assertFalse(ended.result["partial"], ended)
        self.assertGreater(totals["requests"], 0, ended)
        self.assertEqual(counted["requests"] - (totals["redirects_followed"] if redirected else 0),
                         totals["requests"] + ended.result["warmup_requests"], ended)
        self.assertEqual(counted["bad_requests"], 0)
        self.assertEqual(sum(totals["outcomes"].values()), totals["requests"])
        self.assertEqual(totals["duration_ms"]["count"], totals["requests"])
        self.assertEqual(sum(window["requests"] for window in ended.result["windows"]), totals["requests"])
        return ended.result, counted


class PlainCounts(CountsCase):
    # proves: LOCAL-1, EXEC-VU-5
    def test_every_way_to_run_counts_what_the_target_received(self):
        for name, arguments in WAYS_TO_RUN.items():
            for cores in CORES:
                with self.subTest(name, cores=cores):
                    result, _ = self.compare("/", "--cores", cores, *arguments)
                    self.assertEqual(result["totals"]["errors"], 0)
                    if "-n" in arguments:
                        self.assertEqual(result["totals"]["requests"], int(arguments[arguments.index("-n") + 1]))
                    if name == "constant rate":
                        self.assertEqual((result["totals"]["requests"], result["dropped"]), (400, 0))

    def test_answers_that_are_errors_count(self):
        for name in ("users by time", "number of requests", "constant rate", "stages of users", "pipelining", "streams"):
            for cores in CORES:
                with self.subTest(name, cores=cores):
                    result, counted = self.compare("/status/200,500@5", "--cores", cores, *WAYS_TO_RUN[name])
                    failed = counted["requests"] // 5
                    # The turn of the next 500 goes on from the run before.
                    self.assertAlmostEqual(result["totals"]["errors"], failed, delta=1)
                    self.assertEqual(result["totals"]["statuses"]["500"], result["totals"]["errors"])
                    self.assertEqual(result["totals"]["outcomes"]["status"], result["totals"]["errors"])

    def test_connections_that_are_reset_count(self):
        for arguments in (("-c", "4", "-n", "203"), ("-c", "4", "-d", "200ms"), ("-r", "500", "-d", "300ms"),
                          ("-c", "2", "-n", "203", "--http2", "--streams", "5")):
            for cores in CORES:
                with self.subTest(arguments, cores=cores):
                    result, _ = self.compare("/reset", "--cores", cores, *arguments)
                    self.assertEqual(result["totals"]["outcomes"], {"reset": result["totals"]["requests"]})
                    self.assertEqual(result["failures"][0]["count"], result["totals"]["requests"])

    def test_warm_up_is_counted_apart(self):
        result, _ = self.compare("/", "-c", "4", "--warmup", "200ms", "-d", "200ms")
        self.assertGreater(result["warmup_requests"], 0)

    def test_redirects_are_counted_apart(self):
        result, _ = self.compare("/redirect/3", "-c", "4", "-n", "100", redirected=True)
        self.assertEqual(result["totals"]["redirects_followed"], 300)
        result, _ = self.compare("/redirect/3", "-n", "100", "--redirects", "0")
        self.assertEqual(result["totals"]["statuses"], {"302": 100})

    # proves: EXEC-VU-4
    def test_users_are_spread_over_the_cores(self):
        result, counted = self.compare("/", "-c", "7", "-d", "300ms", "--cores", "2")
        self.assertEqual(len(result["executors"]), 2)
        self.assertEqual((result["vus_max"], counted["connections"]), (7, 7))


class TlsCounts(CountsCase):
    target_arguments = ("--tls",)

    def test_tls_counts(self):
        for arguments in (("-c", "4", "-n", "501", "--http1"), ("-c", "4", "-d", "200ms", "--http1"),
                          ("-c", "4", "-n", "501", "--http2", "--streams", "10"), ("-r", "500", "-d", "300ms")):
            for cores in CORES:
                with self.subTest(arguments, cores=cores):
                    result, _ = self.compare("/", "-k", "--cores", cores, *arguments)
                    self.assertEqual(result["totals"]["errors"], 0)

    def test_tls_counts_resets(self):
        result, _ = self.compare("/reset", "-k", "--http1", "-c", "4", "-n", "101")
        self.assertEqual(result["totals"]["errors"], 101)


if __name__ == "__main__":
    unittest.main(verbosity=2)
