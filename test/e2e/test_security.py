"""Who may do what: the admin token, its secrecy, and loopback without one."""

import os
import socket
import tempfile
import unittest

from harness import http1, proc
from harness.node import Node, run_to_end
from harness.waiting import until

TOKEN = "correct-horse-battery-staple-4711"
ADMIN_ROUTES = ("/api/v1/reload", "/api/v1/debug/crash?service=worker_pool", "/api/v1/shutdown")


def bearer(token):
    return [("authorization", f"Bearer {token}")]


def address_of_this_machine():
    """An address that is not loopback, without sending anything; None where there is none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        host = probe.getsockname()[0]
    return None if host.startswith("127.") else host


class AdminToken(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.token_file = os.path.join(folder.name, "token")
        with open(self.token_file, "w") as file:
            file.write(TOKEN + "\n")
        os.chmod(self.token_file, 0o600)

    def assert_guarded(self, node):
        for path in ADMIN_ROUTES:
            for headers in ([], bearer("wrong"), bearer(TOKEN[:-1]), bearer(TOKEN + "x"), bearer(""), [("authorization", f"Basic {TOKEN}")]):
                answer = node.post(path, headers=headers)
                self.assertEqual((answer.status, answer.json()["error"]), (401, "Unauthorized"), (path, headers))
        self.assertEqual(node.compute(job="echo", data="x").status, 200, "other routes need no token")
        self.assertEqual(node.post("/api/v1/reload", headers=bearer(TOKEN)).status, 202)

    def assert_secret(self, node):
        secret = TOKEN.encode()
        for answer in (node.get("/api/v1/status"), node.observe("/metrics"), node.observe("/readyz"), node.get("/version")):
            self.assertNotIn(secret, answer.body)
        self.assertNotIn(secret, proc.environment(node.pid))
        self.assertEqual(node.post("/api/v1/shutdown", headers=bearer(TOKEN)).status, 202)
        self.assertEqual(node.wait(), 0, node.log())
        self.assertNotIn(TOKEN, node.log())

    def test_a_token_from_the_environment_guards_admin_routes_and_stays_secret(self):
        with Node("--log-level", "trace", environment={"HYPERSCALE_ADMIN_TOKEN": TOKEN}, admin__fault_injection=True) as node:
            self.assert_guarded(node)
            self.assert_secret(node)

    def test_a_token_from_a_file_guards_admin_routes_and_stays_secret(self):
        with Node("--log-level", "trace", admin__token_file=self.token_file, admin__fault_injection=True) as node:
            self.assert_guarded(node)
            self.assert_secret(node)

    def test_a_token_file_that_others_can_read_is_refused(self):
        for mode in (0o644, 0o640, 0o604):
            os.chmod(self.token_file, mode)
            code, said = run_to_end("--set", f"admin.token_file={self.token_file}")
            self.assertEqual(code, 2, said)
            self.assertIn("chmod 600", said)
            self.assertNotIn(TOKEN, said)

    def test_an_absent_token_file_is_refused(self):
        code, said = run_to_end("--set", "admin.token_file=/nonexistent/token")
        self.assertEqual(code, 2, said)
        self.assertIn("/nonexistent/token", said)


class Loopback(unittest.TestCase):
    def test_without_a_token_admin_routes_answer_on_loopback_only(self):
        outside = address_of_this_machine()
        if outside is None:
            self.skipTest("this machine has no address beside loopback")
        listen = ("--api", "0.0.0.0:0", "--metrics", "127.0.0.1:0", "--transport", "127.0.0.1:0")
        with Node(listen=listen) as node:
            port = node.api[1]
            for path in ADMIN_ROUTES:
                self.assertEqual(http1.request((outside, port), "POST", path).status, 401, path)
            self.assertEqual(http1.request((outside, port), "GET", "/api/v1/status").status, 200)
            self.assertEqual(http1.request(("127.0.0.1", port), "POST", "/api/v1/reload").status, 202)

    def test_fault_injection_is_off_unless_asked_for(self):
        with Node() as node:
            self.assertEqual(node.post("/api/v1/debug/crash?service=worker_pool").status, 404)
            self.assertEqual(node.compute(job="hang").status, 400)
            self.assertEqual(node.compute(job="crash").status, 400)
            until(lambda: node.observe("/readyz").json()["state"] == "ready", "ready")


if __name__ == "__main__":
    unittest.main(verbosity=2)
