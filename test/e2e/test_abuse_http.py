"""Peers of the API that are slow, wrong or rude. The node cuts them off, stays small and serves the others."""

import contextlib
import resource
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
    # proves part: NODE-TIME-1 (listeners of a node; the link between nodes has fixed times)
    def test_dripped_heads_are_cut_off_at_the_read_timeout(self):
        with Node(transport__read_timeout=f"{READ_TIMEOUT_S:.0f}s") as node:
            self.assert_cut_off(node, http1.render("GET", "/api/v1/status")[:-2] + b"x-slow: ")
            self.assertGreaterEqual(node.metrics()["io_timeouts_total", "read"], 1)

    def test_a_dripped_body_is_cut_off(self):
        with Node(transport__read_timeout=f"{READ_TIMEOUT_S:.0f}s", api__deadline="2s") as node:
            self.assert_cut_off(node, http1.render("POST", "/api/v1/compute", headers=[("content-length", 100000)]))

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

    # proves part: NODE-TIME-1 (listeners of a node; the link between nodes has fixed times)
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


PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
SETTINGS = b"\0\0\0\x04\0\0\0\0\0"
NO_WINDOW = b"\0\0\x06\x04\0\0\0\0\0" + b"\0\x04\0\0\0\0"  # SETTINGS_INITIAL_WINDOW_SIZE = 0
# GET /metrics at 127.0.0.1 in HPACK: :method GET, :scheme http, :path and :authority as literals.
GET_METRICS = b"\x82\x86\x04\x08/metrics\x01\x09127.0.0.1"
METRICS_CONNECTIONS_MAX = 256


def headers_frame(stream, block, announced=None):
    size = len(block) if announced is None else announced
    return size.to_bytes(3, "big") + b"\x01\x05" + stream.to_bytes(4, "big") + block


class HeldConnections(unittest.TestCase):
    """Peers that begin something on HTTP/2 and leave it at that: one address cannot take the metrics listener."""

    def assert_others_are_served(self, sent):
        with Node(transport__read_timeout="1s", transport__write_timeout="1s") as node, contextlib.ExitStack() as held:
            self.hold(node, held, sent)
            begin = time.monotonic()
            with socket.create_connection(node.metrics_address, PATIENCE_S, source_address=("127.0.0.2", 0)) as other:
                other.sendall(http1.render("GET", "/readyz"))
                self.assertEqual(http1.read_answer(other)[0].status, 200, "to another address")
            self.assertLess(time.monotonic() - begin, PATIENCE_S / 2)
            until(lambda: self.answers(node), "the connections of the same address are let go as well")
            until(lambda: node.metrics()["connections_open", "metrics"] <= 1, "all are closed by the node")

    @staticmethod
    def hold(node, held, sent):
        for _ in range(METRICS_CONNECTIONS_MAX):
            connection = held.enter_context(http1.connect(node.metrics_address, PATIENCE_S))
            with contextlib.suppress(OSError):  # turned away
                connection.sendall(sent)

    @staticmethod
    def answers(node):
        try:
            return node.observe("/readyz").status == 200
        except OSError:
            return False

    def test_half_a_head_takes_no_listener(self):
        self.assert_others_are_served(PREFACE + SETTINGS + headers_frame(1, GET_METRICS[:5], len(GET_METRICS)))

    def test_a_head_without_an_end_takes_no_listener(self):
        unfinished = headers_frame(1, GET_METRICS).replace(b"\x01\x05", b"\x01\x01", 1)  # END_HEADERS is missing
        self.assert_others_are_served(PREFACE + SETTINGS + unfinished)

    def test_a_zero_window_takes_no_listener(self):
        self.assert_others_are_served(PREFACE + NO_WINDOW + headers_frame(1, GET_METRICS))


class ShortOfMemory(unittest.TestCase):
    """A body for which the node finds no memory ends its connection; the node and the others go on."""

    BODY_BYTES = 300 << 20  # more than an arena of malloc holds, so that it cannot be found among what is mapped already
    SLACK_BYTES = 32 << 20

    def test_a_lack_of_memory_ends_one_connection(self):
        limit = "512MiB"
        with Node(api__body_bytes_max=limit, api__decompressed_bytes_max=limit, api__deadline="60s", transport__read_timeout="60s") as node:
            with http1.connect(node.api) as other:
                other.sendall(ECHO)
                self.assertEqual(http1.read_answer(other)[0].body, b"hi")
                mapped = proc.status_bytes(node.pid, "VmSize")
                resource.prlimit(node.pid, resource.RLIMIT_AS, (mapped + self.SLACK_BYTES, resource.RLIM_INFINITY))
                try:
                    self.send_too_much(node)
                finally:
                    with contextlib.suppress(ProcessLookupError):
                        resource.prlimit(node.pid, resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
                self.assertIsNone(node.process.poll(), node.log())
                other.sendall(ECHO)
                self.assertEqual(http1.read_answer(other)[0].body, b"hi")
            node.await_log("closed: std::bad_alloc")
            self.assertEqual(node.terminate(), 0, node.log())

    def send_too_much(self, node):
        with http1.connect(node.api, PATIENCE_S) as connection, contextlib.suppress(OSError):
            connection.sendall(http1.render("POST", "/api/v1/compute", headers=[("content-length", self.BODY_BYTES)]))
            piece = b"a" * (1 << 20)
            for _ in range(self.BODY_BYTES // len(piece)):
                connection.sendall(piece)
            http1.closed_by_peer(connection)


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
