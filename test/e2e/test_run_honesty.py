"""An open loop keeps its schedule while the target stalls, and says what waiting users would have felt."""

import http.server
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from harness.runs import Target, run
from harness.scripts import ScriptTest

STALL_MS = 100
PERIOD_MS = 500
RATE = 500
SECONDS = 3


class Resolver(http.server.BaseHTTPRequestHandler):
    """Answers every second GraphQL operation with errors, and a status of 200 as GraphQL servers do."""

    protocol_version = "HTTP/1.1"
    answered = 0

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        Resolver.answered += 1
        body = b'{"data":{"a":1}}' if Resolver.answered % 2 else b'{"data":null,"errors":[{"message":"no such user"}]}'
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Honesty(unittest.TestCase):
    def test_a_graphql_answer_with_errors_has_failed(self):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Resolver)
        self.addCleanup(server.server_close)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.shutdown)
        url = f"http://127.0.0.1:{server.server_port}/graphql"
        ended = run("-c", "1", "-n", "20", "--graphql", "{ a }", "--threshold", "checks>90%", url)
        self.assertEqual(ended.code, 99, ended)
        self.assertEqual(ended.totals["outcomes"], {"ok": 10, "graphql": 10})
        self.assertEqual(ended.result["iterations_failed"], 10)
        self.assertIn("no such user", ended.result["failures"][0]["body_start"])
        plain = run("-c", "1", "-n", "20", "--json-body", '{"query":"{ a }"}', url)
        self.assertEqual(plain.totals["outcomes"], {"ok": 20}, "nothing said that it is GraphQL")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "api.js")
            path.write_text(f"""import {{ Workflow, http, step }} from 'hyperscale';
                export class Api extends Workflow {{
                  static iterations = 20;
                  a = step(http, ({{ client }}) => client.graphql('{url}', {{ query: '{{ a }}' }}));
                }}""")
            scripted = run(str(path))
        self.assertEqual(scripted.totals["outcomes"], {"ok": 10, "graphql": 10}, scripted)

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

    # proves: HOOK-ARG-4
    def test_a_closed_loop_waits_and_its_duration_is_its_service_time(self):
        with Target() as target:
            ended = run("-c", "4", "-n", "100", target.url + "/delay/10ms")
        self.assertAlmostEqual(ended.totals["duration_ms"]["p50"], ended.totals["service_ms"]["p50"], delta=1)
        self.assertGreaterEqual(ended.totals["service_ms"]["min"], 10)

    def test_good_answers_have_a_row_of_their_own_when_many_fail(self):
        with Target() as target:
            with tempfile.NamedTemporaryFile("w", suffix=".txt") as urls:
                for path in ("/status/200,503@60", "/status/200,503@60", "/delay/20ms"):
                    print(target.url + path, file=urls, flush=True)
                ended = run("-c", "4", "-n", "300", "--urls-from-file", urls.name)
            self.assertEqual(ended.code, 0, ended)
            good = ended.totals["ok_duration_ms"]
            self.assertEqual(good["count"], ended.totals["outcomes"]["ok"])
            self.assertLess(ended.totals["duration_ms"]["p50"], 20)
            self.assertGreaterEqual(good["p50"], 20)
            self.assertIn("ok only", ended.out)
            self.assertNotIn("ok_duration_ms", run("-n", "50", target.url + "/").totals)

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

    def test_random_arrivals_are_named(self):
        with Target() as target:
            ended = run("-r", "200", "-n", "20", "--poisson", "--seed", "1", target.url + "/")
            self.assertIn("Poisson arrivals", ended.result["load"], ended)
            self.assertNotIn("Poisson", run("-r", "200", "-n", "20", target.url + "/").out)

    def test_a_target_that_stands_still_is_said(self):
        with Target("--stall", "2500ms/3s") as target:
            ended = run("-r", "100", "-d", "4s", "-c", "2", target.url + "/")
        self.assertGreaterEqual(ended.result["idle_s"], 1, ended)
        self.assertTrue(any("while nothing was sent or answered" in warning for warning in ended.result["warnings"]), ended)


class Drops(ScriptTest):
    def test_drops_end_a_run_when_they_happen(self):
        path = self.shop("static thresholds = [{ threshold: 'dropped < 10%', abortOnFail: true }];",
                         "use = step(http.get(`${target}/delay/200ms`));",
                         load="static rate = 100; static vus = 1; static duration = '20s';")
        begin = time.monotonic()
        ended = run(path, "--graceful-stop", "1s")
        self.assertLess(time.monotonic() - begin, 8, ended)
        self.assertEqual(ended.code, 99, ended)
        self.assertIn("threshold dropped < 10% failed", ended.err)


class BusyCore:
    """Programs that keep a core busy."""

    def __init__(self, core, count):
        spin = f"import os\nos.sched_setaffinity(0, {{{core}}})\nwhile True: pass"
        self._processes = [subprocess.Popen([sys.executable, "-c", spin]) for _ in range(count)]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self._processes:
            process.kill()
            process.wait()


class SharedCore(unittest.TestCase):
    def test_a_generator_that_waits_for_its_core_says_so(self):
        core = min(os.sched_getaffinity(0))
        with Target() as target, BusyCore(core, 3):  # all of them go before a nicer program
            ended = run("--cores", "1", "-c", "100", "-d", "2s", target.url + "/", preexec_fn=lambda: os.nice(10))
        executor, = ended.result["executors"]
        self.assertEqual(executor["core"], core)
        self.assertGreater(executor["wait_fraction"], 0.2, ended)
        self.assertRegex("\n".join(ended.result["warnings"]),
                         r"The load generator was .*: executor 0 was ready to run for \d+% of the time and had its core for \d+%")

    def test_a_generator_with_little_to_do_says_nothing(self):
        with Target() as target:
            ended = run("--cores", "1", "-r", "50", "-d", "1s", target.url + "/")
        self.assertNotIn("load generator was the limit", ended.out)


if __name__ == "__main__":
    unittest.main(verbosity=2)
