"""`hyperscale cluster status` of nodes that answer something else: another version, or no node at all."""

import http.server
import json
import os
import tempfile
import threading
import unittest

from harness.runs import invoke

ANSWERS = (
    "{}", "[]", "null", "5", '"text"', "no JSON", '{"members":5}', '{"members":[null,5,{}]}', '{"members":[{"name":"n","state":7}]}',
    '{"leads":"yes","leadership":7,"leader":[],"term":-1,"incarnation":"x"}', '{"leads":true,"synced":7}',
    '{"leads":true,"synced":[],"sync_members":"x","members":[],"incarnation":1,"leadership":"leader","leader":null,"term":1}',
    '{"members":[{"name":"n","state":"alive","rtt_ms":null}],"primaries":[5]}',
)
TOKEN = "token-of-the-fleet-4711"


def started_ns(pid):
    """As the program computes it: the start of a process since boot."""
    with open(f"/proc/{pid}/stat") as file:
        ticks = int(file.read().rpartition(")")[2].split()[19])
    return ticks * (10**9 // os.sysconf("SC_CLK_TCK"))


class Answering:
    """A server on loopback that answers every request with one text."""

    def __init__(self):
        answering = self
        self.text = ""
        self.tokens = set()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                answering.tokens.add(self.headers["authorization"])
                self.send_response(200)
                self.send_header("content-length", str(len(answering.text)))
                self.end_headers()
                self.wfile.write(answering.text.encode())

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class ForeignAnswers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.answering = Answering()
        self.addCleanup(self.answering.close)
        port = self.answering.server.server_address[1]
        node = {"name": "n", "role": "manager", "datacenter": "dc1", "cluster_port": 1, "api_port": port, "metrics_port": 2,
                "transport_port": 3, "pid": os.getpid(), "started_ns": started_ns(os.getpid())}
        self.write("fleet.json", json.dumps({"nodes": [node]}))
        self.write("token", TOKEN + "\n")

    def write(self, name, text):
        with open(os.open(os.path.join(self.folder, name), os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
            file.write(text)

    def test_any_answer_is_a_row(self):
        for text in ANSWERS:
            self.answering.text = text
            with self.subTest(text):
                table = invoke("cluster", "status", "--state-dir", self.folder)
                self.assertIn(table.code, (0, 1), table)
                self.assertRegex(table.out, r"(?m)^n +manager +dc1 +127\.0\.0\.1:1 +running ")
                as_json = invoke("cluster", "status", "--state-dir", self.folder, "--json")
                self.assertIn(as_json.code, (0, 1), as_json)
                self.assertEqual(json.loads(as_json.out)[0]["name"], "n")
        self.assertEqual(self.answering.tokens, {f"Bearer {TOKEN}"}, "nodes are asked with the token of the fleet")


if __name__ == "__main__":
    unittest.main(verbosity=2)
