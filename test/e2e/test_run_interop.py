"""Servers of others: nginx, nghttpd and caddy see as many requests as the result says, without an error."""

import tempfile
import unittest
from shutil import which

from harness.certificates import Authority
from harness.peers import PAGE, Caddy, Nghttpd, Nginx
from harness.runs import invoke, run
from harness.waiting import until

REQUESTS = 2000


class Interop(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        authority = Authority(folder.name, "Known")
        cls.ca = authority.cert
        cls.pair = authority.issue("localhost", "DNS:localhost,IP:127.0.0.1")

    def all_answered(self, peer, requests, *arguments, path="/index.html"):
        before = peer.answered()
        trust = ("--cacert", self.ca) if peer.tls else ()
        ended = run("-c", "4", "-n", str(requests), *trust, *arguments, peer.url + path)
        self.assertEqual(ended.code, 0, ended)
        self.assertEqual((ended.totals["requests"], ended.totals["errors"]), (requests, 0), ended)
        self.assertEqual(ended.totals["statuses"], {"200": requests})
        until(lambda: peer.answered() - before >= requests, "the server has logged them")
        self.assertEqual(peer.answered() - before, requests)
        return ended

    def streams(self, peer):
        ended = self.all_answered(peer, REQUESTS, "--http2", "--streams", "10")
        self.assertGreaterEqual(ended.totals["bytes_received"], REQUESTS * len(PAGE))
        self.assertEqual(ended.totals["connections_opened"], 4)

    def one_by_one(self, peer):
        ended = self.all_answered(peer, 500, "--http1")
        self.assertEqual(ended.totals["connections_opened"], 4, "connections are kept")
        ended = self.all_answered(peer, 50, "--http1", "--no-keepalive")
        self.assertEqual(ended.totals["connections_opened"], 50)
        ended = self.all_answered(peer, 200, "--http1", "-H", "Accept-Encoding: gzip")
        self.assertLess(ended.totals["bytes_received"], 200 * len(PAGE) / 2)
        said = self.tried(peer, "--http1", "-H", "Accept-Encoding: gzip")
        self.assertRegex(said.lower(), "< content-encoding: gzip")
        self.assertIn("compresses well", said)

    def tried(self, peer, *arguments, path="/index.html"):
        tried = invoke("try", *(("--cacert", self.ca) if peer.tls else ()), *arguments, peer.url + path)
        self.assertEqual(tried.code, 0, tried)
        return tried.out


@unittest.skipUnless(which("nginx"), "needs nginx")
class WithNginx(Interop):
    def test_http2(self):
        with Nginx(http2=True) as nginx:
            self.streams(nginx)
            self.assertEqual(nginx.log().count('HTTP/2.0" 200'), REQUESTS)

    def test_http2_over_tls(self):
        with Nginx(tls=self.pair, http2=True) as nginx:
            self.streams(nginx)
            self.assertIn("HTTP/2 200", self.tried(nginx))

    def test_http1_kept_alive_and_compressed(self):
        with Nginx() as nginx:
            self.one_by_one(nginx)
            self.all_answered(nginx, 500, "--http1", "--pipeline", "10")

    def test_http1_chunked(self):
        with Nginx() as nginx:
            self.assertIn("< transfer-encoding: chunked", self.tried(nginx, path="/chunked").lower())
            self.all_answered(nginx, 200, "--http1", "--expect-body", "compresses well", path="/chunked")

    def test_http1_over_tls(self):
        with Nginx(tls=self.pair) as nginx:
            self.all_answered(nginx, 500, "--http1")


@unittest.skipUnless(which("nghttpd"), "needs nghttpd of nghttp2-server")
class WithNghttpd(Interop):
    def test_http2(self):
        with Nghttpd() as nghttpd:
            self.streams(nghttpd)

    def test_http2_over_tls(self):
        with Nghttpd(tls=self.pair) as nghttpd:
            self.streams(nghttpd)


@unittest.skipUnless(which("caddy"), "needs caddy")
class WithCaddy(Interop):
    def test_http2_over_tls(self):
        with Caddy(tls=self.pair) as caddy:
            self.streams(caddy)

    def test_http1_kept_alive_and_compressed(self):
        with Caddy() as caddy:
            self.one_by_one(caddy)


if __name__ == "__main__":
    unittest.main(verbosity=2)
