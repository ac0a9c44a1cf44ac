"""Clients that others wrote get along with the API: curl, nghttp, h2load."""

import json
import re
import subprocess
import unittest

from harness import http1
from harness.node import Node

CURL = ("curl", "-sS", "-H", f"Authorization: Bearer {http1.TOKEN}")


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


class Interop(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.node = cls.enterClassContext(Node(facets__compute=1000))
        cls.url = f"http://127.0.0.1:{cls.node.api[1]}"

    # proves part: NODE-IO-2 (all but the default of 4 MiB)
    def test_curl_speaks_both_versions(self):
        for option, version in (("--http1.1", "1.1"), ("--http2-prior-knowledge", "2")):
            code, out, err = run(
                *CURL, option, "--json", '{"job":"echo","data":"hello"}', "-w", " %{http_version} %{http_code}", self.url + "/api/v1/compute"
            )
            self.assertEqual((code, out), (0, f"hello {version} 200"), err)

    def test_curl_keeps_an_http1_connection(self):
        _, out, err = run(*CURL, "-v", "--http1.1", *[self.url + "/api/v1/status"] * 3)
        self.assertEqual(err.count("Connected to"), 1, err)
        self.assertEqual(err.count("Re-using existing connection"), 2, err)

    def test_curl_sends_a_large_body_with_expect(self):
        body = json.dumps({"job": "echo", "data": "a" * 3_000_000})
        done = subprocess.run(
            [*CURL, "--http1.1", "-H", "expect: 100-continue", "--json", "@-", self.url + "/api/v1/compute"],
            input=body, capture_output=True, text=True, timeout=60,
        )
        self.assertEqual(len(done.stdout), 3_000_000, done.stderr)

    def test_curl_sends_a_large_body_over_http2(self):
        body = json.dumps({"job": "echo", "data": "b" * 3_000_000})
        done = subprocess.run(
            [*CURL, "--http2-prior-knowledge", "--json", "@-", self.url + "/api/v1/compute"],
            input=body, capture_output=True, text=True, timeout=60,
        )
        self.assertEqual(len(done.stdout), 3_000_000, done.stderr)

    def test_nghttp_multiplexes_requests(self):
        code, out, err = run("nghttp", "-v", "-m", "5", "-H", f"authorization: Bearer {http1.TOKEN}", self.url + "/api/v1/status")
        self.assertEqual(code, 0, err)
        self.assertEqual(len(re.findall(r"recv \(stream_id=\d+\) :status: 200", out)), 5, out)
        self.assertNotIn("RST_STREAM", out)

    def test_h2load_gets_every_answer(self):
        code, out, err = run("h2load", "-n", "2000", "-c", "10", "-m", "10", self.url + "/version")
        self.assertEqual(code, 0, err)
        self.assertIn("2000 total, 2000 started, 2000 done, 2000 succeeded, 0 failed, 0 errored, 0 timeout", out)
        self.assertIn("status codes: 2000 2xx, 0 3xx, 0 4xx, 0 5xx", out)

    def test_h2load_gets_every_answer_over_http1(self):
        code, out, err = run("h2load", "--h1", "-n", "1000", "-c", "10", self.url + "/version")
        self.assertEqual(code, 0, err)
        self.assertIn("1000 succeeded, 0 failed, 0 errored", out)


if __name__ == "__main__":
    unittest.main(verbosity=2)
