"""Servers that count: every byte that they read and write, above TLS, and of HTTP/2 which of them belong to requests."""

import socket
import ssl
import struct
import threading

from .waiting import until

DATA, HEADERS, RST_STREAM, SETTINGS, GOAWAY, WINDOW_UPDATE, CONTINUATION = 0, 1, 3, 4, 7, 8, 9
END_STREAM, END_HEADERS, ACK = 1, 4, 1
REFUSED_STREAM = 7
STATUS_200 = b"\x88"
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes((kind, flags)) + struct.pack(">I", stream) + payload


def tls_context(pair, *protocols):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*pair)
    context.set_alpn_protocols(list(protocols))
    return context


class CountingServer:
    """Serves connections by threads until it is closed. handle() has to read to the end."""

    def __init__(self, tls=None):
        self._tls = tls
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
        self.port = self._listener.getsockname()[1]
        self.url = f"{'https' if tls else 'http'}://127.0.0.1:{self.port}"
        self._lock = threading.Lock()
        self._open = 0
        self.connections = self.read = self.written = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._listener.close()

    def await_end(self):
        until(lambda: self._open == 0, "all connections have ended")

    def add(self, **counts):
        with self._lock:
            for name, count in counts.items():
                setattr(self, name, getattr(self, name) + count)

    def receive(self, connection):
        try:
            part = connection.recv(1 << 16)
        except OSError:
            part = b""
        self.add(read=len(part))
        return part

    def send(self, connection, message):
        try:
            connection.sendall(message)
        except OSError:
            return
        self.add(written=len(message))

    def _accept(self):
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.add(connections=1, _open=1)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        try:
            with connection:
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                if not self._tls:
                    return self.handle(connection)
                with self._tls.wrap_socket(connection, server_side=True) as secure:
                    self.handle(secure)
        except OSError:
            pass
        finally:
            self.add(_open=-1)


class Http2Server(CountingServer):
    """Answers each request with 200 and no body when it has come whole. `heads` counts requests that were written."""

    settings = b""
    connection_window = 1 << 28

    def __init__(self, tls=None):
        self.heads = self.of_requests = self.of_connection = 0
        super().__init__(tls)

    def handle(self, connection):
        greeting = frame(SETTINGS, 0, 0, self.settings)
        if self.connection_window:
            greeting += frame(WINDOW_UPDATE, 0, 0, struct.pack(">I", self.connection_window))
        self.send(connection, greeting)
        buffered, begun, answered = b"", False, 0
        while part := self.receive(connection):
            buffered += part
            if not begun:
                if len(buffered) < len(PREFACE):
                    continue
                assert buffered.startswith(PREFACE)
                self.add(of_connection=len(PREFACE))
                buffered, begun = buffered[len(PREFACE):], True
            reply = b""
            while len(buffered) >= 9:
                size = 9 + int.from_bytes(buffered[:3], "big")
                if len(buffered) < size:
                    break
                kind, flags, stream = buffered[3], buffered[4], int.from_bytes(buffered[5:9], "big")
                buffered = buffered[size:]
                if kind in (DATA, HEADERS, CONTINUATION):
                    self.add(of_requests=size, heads=1 if kind == HEADERS else 0)
                else:
                    self.add(of_connection=size)
                if kind == SETTINGS and not flags & ACK:
                    reply += frame(SETTINGS, ACK, 0)
                if kind in (DATA, HEADERS) and flags & END_STREAM:
                    reply += self.answer(stream, answered)
                    answered += 1
            if reply:
                self.send(connection, reply)

    def answer(self, stream, _answered):
        return frame(HEADERS, END_STREAM | END_HEADERS, stream, STATUS_200)


class LateReader(CountingServer):
    """Reads nothing until it is told to, then all that had come."""

    def __init__(self):
        self._may_read = threading.Event()
        super().__init__()

    def handle(self, connection):
        self._may_read.wait(20)
        while self.receive(connection):
            pass

    def read_all(self):
        self._may_read.set()
        self.await_end()


class Tunnel(CountingServer):
    """A proxy for CONNECT to 127.0.0.1. `heads` and `replies` count the bytes before the tunnel."""

    REPLY = b"HTTP/1.1 200 Go ahead\r\nVia: test\r\n\r\n"

    def __init__(self):
        self.heads = self.replies = 0
        super().__init__()

    def handle(self, connection):
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            part = connection.recv(1)
            if not part:
                return
            head += part
        port = int(head.split()[1].rsplit(b":", 1)[1])
        with socket.create_connection(("127.0.0.1", port)) as target:
            self.add(heads=len(head), replies=len(self.REPLY))
            connection.sendall(self.REPLY)
            back = threading.Thread(target=self._pump, args=(target, connection), daemon=True)
            back.start()
            self._pump(connection, target)
            back.join(5)

    @staticmethod
    def _pump(source, sink):
        try:
            while part := source.recv(1 << 16):
                sink.sendall(part)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass
