"""Peers of the API that are slow, wrong or rude. The node cuts them off, stays small and serves the others."""

import contextlib
import socket
import threading
import time
import unittest

from harness import http1, proc
from harness.node import Node
from harness.waiting import until

READ_TIMEOUT_S = 1.0
# A busy machine may be late; a peer that is never cut off would be later still.
PATIENCE_S = 10.0
DEFAULT_READ_TIMEOUT_S = 5.0
ECHO = http1.render("POST", "/api/v1/compute", b'{"job":"echo","data":"hi"}')

GARBAGE = [
    b"\x00" * 512,
    b"\xff" * 20000,
    b"GET\r\n\r\n",
    b"GET / HTTP/9.9\r\nhost: x\r\n\r\n",
    b"GET  /  HTTP/1.1\r\n\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\x7f" * 400,
    b"POST /api/v1/compute HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n",
    b"POST /api/v1/compute HTTP/1.1\r\nhost: x\r\ncontent-length: 99999999999999999999999\r\n\r\n",
    b"POST /api/v1/compute HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\ncontent-length: 5\r\n\r\nabcde",
    b"POST /api/v1/compute HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\ncontent-length: 5\r\n\r\nabcde",
    b"POST /api/v1/compute HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n",
    b"GET /" + b"a" * 100000 + b" HTTP/1.1\r\nhost: x\r\n\r\n",
    b"GET / HTTP/1.1\r\n" + b"x: y\r\n" * 20000 + b"\r\n",
]


class SlowPeers(unittest.TestCase):
    # proves: NODE-TIME-1
    def test_dripped_heads_are_cut_off_at_the_read_timeout(self):
        with Node(transport__read_timeout=f"{READ_TIMEOUT_S:.0f}s") as node:
            self.assert_cut_off(node, b"GET /api/v1/status HTTP/1.1\r\nhost: x\r\nx-slow: ")
            self.assertGreaterEqual(node.metrics()["io_timeouts_total", "read"], 1)

    def test_a_dripped_body_is_cut_off(self):
        with Node(transport__read_timeout=f"{READ_TIMEOUT_S:.0f}s", api__deadline="2s") as node:
            self.assert_cut_off(node, b"POST /api/v1/compute HTTP/1.1\r\nhost: x\r\ncontent-length: 100000\r\n\r\n")

    def assert_cut_off(self, node, beginning):
        """A byte now and then must not buy more time."""
        with http1.connect(node.api, PATIENCE_S) as connection:
            connection.sendall(beginning)
            begin = time.monotonic()
            stop = threading.Event()
            dripper = threading.Thread(target=self._drip, args=(connection, stop))
            dripper.start()
            try:
                said = http1.closed_by_peer(connection)
            finally:
                stop.set()
                dripper.join()
            took = time.monotonic() - begin
        self.assertGreater(took, READ_TIMEOUT_S * 0.9)
        self.assertLess(took, DEFAULT_READ_TIMEOUT_S, "the configured timeout is not the one in force")
        self.assertRegex(said[:16], rb"^HTTP/1.1 (408|504)")
        self.assertEqual(node.observe("/healthz").status, 200)

    @staticmethod
    def _drip(connection, stop):
        try:
            while not stop.wait(0.1):
                connection.sendall(b"a")
        except OSError:
            pass  # cut off, as wanted

    def test_a_request_in_single_bytes_is_answered(self):
        with Node() as node, http1.connect(node.api) as connection:
            for byte in ECHO:
                connection.sendall(bytes([byte]))
            self.assertEqual(http1.read_answer(connection)[0].body, b"hi")

    def test_pipelined_requests_are_answered_in_order(self):
        with Node() as node, http1.connect(node.api) as connection:
            bodies = [f'{{"job":"echo","data":"{number}"}}'.encode() for number in range(50)]
            connection.sendall(b"".join(http1.render("POST", "/api/v1/compute", body) for body in bodies))
            rest = b""
            for number in range(50):
                answer, rest = http1.read_answer(connection, rest)
                self.assertEqual(answer.body, str(number).encode())

    def test_a_peer_that_does_not_read_is_given_up(self):
        with Node(transport__write_timeout="1s") as node, socket.socket() as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.settimeout(PATIENCE_S)
            connection.connect(node.api)
            body = b'{"job":"echo","data":"' + b"a" * 3_000_000 + b'"}'
            with contextlib.suppress(OSError):  # given up while it still sends, as wanted
                connection.sendall(http1.render("POST", "/api/v1/compute", body) * 4)
            until(lambda: node.metrics()["io_timeouts_total", "write"] >= 1, "the write timeout is counted")
            until(lambda: node.metrics()["connections_open", "api"] == 0, "the connection is gone")


class WrongPeers(unittest.TestCase):
    def test_garbage_is_refused_and_leaks_nothing(self):
        with Node(transport__read_timeout=f"{READ_TIMEOUT_S:.0f}s") as node:
            self.assertEqual(node.compute(job="echo", data="x").status, 200)
            until(lambda: node.metrics()["connections_open", "api"] == 0, "no connection is open")
            before = proc.fd_count(node.pid)
            for garbage in GARBAGE:
                with self.subTest(garbage[:60]), http1.connect(node.api, PATIENCE_S) as connection:
                    with contextlib.suppress(OSError):  # cut off in the middle of it
                        connection.sendall(garbage)
                    said = http1.closed_by_peer(connection)
                    # An HTTP/2 peer is told in frames, everybody else in HTTP/1.1.
                    if said and not garbage.startswith(b"PRI"):
                        self.assertRegex(said[:16], rb"^HTTP/1.1 (4\d\d|505)")
            until(lambda: node.metrics()["connections_open", "api"] == 0, "every connection is closed")
            until(lambda: proc.fd_count(node.pid) <= before, "every descriptor is closed")
            self.assertEqual(node.compute(job="echo", data="x").status, 200)
            self.assertEqual(node.terminate(), 0, node.log())

    def test_a_length_that_lies_is_not_waited_for_for_ever(self):
        with Node(transport__read_timeout=f"{READ_TIMEOUT_S:.0f}s", api__deadline="1s") as node:
            with http1.connect(node.api, PATIENCE_S) as connection:
                connection.sendall(http1.render("POST", "/api/v1/compute", b"abc", [("content-length", "1000")]))
                self.assertRegex(http1.closed_by_peer(connection)[:16], rb"^HTTP/1.1 (408|504)")
            until(lambda: node.metrics()["connections_open", "api"] == 0, "the connection is gone")

    def test_half_closed_peers_leave_nothing_behind(self):
        with Node() as node:
            before = proc.fd_count(node.pid)
            for sent in (b"", ECHO[:10], ECHO[:-5], ECHO):
                with self.subTest(sent[:20]), http1.connect(node.api, PATIENCE_S) as connection:
                    connection.sendall(sent)
                    connection.shutdown(socket.SHUT_WR)
                    http1.closed_by_peer(connection)
            until(lambda: node.metrics()["connections_open", "api"] == 0, "every connection is closed")
            until(lambda: proc.fd_count(node.pid) <= before, "every descriptor is closed")


if __name__ == "__main__":
    unittest.main(verbosity=2)
