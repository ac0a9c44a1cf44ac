"""The API behind TLS: HTTP/2 and HTTP/1.1 by ALPN, and peers that never finish the handshake."""

import os
import socket
import ssl
import subprocess
import tempfile
import time
import unittest
import warnings

from harness import figures, http1
from harness.certificates import self_signed
from harness.node import Node, run_to_end
from harness.waiting import until

HANDSHAKE_TIMEOUT_S = 2.0
PATIENCE_S = 10.0


class Tls(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.cert, cls.key = self_signed(cls.folder.name)

    def node(self):
        return Node(tls__enabled=True, tls__cert_file=self.cert, tls__key_file=self.key)

    def curl(self, node, *options):
        done = subprocess.run(
            ["curl", "-sS", "--max-time", "20", "--cacert", self.cert, *options, "-H", f"Authorization: Bearer {http1.TOKEN}", "--json", '{"job":"echo","data":"over tls"}',
             "-w", " %{http_version} %{http_code}", f"https://127.0.0.1:{node.api[1]}/api/v1/compute"],
            capture_output=True, text=True,
        )
        return done.stdout + done.stderr

    # proves: NODE-IO-4
    def test_alpn_chooses_the_version(self):
        with self.node() as node:
            self.assertEqual(self.curl(node), "over tls 2 200")
            self.assertEqual(self.curl(node, "--http1.1"), "over tls 1.1 200")
            self.assertEqual(node.terminate(), 0, node.log())
        with Node() as plain:  # TLS is a choice
            self.assertEqual(plain.get("/version").status, 200)

    # proves part: NODE-TIME-6 (the API; not the framed transport nor the link between nodes)
    def test_a_silent_peer_is_closed_after_2_s_and_counted(self):
        with self.node() as node:
            begin = time.monotonic()
            silent = [socket.create_connection(node.api, PATIENCE_S) for _ in range(3)]
            for connection, beginning in zip(silent, (b"", b"\x16", b"\x16\x03\x01\x02\x00\x01")):
                self.addCleanup(connection.close)
                connection.sendall(beginning)
            for connection in silent:
                http1.closed_by_peer(connection)
            took = time.monotonic() - begin
            figures.record("tls-handshake", "silent peer closed at 2 s", {"closed after": f"{took * 1000:.0f} ms"})
            self.assertGreater(took, HANDSHAKE_TIMEOUT_S * 0.9)
            self.assertLess(took, HANDSHAKE_TIMEOUT_S + 1.0)
            until(lambda: node.metrics()["io_timeouts_total", "handshake"] == 3, "the timeouts are counted")
            self.assertEqual(self.curl(node), "over tls 2 200")

    def test_plain_text_and_garbage_do_not_get_in(self):
        with self.node() as node:
            for sent in (http1.render("GET", "/version"), b"\x16\x03\x01\xff\xff" + b"\x00" * 300):
                with http1.connect(node.api, PATIENCE_S) as connection:
                    connection.sendall(sent)
                    self.assertNotIn(b"HTTP/1.1 200", http1.closed_by_peer(connection))
            until(lambda: node.metrics()["connections_open", "api"] == 0, "the connections are gone")

    def test_old_versions_are_refused(self):
        context = ssl.create_default_context(cafile=self.cert)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # old on purpose
            context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1_1
        context.set_ciphers("DEFAULT:@SECLEVEL=0")
        with self.node() as node, socket.create_connection(node.api, PATIENCE_S) as connection:
            with self.assertRaises(OSError):
                context.wrap_socket(connection, server_hostname="localhost")

    def test_a_key_that_does_not_fit_is_a_readable_refusal(self):
        with tempfile.TemporaryDirectory() as folder:
            _, other_key = self_signed(folder)
            code, said = run_to_end(
                "--api", "127.0.0.1:0", "--metrics", "127.0.0.1:0", "--transport", "127.0.0.1:0", "--set", "tls.enabled=true",
                "--set", f"tls.cert_file={self.cert}", "--set", f"tls.key_file={other_key}",
            )
            self.assertIn(code, (1, 2), said)
            self.assertIn("key", said)


if __name__ == "__main__":
    unittest.main(verbosity=2)
