"""Servers that keep books of a run: requests read whole, answers written whole, and whose bytes all bytes were, above TLS."""

import collections
import socket
import ssl
import struct
import threading
import time

from .counting import (
    ACK, CONTINUATION, DATA, END_HEADERS, END_STREAM, GOAWAY, HEADERS, PREFACE, REFUSED_STREAM, RST_STREAM, SETTINGS, WINDOW_UPDATE,
    CountingServer, frame,
)

BODY = b"b" * 700
INTERNAL_ERROR = 2
LARGE_WINDOW = 1 << 28

# What is done about a request.
ANSWER, REDIRECT, INTERIM, RESET, REFUSE, HALF, LEAVE, LAST, HOLD = range(9)
# answered: with a status; with 302; with 103 before 200; its connection (HTTP/2: stream) is reset; given back; the answer ends half
# way, with the connection; the connection ends without an answer; answered as the last one of its connection; never answered


class Books(CountingServer):
    """`plan(number)` says for each request of the server, counted from 0, what to do about it, and the status of an answer."""

    def __init__(self, plan, tls=None, delay_s=0):
        self._plan = plan
        self._delay_s = delay_s
        self._order = threading.Lock()
        self.requests = 0
        self.done = collections.Counter()  # requests by what was done about them
        self.ignored = 0  # came after the last one of their connection
        self.statuses = collections.Counter()  # of answers that were written whole
        self.of_requests = self.of_answers = 0  # bytes
        self.frames_read = self.frames_written = 0  # bytes that belong to no request
        self.request_bytes_max = 0
        super().__init__(tls)

    def next(self):
        with self._order:
            number = self.requests
            self.requests += 1
            what, status = self._plan(number)
            self.done[what] += 1
        if self._delay_s:
            time.sleep(self._delay_s)
        return what, status

    def ignore(self):
        with self._order:
            self.requests += 1
            self.ignored += 1

    def wrote(self, status):
        with self._order:
            self.statuses[str(status)] += 1

    @staticmethod
    def end_writing(connection):
        """The peer reads the end, this side reads on. Past TLS: its own shutdown would end reading in clear text too."""
        try:
            socket.socket.shutdown(connection, socket.SHUT_WR)
        except OSError:
            pass

    @staticmethod
    def reset(connection):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        if isinstance(connection, ssl.SSLSocket):
            connection = socket.socket(fileno=connection.detach())
        connection.close()


class Http1Books(Books):
    def handle(self, connection):
        buffered, over = b"", False
        while part := self.receive(connection):
            self.add(of_requests=len(part))
            buffered += part
            while (size := self._size(buffered)) is not None:
                buffered = buffered[size:]
                self.request_bytes_max = max(self.request_bytes_max, size)
                if over:
                    self.ignore()
                    continue
                what, status = self.next()
                if what == RESET:
                    return self.reset(connection)
                over = self._respond(connection, what, status)

    @staticmethod
    def _size(buffered):
        end = buffered.find(b"\r\n\r\n")
        if end < 0:
            return None
        size = end + 4
        for line in buffered[:end].lower().split(b"\r\n"):
            if line.startswith(b"content-length:"):
                size += int(line.split(b":")[1])
        return size if len(buffered) >= size else None

    def _respond(self, connection, what, status):
        """Whether it was the last one of the connection."""
        if what == HOLD:
            return False
        if what == LEAVE:
            self.end_writing(connection)
            return True
        text = b""
        if what == INTERIM:
            text = b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n"
        more = b""
        if what == REDIRECT:
            status, more = 302, b"Location: /next\r\n"
        if what == LAST:
            more = b"Connection: close\r\n"
        body = BODY if status == 200 else b""
        text += b"HTTP/1.1 %d Said\r\n%b" % (status, more)
        if what == ANSWER and status == 200 and self.requests % 2:
            text += b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)
        else:
            text += b"Content-Length: %d\r\n\r\n" % len(body) + (body[:100] if what == HALF else body)
        self.add(of_answers=len(text))
        self.send(connection, text)
        if what != HALF:
            self.wrote(status)
        if what in (HALF, LAST):
            self.end_writing(connection)
            return True
        return False


class Http2Books(Books):
    def handle(self, connection):
        self._say(connection, frame(SETTINGS, 0, 0) + frame(WINDOW_UPDATE, 0, 0, struct.pack(">I", LARGE_WINDOW)))
        buffered, begun, over = b"", False, False
        sizes = collections.Counter()  # of open requests
        while part := self.receive(connection):
            buffered += part
            if not begun:
                if len(buffered) < len(PREFACE):
                    continue
                assert buffered.startswith(PREFACE)
                self.add(frames_read=len(PREFACE))
                buffered, begun = buffered[len(PREFACE):], True
            while len(buffered) >= 9 and len(buffered) >= (size := 9 + int.from_bytes(buffered[:3], "big")):
                kind, flags, stream = buffered[3], buffered[4], int.from_bytes(buffered[5:9], "big")
                buffered = buffered[size:]
                if kind == SETTINGS and not flags & ACK:
                    self._say(connection, frame(SETTINGS, ACK, 0))
                if kind not in (DATA, HEADERS, CONTINUATION):
                    self.add(frames_read=size)
                    continue
                self.add(of_requests=size)
                sizes[stream] += size
                if kind == CONTINUATION or not flags & END_STREAM:
                    continue
                self.request_bytes_max = max(self.request_bytes_max, sizes.pop(stream))
                if over:
                    self.ignore()
                else:
                    over = self._respond(connection, stream, *self.next())

    def _say(self, connection, frames):
        self.add(frames_written=len(frames))
        self.send(connection, frames)

    def _respond(self, connection, stream, what, status):
        """Whether it was the last one of the connection."""
        if what == HOLD:
            return False
        if what == LEAVE:
            self.end_writing(connection)
            return True
        if what in (RESET, REFUSE):
            code = REFUSED_STREAM if what == REFUSE else INTERNAL_ERROR
            self._say(connection, frame(RST_STREAM, 0, stream, struct.pack(">I", code)))
            return False
        more = b""
        if what == REDIRECT:
            status, more = 302, b"\x0f\x1f\x05/next"
        body = BODY if status == 200 else b""
        frames = b""
        if what == INTERIM:
            frames = frame(HEADERS, END_HEADERS, stream, self._status(103))
        frames += frame(HEADERS, END_HEADERS | (0 if body else END_STREAM), stream, self._status(status) + more)
        if what == HALF:
            frames += frame(DATA, 0, stream, BODY[:100])
        elif body:
            frames += frame(DATA, END_STREAM, stream, body)
        # With its answer in one piece: after the last answer of a run nothing is read any more.
        goodbye = frame(GOAWAY, 0, 0, struct.pack(">II", stream, 0)) if what == LAST else b""
        self.add(of_answers=len(frames), frames_written=len(goodbye))
        self.send(connection, frames + goodbye)
        if what == HALF:
            self.end_writing(connection)
        else:
            self.wrote(status)
        return what in (HALF, LAST)

    @staticmethod
    def _status(status):
        return b"\x08\x03%d" % status
