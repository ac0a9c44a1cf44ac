"""HTTPS: certificates that must not be trusted get a clear sentence; CA files, --insecure and client certificates work."""

import json
import tempfile
import unittest
from shutil import which

from harness.certificates import Authority
from harness.peers import Nginx
from harness.runs import Target, invoke, run

LOCAL = "DNS:localhost,IP:127.0.0.1"
IN_2020 = ("-startdate", "20200101000000Z", "-enddate", "20210101000000Z")


class Tls(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.authority = Authority(folder.name, "Known")
        cls.stranger = Authority(folder.name, "Unknown")
        cls.good = cls.authority.issue("localhost", LOCAL)
        cls.expired = cls.authority.issue("expired", LOCAL, IN_2020)
        cls.elsewhere = cls.authority.issue("other.test", "DNS:other.test")
        cls.unknown = cls.stranger.issue("localhost", LOCAL)
        cls.client = cls.authority.issue("client", "DNS:client")

    def target(self, pair):
        return Target("--cert", pair[0], "--key", pair[1])

    def test_certificates_that_must_not_be_trusted(self):
        for name, pair, sentence in (
            ("expired", self.expired, "expired on 2021-01-01 00:00:00 UTC"),
            ("another host", self.elsewhere, "certificate is for other.test, not for 127.0.0.1"),
            ("unknown authority", self.unknown, "signed by an unknown authority: Unknown"),
        ):
            with self.subTest(name), self.target(pair) as target:
                ended = run("-c", "2", "-n", "10", "--cacert", self.authority.cert, target.url)
                self.assertEqual((ended.code, ended.totals["outcomes"]), (1, {"tls": 10}), ended)
                self.assertEqual(len(ended.result["failures"]), 1)
                self.assertEqual(ended.result["failures"][0]["count"], 10)
                self.assertIn(sentence, ended.result["failures"][0]["message"])
                self.assertRegex(ended.out, r"10× +tls +TLS with https://127\.0\.0\.1")
                tried = invoke("try", "--cacert", self.authority.cert, target.url)
                self.assertEqual(tried.code, 1, tried)
                self.assertIn(sentence, tried.out)
                self.assertEqual(target.count()["requests"], 0, "nothing is sent to whom one does not trust")
                ended = run("-c", "2", "-n", "10", "-k", target.url)
                self.assertEqual((ended.code, ended.totals["errors"]), (0, 0), ended)

    def test_the_system_does_not_know_a_private_authority(self):
        with self.target(self.good) as target:
            ended = run("-c", "1", "-n", "2", target.url)
            self.assertEqual(ended.code, 1)
            self.assertIn("signed by an unknown authority: Known", ended.result["failures"][0]["message"])

    def test_a_ca_file_makes_it_known_and_sessions_are_resumed(self):
        with self.target(self.good) as target:
            for version in ("--http1", "--http2"):
                ended = run("-c", "2", "-n", "50", "--cores", "1", version, "--cacert", self.authority.cert, target.url)
                self.assertEqual((ended.code, ended.totals["errors"], ended.totals["connections_opened"]), (0, 0, 2), ended)
            self.assertEqual((target.count()["http1"], target.count()["http2"]), (50, 50))
            for option, resumed in (((), 19), (("--no-tls-resume",), 0)):
                ended = run("-c", "1", "-n", "20", "--http1", "--no-keepalive", *option, "--cacert", self.authority.cert, target.url)
                self.assertEqual((ended.code, ended.totals["tls_resumed"]), (0, resumed), ended)

    def test_the_name_to_verify_can_be_given(self):
        with self.target(self.elsewhere) as target:
            ended = run("-c", "1", "-n", "5", "--server-name", "other.test", "--cacert", self.authority.cert, target.url)
            self.assertEqual((ended.code, ended.totals["errors"]), (0, 0), ended)
            host = f"other.test:{target.port}"
            ended = run("-c", "1", "-n", "5", "--resolve", f"{host}:127.0.0.1", "--cacert", self.authority.cert, f"https://{host}/")
            self.assertEqual((ended.code, ended.totals["errors"]), (0, 0), ended)

    def test_try_shows_the_certificate(self):
        with self.target(self.good) as target:
            tried = invoke("try", "--cacert", self.authority.cert, target.url)
            self.assertEqual(tried.code, 0, tried)
            for pattern in (r"TLS +TLSv1\.3", r"ALPN h2", r"certificate +CN=localhost", r"issuer +CN=Known", r"names +localhost, 127\.0\.0\.1"):
                self.assertRegex(tried.out, pattern)

    def test_try_as_json(self):
        with self.target(self.good) as target:
            tried = invoke("try", "--json", "-H", "Authorization: Bearer secret", "--cacert", self.authority.cert, target.url)
            self.assertEqual(tried.code, 0, tried)
            self.assertNotIn("secret", tried.out)
            exchange, = json.loads(tried.out)["exchanges"]
            self.assertEqual((exchange["status"], exchange["outcome"], exchange["http_version"]), (200, "ok", "HTTP/2"))
            self.assertEqual((exchange["tls"]["subject"], exchange["tls"]["alpn"]), ("CN=localhost", "h2"))
            self.assertIn("authorization: (not shown)", [line.lower() for line in exchange["request"]])
            self.assertLessEqual({"connect", "tls", "first_byte", "total"}, set(exchange["phases_ms"]))

    def test_plain_text_behind_https_is_said(self):
        with Target() as target:
            ended = run("-c", "1", "-n", "2", "-k", target.url.replace("http:", "https:"))
            self.assertEqual((ended.code, ended.totals["outcomes"]), (1, {"tls": 2}), ended)

    @unittest.skipUnless(which("nginx"), "needs nginx")
    def test_client_certificates(self):
        with Nginx(tls=self.good, client_ca=self.authority.cert) as nginx:
            options = ("-c", "2", "-n", "50", "--http1", "--cacert", self.authority.cert)
            ended = run(*options, "--cert", self.client[0], "--key", self.client[1], nginx.url)
            self.assertEqual((ended.code, ended.totals["statuses"]), (0, {"200": 50}), ended)
            ended = run(*options, nginx.url)
            self.assertEqual((ended.code, ended.totals["statuses"]), (1, {"400": 50}), ended)
            self.assertIn("No required SSL certificate was sent", ended.result["failures"][0]["body_start"])
            ended = run(*options, "--cert", self.unknown[0], "--key", self.unknown[1], nginx.url)
            self.assertEqual((ended.code, ended.totals["statuses"]), (1, {"400": 50}), ended)

    def test_a_key_that_does_not_fit_is_one_line(self):
        with self.target(self.good) as target:
            ended = invoke("run", "-k", "--cert", self.client[0], "--key", self.good[1], target.url)
            self.assertEqual((ended.code, ended.out, ended.err.count("\n")), (2, "", 1), ended)


if __name__ == "__main__":
    unittest.main(verbosity=2)
