"""HTTP/2 of a run against servers that count: bytes and connections are those that the server saw, repeats are bounded."""

import json
import re
import struct
import tempfile
import threading
import unittest

from harness.certificates import Authority
from harness.counting import (
    END_HEADERS, END_STREAM, GOAWAY, HEADERS, REFUSED_STREAM, RST_STREAM, STATUS_200, Http2Server, LateReader, Tunnel, frame,
    tls_context,
)
from harness.runs import LoadRun, Target, run
from harness.waiting import until

LARGE_WINDOWS = struct.pack(">HI", 4, 1 << 24)


def goaway(last, code=0):
    return frame(GOAWAY, 0, 0, struct.pack(">II", last, code))


class GoesAwayAtOnce(Http2Server):
    """Processes nothing: every request is given back."""

    def answer(self, stream, _answered):
        return goaway(0)


class GoesAwayNowAndThen(Http2Server):
    """Ten answers per connection; what comes behind them is left out."""

    def answer(self, stream, answered):
        if answered < 9:
            return super().answer(stream, answered)
        return super().answer(stream, answered) + goaway(stream) if answered == 9 else b""


class RefusesTheFirst(Http2Server):
    """Every other request is refused; its repeat is answered."""

    def answer(self, stream, answered):
        if answered % 2 == 0:
            return frame(RST_STREAM, 0, stream, struct.pack(">I", REFUSED_STREAM))
        return super().answer(stream, answered)


class DrainsSlowly(Http2Server):
    """Says GOAWAY on its first connection and answers the one request it kept when another connection was answered."""

    def __init__(self):
        self._first = None
        self._elsewhere = threading.Event()
        super().__init__()

    def handle(self, connection):
        if self._first is None:
            self._first = connection
        super().handle(connection)

    def answer(self, stream, answered):
        if self.connections > 1:
            self._elsewhere.set()
            return super().answer(stream, answered)
        if answered == 0:
            return b""
        threading.Thread(target=self._answer_late, daemon=True).start()
        return goaway(1)

    def _answer_late(self):
        if self._elsewhere.wait(10):
            self.send(self._first, super().answer(1, 0))


class SingleBytes(Http2Server):
    """A header block of forty bytes and more, a frame for each."""

    def answer(self, stream, _answered):
        block = STATUS_200 + b"\x00\x01k\x28" + b"v" * 40
        frames = frame(HEADERS, END_STREAM, stream)
        for i in range(len(block)):
            frames += frame(9, END_HEADERS if i + 1 == len(block) else 0, stream, block[i : i + 1])
        return frames


class Counted(unittest.TestCase):
    def agrees(self, server, ended):
        """Each byte that the server read is of a request or of a connection, and the result has them all."""
        server.await_end()
        frames = ended.totals["connection_frames"]
        self.assertEqual(ended.totals["bytes_sent"], server.of_requests, ended)
        self.assertEqual(frames["bytes_sent"], server.of_connection, ended)
        self.assertEqual(ended.totals["bytes_sent"] + frames["bytes_sent"], server.read, ended)
        self.assertEqual(ended.totals["bytes_received"] + frames["bytes_received"], server.written, ended)
        self.assertEqual(ended.totals["connections_opened"], server.connections, ended)
        self.assertEqual(ended.totals["requests"] + ended.totals["resent"], server.heads, ended)


class Bytes(Counted):
    def test_gets(self):
        with Http2Server() as server:
            ended = run("-n", "600", "-c", "3", "--http2", "--streams", "4", server.url + "/a?b=c")
            self.assertEqual((ended.code, ended.totals["requests"], ended.totals["errors"]), (0, 600, 0), ended)
            self.agrees(server, ended)

    def test_uploads(self):
        with Http2Server() as server:
            server.settings = LARGE_WINDOWS
            ended = run("-n", "60", "-c", "2", "--http2", "--streams", "3", "--body", "x" * 50_000, server.url)
            self.assertEqual((ended.code, ended.totals["requests"], ended.totals["errors"]), (0, 60, 0), ended)
            self.assertGreater(server.of_requests, 60 * 50_000)
            self.agrees(server, ended)

    def test_an_upload_that_is_cut(self):
        with Http2Server() as server:
            server.connection_window = 0
            ended = run("-n", "2", "-c", "1", "--http2", "--timeout", "300ms", "--body", "x" * 100_000, server.url)
            self.assertEqual(ended.totals["errors"], 2, ended)
            self.agrees(server, ended)

    def test_an_upload_over_http1_that_is_cut(self):
        for loop in ("epoll", "io_uring"):
            with self.subTest(loop=loop), LateReader() as server, tempfile.NamedTemporaryFile("w") as body:
                body.write("x" * 8_000_000)
                body.flush()
                ended = run("-n", "1", "-c", "1", "--timeout", "500ms", "-m", "POST", "--body-file", body.name, "--loop", loop, server.url)
                server.read_all()
                self.assertEqual(ended.totals["outcomes"], {"first_byte_timeout": 1}, ended)
                self.assertLess(server.read, 8_000_000)
                self.assertEqual(ended.totals["bytes_sent"], server.read, ended)
                self.assertEqual(ended.totals["connection_frames"], {"bytes_sent": 0, "bytes_received": 0})


    def test_a_tunnel_belongs_to_the_connection(self):
        with Target("--tls") as target, Tunnel() as proxy:
            ended = run("-n", "20", "-c", "2", "-k", "--http1", "--proxy", proxy.url, target.url + "/")
            self.assertEqual((ended.code, ended.totals["requests"], ended.totals["errors"]), (0, 20, 0), ended)
            proxy.await_end()
            self.assertEqual(ended.totals["connection_frames"], {"bytes_sent": proxy.heads, "bytes_received": proxy.replies})


