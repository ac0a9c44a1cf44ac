"""A small HTTP/1.1 client over a plain socket, for tests that must control every byte."""

import json
import socket

RECEIVE_BYTES = 65536
# Every node of the tests knows it unless a test gives it another (harness/node.py).
TOKEN = "a-token-that-only-the-tests-know"


class Answer:
    def __init__(self, status, headers, body):
        self.status = status
        self.headers = headers
        self.body = body

    def json(self):
        return json.loads(self.body)

    def __repr__(self):
        return f"Answer({self.status}, {self.body[:200]!r})"


class ConnectionEnded(Exception):
    """The peer closed before a whole answer had arrived."""


def json_body(value):
    return json.dumps(value).encode()


def render(method, path, body=b"", headers=()):
    """A request as JSON with the token of the tests; `headers` may hold others of their names, and no line for None."""
    names = {name.lower() for name, _ in headers}
    announced = "content-length" in names or "transfer-encoding" in names
    usual = [("host", "127.0.0.1"), ("authorization", f"Bearer {TOKEN}")]
    if body or announced:
        usual.append(("content-type", "application/json"))
    if (body or method == "POST") and not announced:
        usual.append(("content-length", len(body)))
    sent = [row for row in usual if row[0] not in names] + [row for row in headers if row[1] is not None]
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in sent)]
    return "\r\n".join([*lines, "", ""]).encode() + body


def parse_head(head):
    first, *rest = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in rest if line)}
    return int(first.split(" ")[1]), headers


def read_answer(connection, buffer=b""):
    """One answer and what followed it. `connection` is a connected socket."""
    while b"\r\n\r\n" not in buffer:
        buffer = _more(connection, buffer)
    head, _, buffer = buffer.partition(b"\r\n\r\n")
    status, headers = parse_head(head)
    size = int(headers.get("content-length", 0))
    while len(buffer) < size:
        buffer = _more(connection, buffer)
    return Answer(status, headers, buffer[:size]), buffer[size:]


def _more(connection, buffer):
    received = connection.recv(RECEIVE_BYTES)
    if not received:
        raise ConnectionEnded(f"closed after {len(buffer)} bytes: {buffer[:80]!r}")
    return buffer + received


def connect(address, timeout_s=15.0):
    connection = socket.create_connection(address, timeout_s)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def request(address, method, path, body=b"", headers=(), timeout_s=15.0):
    with connect(address, timeout_s) as connection:
        connection.sendall(render(method, path, body, headers))
        return read_answer(connection)[0]


def closed_by_peer(connection):
    """Reads until the peer closes: what it said before. A timeout of the socket passes through as TimeoutError."""
    said = b""
    try:
        while received := connection.recv(RECEIVE_BYTES):
            said += received
    except ConnectionResetError:
        pass
    return said
