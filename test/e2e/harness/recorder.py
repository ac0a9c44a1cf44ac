"""Python's own HTTP server, for tests about who asked and what for: it keeps each request. Proxy forwards, also by CONNECT."""

import http.client
import http.server
import socket
import threading
import urllib.parse

PIECE_BYTES = 65536


class Seen:
    def __init__(self, client, method, path, headers):
        self.client = client
        self.method = method
        self.path = path
        self.headers = headers

    def __repr__(self):
        return f"{self.method} {self.path} from {self.client}"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_):
        pass

    def _keep(self):
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.seen.append(Seen(self.client_address[0], self.command, self.path, headers))

    def do_GET(self):
        self._keep()
        self.answer(200, b"seen\n", [("Set-Cookie", "session=1")] if self.path == "/set" else [])

    def answer(self, status, body, headers=()):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class ProxyHandler(Handler):
    def do_GET(self):
        self._keep()
        parts = urllib.parse.urlsplit(self.path)
        connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=15)
        connection.request("GET", parts.path or "/", headers={"Host": self.headers["Host"]})
        answer = connection.getresponse()
        self.answer(answer.status, answer.read())
        connection.close()

    def do_CONNECT(self):
        self._keep()
        host, _, port = self.path.rpartition(":")
        with socket.create_connection((host, int(port)), 15) as beyond:
            self.send_response(200)
            self.end_headers()
            back = threading.Thread(target=pump, args=(beyond, self.connection), daemon=True)
            back.start()
            pump(self.connection, beyond)
            back.join(15)
        self.close_connection = True


def pump(source, sink):
    try:
        while received := source.recv(PIECE_BYTES):
            sink.sendall(received)
    except OSError:
        pass
    for end in (source, sink):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


class Recorder:
    """A server on a free port. `seen` has its requests in the order of their arrival."""

    handler = Handler

    def __init__(self):
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self.handler)
        self._server.daemon_threads = True
        self._server.request_queue_size = 128
        self._server.seen = self.seen = []
        self.port = self._server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()


class Proxy(Recorder):
    handler = ProxyHandler


class AnsweringHandler(Handler):
    def do_GET(self):
        self._keep()
        status, headers, body = self.server.answers(self)
        self.answer(status, body, headers)

    def setup(self):
        super().setup()
        with self.server.lock:
            self.server.open_now += 1
            self.server.opened += 1
            self.server.open_most = max(self.server.open_most, self.server.open_now)

    def finish(self):
        super().finish()
        with self.server.lock:
            self.server.open_now -= 1


class Answering(Recorder):
    """Answers by `answers(handler)`, which gives status, headers and body; counts connections. On an address and port of one's choice."""

    handler = AnsweringHandler

    def __init__(self, answers, address="127.0.0.1", port=0, tls=None):
        self._server = http.server.ThreadingHTTPServer((address, port), self.handler)
        self._server.daemon_threads = True
        self._server.request_queue_size = 128
        self._server.seen = self.seen = []
        self._server.answers = answers
        self._server.lock = threading.Lock()
        self._server.open_now = self._server.open_most = self._server.opened = 0
        if tls is not None:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)
        self.port = self._server.server_address[1]
        self.url = f"http{'s' if tls else ''}://{address}:{self.port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    @property
    def opened(self):
        return self._server.opened

    @property
    def open_most(self):
        return self._server.open_most
