"""Who may do what: the token of the API, its file, its secrecy, and requests that came from web pages or proxies."""

import os
import re
import stat
import tempfile
import unittest

from harness import http1, proc
from harness.node import Node, run_to_end
from harness.waiting import until

TOKEN = "correct-horse-battery-staple-4711"
ADMIN_ROUTES = ("/api/v1/reload", "/api/v1/debug/crash?service=worker_pool", "/api/v1/shutdown")


def bearer(token):
    return [("authorization", f"Bearer {token}")]


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
        for path in ("/api/v1/status", "/api/v1/jobs/7"):
            self.assertEqual(node.get(path, headers=bearer("wrong")).status, 401, path)
        self.assertEqual(node.compute(job="echo", data="x", headers=bearer("wrong")).status, 401)
        self.assertEqual(node.compute(job="echo", data="x", headers=bearer(TOKEN)).status, 200)
        self.assertEqual(node.post("/api/v1/reload", headers=bearer(TOKEN)).status, 202)

    def assert_secret(self, node):
        secret = TOKEN.encode()
        for answer in (node.get("/api/v1/status", headers=bearer(TOKEN)), node.observe("/metrics"), node.observe("/readyz"), node.get("/version")):
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


class MadeToken(unittest.TestCase):
    """A node that is given no token makes one: loopback alone opens nothing."""

    def test_a_node_makes_a_token_in_a_private_file(self):
        with tempfile.TemporaryDirectory() as folder, Node(made_token=True, environment={"XDG_RUNTIME_DIR": folder}) as node:
            path = re.search(r" token=(\S+)", node.log()).group(1)
            self.assertEqual(path, f"{folder}/hyperscale-{os.geteuid()}/node-127.0.0.1-{node.api[1]}.token")
            self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o600)
            with open(path) as file:
                token = file.read().strip()
            self.assertRegex(token, r"^[0-9a-f]{64}$", "256 bits")
            self.assertNotIn(token, node.log())
            for path_asked in ("/api/v1/status", "/api/v1/jobs/7"):
                self.assertEqual(node.get(path_asked, headers=[("authorization", None)]).status, 401)
            for path_asked in ADMIN_ROUTES:
                self.assertEqual(node.post(path_asked, headers=[("authorization", None)]).status, 401)
                self.assertEqual(node.post(path_asked, headers=[("authorization", None), ("x-forwarded-for", "127.0.0.1")]).status, 401)
            self.assertEqual(node.get("/api/v1/status", headers=bearer(token)).status, 200)
            for open_path in ("/healthz", "/metrics"):
                self.assertEqual(node.observe(open_path).status, 200)
            self.assertEqual(node.post("/api/v1/shutdown", headers=bearer(token)).status, 202)
            self.assertEqual(node.wait(), 0, node.log())
            self.assertFalse(os.path.exists(path), "the file goes with the node")

    def test_amnesia_makes_no_file_and_opens_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            with Node("--amnesia", made_token=True, environment={"XDG_RUNTIME_DIR": folder}) as node:
                self.assertEqual(node.get("/api/v1/status").status, 401)
                node.await_log("no token: the API refuses every call")
                self.assertEqual(node.terminate(), 0)
            self.assertEqual(os.listdir(folder), [])

    def test_an_api_that_others_reach_needs_tls(self):
        code, said = run_to_end("--api", "0.0.0.0:0", "--metrics", "127.0.0.1:0", "--transport", "127.0.0.1:0")
        self.assertEqual(code, 2, said)
        self.assertIn("would travel in clear text", said)
        self.assertIn("tls.enabled", said)


class Pages(unittest.TestCase):
    """What a web page, a form or a rebound name can send is refused also with the right token."""

    def setUp(self):
        self.node = self.enterContext(Node(api__hosts="bench.example"))

    def status(self, *headers, method="GET", path="/api/v1/status", body=b""):
        return http1.request(self.node.api, method, path, body, headers=headers).status

    def test_only_addresses_localhost_and_known_names_are_hosts(self):
        port = self.node.api[1]
        for host in ("127.0.0.1", f"127.0.0.1:{port}", "localhost", f"LOCALHOST:{port}", "[::1]:80", "bench.example", f"Bench.Example:{port}"):
            self.assertEqual(self.status(("host", host)), 200, host)
        for host in ("evil.example", f"evil.example:{port}", "localhost.evil.example", "127.0.0.1.evil.example", ""):
            self.assertEqual(self.status(("host", host)), 421, host)
            for path in ("/metrics", "/healthz", "/readyz", "/version"):
                answer = http1.request(self.node.metrics_address, "GET", path, headers=[("host", host)])
                self.assertEqual(answer.status, 421, (host, path))
        self.assertEqual(self.status(path="http://evil.example/api/v1/status"), 421)

    def test_pages_of_other_origins_are_refused(self):
        host = f"127.0.0.1:{self.node.api[1]}"
        self.assertEqual(self.status(("host", host), ("origin", f"http://{host}")), 200)
        for origin in ("null", "http://evil.example", "http://127.0.0.1:1", f"http://localhost:{self.node.api[1]}"):
            self.assertEqual(self.status(("host", host), ("origin", origin)), 403, origin)
            self.assertEqual(self.status(("host", host), ("origin", origin), method="OPTIONS"), 403, "a preflight")
        for site, status in (("none", 200), ("same-origin", 200), ("same-site", 403), ("cross-site", 403)):
            self.assertEqual(self.status(("sec-fetch-site", site)), status, site)

    def test_only_json_changes_something(self):
        job = http1.json_body({"job": "echo", "data": "x"})
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", None):
            self.assertEqual(self.status(("content-type", kind), method="POST", path="/api/v1/compute", body=job), 415, kind)
        self.assertEqual(self.status(("content-type", "application/json; charset=utf-8"), method="POST", path="/api/v1/compute", body=job), 200)
        self.assertEqual(self.status(("content-type", "text/plain"), method="POST", path="/api/v1/shutdown"), 415)
        self.assertIsNone(self.node.process.poll())

    def test_fault_injection_is_off_unless_asked_for(self):
        node = self.node
        self.assertEqual(node.post("/api/v1/debug/crash?service=worker_pool").status, 404)
        self.assertEqual(node.compute(job="hang").status, 400)
        self.assertEqual(node.compute(job="crash").status, 400)
        until(lambda: node.observe("/readyz").json()["state"] == "ready", "ready")


if __name__ == "__main__":
    unittest.main(verbosity=2)
