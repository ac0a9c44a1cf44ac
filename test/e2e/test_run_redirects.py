"""Where redirects lead: hosts of the plan or anywhere, one timeout for all of them, a bounded number of connections."""

import contextlib
import os
import ssl
import tempfile
import time
import unittest

from harness.certificates import Authority
from harness.recorder import Answering
from harness.runs import run

OK = (200, [], b"here\n")
KEPT_MAX = 64  # connections that a user keeps


def to(location):
    return 302, [("Location", location)], b""


class Redirects(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())

    def test_from_http_to_https_of_the_same_host(self):
        authority = Authority(self.folder, "here")
        certificate, key = authority.issue("server", "DNS:localhost,IP:127.77.0.1")
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(certificate, key)
        try:
            secure = self.enterContext(Answering(lambda _: OK, "127.77.0.1", 443, tls))
            plain = self.enterContext(Answering(lambda _: to("https://127.77.0.1/there"), "127.77.0.1", 80))
        except PermissionError:
            self.skipTest("ports 80 and 443 need root")
        ended = run("-c", "1", "-n", "5", "--cacert", authority.cert, plain.url + "/")
        self.assertEqual((ended.code, ended.totals["outcomes"]), (0, {"ok": 5, "redirected": 5}), ended)
        self.assertEqual(len(secure.seen), 5)

    def test_another_host_is_named_with_its_url(self):
        with Answering(lambda _: to("https://other.test/deep?q=1")) as server:
            ended = run("-c", "1", "-n", "3", server.url + "/")
        self.assertEqual((ended.code, ended.totals["outcomes"]), (1, {"redirects": 3}), ended)
        self.assertIn("redirects to https://other.test/deep?q=1; run that URL", ended.result["failures"][0]["message"])

    def test_another_port_is_followed_only_when_asked_for(self):
        with Answering(lambda _: OK) as other, Answering(lambda _: to(f"{other.url}/x")) as server:
            ended = run("-c", "1", "-n", "3", server.url + "/")
            self.assertEqual((ended.totals["outcomes"], len(other.seen)), ({"redirects": 3}, 0), ended)
            for value in ("anywhere", "1,anywhere"):
                other.seen.clear()
                ended = run("-c", "1", "-n", "3", "--redirects", value, server.url + "/")
                self.assertEqual((ended.code, ended.totals["outcomes"], len(other.seen)), (0, {"ok": 3, "redirected": 3}, 3), ended)

    def test_a_workflow_says_it_itself(self):
        with Answering(lambda _: OK) as other, Answering(lambda _: to(f"{other.url}/x")) as server:
            path = os.path.join(self.folder, "shop.js")
            with open(path, "w") as file:
                file.write("import { Workflow, step, http } from 'hyperscale';\n"
                           "export class Shop extends Workflow {\n  static iterations = 3;\n  static redirects = 'anywhere';\n"
                           f"  page = step(http.get('{server.url}/'));\n}}\n")
            ended = run(path)
            self.assertEqual((ended.code, len(other.seen)), (0, 3), ended)
            ended = run("--redirects", "5", path)
            self.assertEqual(ended.totals["outcomes"], {"redirects": 3}, ended)

    def test_the_timeout_is_for_all_of_them(self):
        def slow(handler):
            time.sleep(0.4)
            return to(f"/{int(handler.path[1:]) + 1}")

        with Answering(slow) as server:
            begun = time.monotonic()
            ended = run("-c", "1", "-n", "1", "--timeout", "1s", server.url + "/0")
            self.assertLess(time.monotonic() - begun, 2.5)
        self.assertEqual(ended.totals["outcomes"].get("first_byte_timeout"), 1, ended)
        self.assertEqual(ended.totals["redirects_followed"], 2, ended)

    def test_a_user_keeps_a_bounded_number_of_connections(self):
        servers = []

        def on(handler):
            at = int(handler.path[1:])
            return to(f"{servers[at + 1].url}/{at + 1}") if at + 1 < len(servers) else OK

        with contextlib.ExitStack() as stack:
            for _ in range(100):
                servers.append(stack.enter_context(Answering(on)))
            with open_count(servers) as most:
                ended = run("-c", "1", "-n", "2", "--cores", "1", "--redirects", "100,anywhere", servers[0].url + "/0")
            self.assertEqual((ended.code, ended.totals["outcomes"]), (0, {"ok": 2, "redirected": 198}), ended)
            # A server learns of a closed connection a moment later.
            self.assertLessEqual(most(), KEPT_MAX + 8)


@contextlib.contextmanager
def open_count(servers):
    """The most connections that were open at once, looked at with every request."""
    most = [0]
    for server in servers:
        answers = server._server.answers

        def counted(handler, answers=answers):
            most[0] = max(most[0], sum(each._server.open_now for each in servers))
            return answers(handler)

        server._server.answers = counted
    yield lambda: most[0]


if __name__ == "__main__":
    unittest.main()