class Repeats(Counted):
    def test_goaway_makes_no_storm_of_connections(self):
        with GoesAwayAtOnce() as server:
            ended = run("-c", "1", "-d", "2s", "--http2", "--timeout", "3s", server.url)
            self.agrees(server, ended)
            self.assertEqual(ended.code, 1, ended)
            self.assertEqual(set(ended.totals["outcomes"]) - {"cut"}, {"closed"}, ended)
            closed = ended.totals["outcomes"]["closed"]
            self.assertGreaterEqual(ended.totals["resent"], 3 * closed)
            self.assertLess(server.connections, 60)
            self.assertIn("gave the request back 4 times", ended.out)

    def test_requests_that_goaway_left_out_are_sent_again(self):
        with GoesAwayNowAndThen() as server:
            ended = run("-n", "200", "-c", "2", "--http2", "--streams", "4", server.url)
            self.assertEqual((ended.code, ended.totals["requests"], ended.totals["errors"]), (0, 200, 0), ended)
            self.assertGreater(ended.totals["resent"], 0)
            self.agrees(server, ended)

    def test_a_draining_connection_holds_nothing_up(self):
        with DrainsSlowly() as server:
            ended = run("-n", "2", "-c", "1", "--http2", "--streams", "2", "--timeout", "3s", server.url)
            self.assertEqual((ended.code, ended.totals["requests"], ended.totals["errors"]), (0, 2, 0), ended)
            self.assertEqual((ended.totals["resent"], ended.totals["connections_opened"]), (1, 2), ended)
            self.agrees(server, ended)

    def test_refused_streams_are_sent_again(self):
        with RefusesTheFirst() as server:
            ended = run("-n", "10", "-c", "1", "--http2", server.url)
            self.assertEqual((ended.code, ended.totals["requests"], ended.totals["errors"]), (0, 10, 0), ended)
            self.assertEqual((ended.totals["resent"], ended.totals["connections_opened"]), (10, 1), ended)
            self.agrees(server, ended)

    def test_header_blocks_in_single_bytes_are_read(self):
        with SingleBytes() as server:
            ended = run("-n", "20", "-c", "1", "--http2", server.url)
            self.assertEqual((ended.code, ended.totals["statuses"]), (0, {"200": 20}), ended)
            self.agrees(server, ended)


class Spoken(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        authority = Authority(folder.name, "Known")
        cls.ca = authority.cert
        cls.pair = authority.issue("localhost", "DNS:localhost,IP:127.0.0.1")

    def test_the_version_by_alpn_is_everywhere(self):
        with Http2Server(tls_context(self.pair, "h2")) as server, tempfile.NamedTemporaryFile() as page, tempfile.NamedTemporaryFile() as lines:
            with LoadRun("-c", "2", "-d", "2s", "--think-time", "20ms", "--cacert", self.ca, server.url,
                         "--out", f"html={page.name}", "--out", f"jsonl={lines.name}") as load:
                until(lambda: '"http_version":"HTTP/2"' in load.ctl("status").out.replace(" ", ""), "ctl status has the version")
                ended = load.wait()
            self.assertEqual(ended.code, 0, ended)
            self.assertEqual(ended.result["protocol"], "HTTPS/2")
            self.assertEqual(ended.totals["http_versions"], {"HTTP/2": 2})
            self.assertRegex(ended.out, "(?m)  HTTPS/2  ")
            with open(lines.name) as file:
                self.assertEqual(json.loads(file.readlines()[-1])["http_version"], "HTTP/2")
            with open(page.name) as file:
                self.assertTrue(re.search("HTTPS/2", file.read()))
            server.await_end()
            self.assertEqual(ended.totals["bytes_sent"], server.of_requests)
            self.assertEqual(ended.totals["connection_frames"]["bytes_sent"], server.of_connection)


if __name__ == "__main__":
    unittest.main(verbosity=2)
