"""A run on HTTP while it goes on: hyperscale run --api, and lines of JSON."""

import http.client
import json
import os
import re
import socket
import stat
import subprocess
import tempfile
import unittest

from harness import http1
from harness.certificates import self_signed
from harness.node import binary
from harness.runs import LoadRun, Target, anything_goes, invoke
from harness.waiting import until

TOKEN = "a-token-of-enough-characters"


class Api(unittest.TestCase):
    def setUp(self):
        self.target = self.enterContext(Target())

    def start(self, *arguments, path="/delay/5ms", token=TOKEN):
        load = self.enterContext(
            LoadRun("--api", "127.0.0.1:0", "--ui", "ci", *arguments, self.target.url + path,
                    environment={"HYPERSCALE_ADMIN_TOKEN": token} if token else None))
        load.await_load(self.target, 4)
        said = r"listening on (https?)://127\.0\.0\.1:(\d+)(?:, token in (\S+))?"
        found = until(lambda: re.search(said, load.err()), "it says where it listens")
        self.tls = found.group(1) == "https"
        self.port = int(found.group(2))
        self.token_file = found.group(3)
        return load

    def connection(self):
        if self.tls:
            connection = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=20, context=anything_goes())
        else:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        self.addCleanup(connection.close)
        return connection

    def ask(self, method, path, body=None, token=TOKEN):
        connection = self.connection()
        headers = {"authorization": f"Bearer {token}"} if token else {}
        if body:
            headers["content-type"] = "application/json"
        connection.request(method, path, body=body, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()

    def change(self, **asked):
        return self.ask("POST", "/api/v1/run/load", json.dumps(asked))

    def assert_refused(self, body, sentence):
        status, text = self.ask("POST", "/api/v1/run/load", body)
        self.assertEqual(status, 400, body)
        self.assertIn(sentence, json.loads(text)["message"], body)

    def test_the_moment_and_the_metrics_agree_with_the_target(self):
        load = self.start("-c", "2", "-d", "60s")
        until(lambda: json.loads(self.ask("GET", "/api/v1/run")[1])["users"] == 2, "two users are busy")
        until(lambda: json.loads(self.ask("GET", "/api/v1/run")[1])["requests"] > 0, "answers have come")
        moment = json.loads(self.ask("GET", "/api/v1/run")[1])
        self.assertEqual((moment["state"], moment["errors"]), ("running", 0))
        status, page = self.ask("GET", "/metrics", token=None)
        self.assertEqual(status, 200)
        shown = float(re.search(r"^hyperscale_run_requests_total\{.*\} (\S+)$", page, re.M).group(1))
        self.assertGreaterEqual(shown, moment["requests"])
        self.assertLessEqual(shown, self.target.count()["requests"])
        summary = {part: float(re.search(rf"^hyperscale_run_duration_seconds_{part}\{{.*\}} (\S+)$", page, re.M).group(1))
                   for part in ("sum", "count")}
        self.assertGreater(summary["sum"], 0)
        self.assertLess(summary["sum"] / summary["count"], 1, "the mean of a request")
        self.assertIn('quantile="0.999"', page)
        load.ctl("stop")
        self.assertEqual(load.wait().code, 0)

    def test_changes_need_the_token_and_are_recorded(self):
        load = self.start("-c", "2", "-d", "60s", path="/delay/50ms")
        body = json.dumps({"change": "vus=9"})
        for token in (None, "another-token-of-characters"):
            self.assertEqual(self.ask("POST", "/api/v1/run/load", body, token)[0], 401)
            self.assertEqual(self.ask("GET", "/api/v1/run", token=token)[0], 401)
            self.assertEqual(self.ask("POST", "/api/v1/run/stop", token=token)[0], 401)
        self.assertEqual(self.change(change="vus=9")[0], 200)
        until(lambda: json.loads(self.ask("GET", "/api/v1/run")[1])["users"] == 9, "nine users are busy")
        until(lambda: json.loads(self.ask("GET", "/api/v1/run")[1])["tick"] > 10, "the first tick is older than any allowance")
        status, text = self.change(change="vus=7", basis_tick=0)
        self.assertEqual(status, 429)
        self.assertIn("stale", text)
        for wrong in ({"change": "rate=5"}, {"change": "vus=many"}, {"chnge": "vus=1"}, {"change": "vus=1", "when": 1}):
            self.assertEqual(self.change(**wrong)[0], 400, wrong)
        for wrong in ("[]", "vus=1", '{"change": "vus=1"', '{"change": 5}', '{"change": "vus=1"} {}', '{"change": "vus=1", "change": 5}'):
            self.assert_refused(wrong, "the body must be an object such as")
        for more in ('"basis_tick": -1', '"basis_tick": 1.5', '"basis_tick": "1"', '"workflow": 5', '"when": {"a": [1]}'):
            self.assert_refused(f'{{"change": "vus=1", {more}}}', "besides 'change' there may be")
        self.assertEqual(self.ask("POST", "/api/v1/run/stop")[0], 202)
        ended = load.wait()
        self.assertEqual(ended.code, 0, ended)
        self.assertEqual([change["what"] for change in ended.result["changes"]], ["vus=9"])
        self.assertNotIn(TOKEN, ended.out + ended.err)

    def test_the_feed_ends_with_the_whole_result(self):
        load = self.start("-c", "2", "-d", "2s", "--threshold", "p99<1us")
        connection = self.connection()
        connection.request("GET", "/api/v1/feed?interval=100ms", headers={"authorization": f"Bearer {TOKEN}"})
        answer = connection.getresponse()
        self.assertEqual(answer.getheader("content-type"), "text/event-stream")
        events = answer.read().decode().strip().split("\n\n")
        kinds = [event.split("\n")[0] for event in events]
        self.assertEqual((set(kinds[:-1]), kinds[-1]), ({"event: moment"}, "event: end"))
        moments = [json.loads(event.split("data: ")[1]) for event in events]
        ticks = [moment["tick"] for moment in moments]
        self.assertEqual(ticks, sorted(ticks))
        ended = load.wait()
        self.assertEqual(ended.code, 99)
        self.assertEqual(moments[-1]["state"], "done")
        self.assertEqual(moments[-1]["requests"], ended.totals["requests"])
        self.assertEqual(moments[-1]["thresholds"][0]["state"], "failing")

    def test_a_reader_who_leaves_or_never_reads_holds_nothing_up(self):
        load = self.start("-c", "2", "-d", "2s")
        headers = {"authorization": f"Bearer {TOKEN}"}
        for _ in range(3):
            stalled = self.connection()
            stalled.request("GET", "/api/v1/feed?interval=50ms", headers=headers)
        left = self.connection()
        left.request("GET", "/api/v1/feed", headers=headers)
        left.close()
        self.assertEqual(load.wait().code, 0)

    def test_feeds_are_admitted_by_a_facet(self):
        load = self.start("-c", "2", "-d", "60s")
        headers = {"authorization": f"Bearer {TOKEN}"}
        statuses = []
        for _ in range(4 * len(os.sched_getaffinity(0)) + 1):
            connection = self.connection()
            connection.request("GET", "/api/v1/feed", headers=headers)
            statuses.append(connection.getresponse().status)
        self.assertEqual(statuses[-1], 429)
        self.assertEqual(set(statuses[:-1]), {200})
        self.assertIn('facet_busy_total{facet="feed"} 1', self.ask("GET", "/metrics", token=None)[1])
        load.ctl("stop")
        self.assertEqual(load.wait().code, 0)

    def test_an_address_that_others_reach_needs_tls(self):
        for token in (None, TOKEN):
            refused = invoke("run", "--api", "0.0.0.0:0", "-d", "1s", self.target.url,
                             environment={"HYPERSCALE_ADMIN_TOKEN": token} if token else None)
            self.assertEqual(refused.code, 2)
            self.assertIn("--api-cert", refused.err)
        short = invoke("run", "--api", "127.0.0.1:0", "-d", "1s", self.target.url, environment={"HYPERSCALE_ADMIN_TOKEN": "short"})
        self.assertEqual(short.code, 2)
        self.assertNotIn("short\n", short.err)

    def test_the_api_speaks_tls(self):
        with tempfile.TemporaryDirectory() as folder:
            cert, key = self_signed(folder)
            half = invoke("run", "--api", "0.0.0.0:0", "--api-cert", cert, "-d", "1s", self.target.url)
            self.assertEqual((half.code, "--api-key" in half.err), (2, True), half)
            load = self.start("-c", "2", "-d", "60s", "--api-cert", cert, "--api-key", key)
            self.assertTrue(self.tls)
            self.assertEqual(self.ask("GET", "/api/v1/run", token=None)[0], 401)
            self.assertEqual(json.loads(self.ask("GET", "/api/v1/run")[1])["state"], "running")
            with socket.create_connection(("127.0.0.1", self.port), 10) as clear:
                clear.sendall(f"GET /api/v1/run HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer {TOKEN}\r\n\r\n".encode())
                self.assertNotIn(b"200", http1.closed_by_peer(clear)[:16])
            self.assertEqual(self.ask("POST", "/api/v1/run/stop")[0], 202)
            self.assertIn(load.wait().code, (0, 105))

    def test_a_run_makes_a_token_in_a_private_file(self):
        load = self.start("-c", "2", "-d", "60s", token=None)
        self.assertEqual(stat.S_IMODE(os.stat(self.token_file).st_mode), 0o600)
        self.assertEqual(stat.S_IMODE(os.stat(os.path.dirname(self.token_file)).st_mode), 0o700)
        with open(self.token_file) as file:
            made = file.read().strip()
        self.assertRegex(made, r"^[0-9a-f]{64}$", "256 bits")
        self.assertEqual(load.ctl("token").out.strip(), made)
        for method, path in (("GET", "/api/v1/run"), ("GET", "/api/v1/feed"), ("POST", "/api/v1/run/stop")):
            self.assertEqual(self.ask(method, path, token=None)[0], 401, "loopback alone opens nothing")
        self.assertEqual(self.ask("GET", "/metrics", token=None)[0], 200)
        self.assertEqual(self.ask("POST", "/api/v1/run/stop", token=made)[0], 202)
        ended = load.wait()
        self.assertIn(ended.code, (0, 105))
        self.assertNotIn(made, ended.out + ended.err)
        self.assertFalse(os.path.exists(self.token_file), "the file goes with the run")

    def test_a_token_file_can_be_given(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "token")
            with open(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
                file.write("of-the-operator-4711\n")
            self.start("-c", "2", "-d", "60s", "--api-token-file", path, "--api-host", "bench.example", token=None)
            self.assertIsNone(self.token_file)
            self.assertEqual(self.ask("GET", "/api/v1/run", token="of-the-operator-4711")[0], 200)
            os.chmod(path, 0o644)
            refused = invoke("run", "--api", "127.0.0.1:0", "--api-token-file", path, "-d", "1s", self.target.url)
            self.assertEqual((refused.code, "chmod 600" in refused.err), (2, True), refused)
        for host, status in (("bench.example", 200), ("evil.example", 421)):
            connection = self.connection()
            connection.request("GET", "/metrics", headers={"host": host})
            self.assertEqual(connection.getresponse().status, status, host)

    def test_lines_grow_while_it_runs_and_end_with_the_result(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "live.jsonl")
            with LoadRun("-c", "2", "-d", "3s", "--out", f"jsonl={path}", self.target.url + "/delay/5ms") as load:
                until(lambda: os.path.exists(path) and os.path.getsize(path) > 0, "a line is there")
                self.assertIsNone(load.process.poll(), "before the end")
                ended = load.wait()
            with open(path) as file:
                lines = [json.loads(line) for line in file]
        self.assertEqual(ended.code, 0, ended)
        self.assertGreaterEqual(len(lines), 3)
        self.assertEqual(lines[-1]["state"], "done")
        self.assertEqual(lines[-1]["requests"], ended.totals["requests"])

    def test_a_full_disk_ends_the_lines_and_not_the_run(self):
        with LoadRun("-c", "2", "-d", "2s", "--out", "jsonl=/dev/full", self.target.url + "/delay/5ms") as load:
            ended = load.wait()
        self.assertEqual(ended.code, 1, ended)
        self.assertEqual(ended.err.count("cannot write /dev/full: No space left on device"), 1, ended.err)
        self.assertIn("cannot write /dev/full: No space left on device", " ".join(ended.result["warnings"]))
        self.assertGreater(ended.totals["requests"], 100)
        quiet = invoke("run", "--ui", "none", "-d", "200ms", "--out", "jsonl=/dev/full", self.target.url)
        self.assertEqual(quiet.code, 1, quiet)
        self.assertEqual(quiet.err.count("cannot write /dev/full: No space left on device"), 1, quiet.err)

    def test_a_summary_that_cannot_be_written_is_an_error(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            ended = subprocess.run([binary(), "run", "-d", "200ms", self.target.url], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(ended.returncode, 1, ended)
        self.assertIn("cannot write the summary: No space left on device", ended.stderr)


if __name__ == "__main__":
    unittest.main()
