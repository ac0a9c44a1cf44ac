"""Client of the framed transport (docs/formats/frame.md). As a program: frames.py HOST:PORT METHOD TEXT"""

import socket
import struct
import sys

REQUEST, RESPONSE, ERROR, PING, PONG, GO_AWAY = range(1, 7)
BUSY, TIMEOUT, UNAVAILABLE, INVALID_ARGUMENT, NOT_FOUND, TOO_LARGE, PROTOCOL = 1, 2, 8, 9, 11, 13, 14
VERSION = 1
HEADER_BYTES = 20
LENGTH_OF_NO_PAYLOAD = 16
CASTAGNOLI_REVERSED = 0x82F63B78


def _table():
    for value in range(256):
        for _ in range(8):
            value = (value >> 1) ^ (CASTAGNOLI_REVERSED if value & 1 else 0)
        yield value


_TABLE = tuple(_table())


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = _TABLE[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    return crc ^ 0xFFFFFFFF


class Frame:
    def __init__(self, kind, code, correlation, payload):
        self.kind = kind
        self.code = code
        self.correlation = correlation
        self.payload = payload

    def __repr__(self):
        return f"Frame(kind={self.kind}, code={self.code}, correlation={self.correlation}, {self.payload[:80]!r})"


def encode(kind, correlation, payload=b"", code=0):
    covered = struct.pack(">BBHQ", VERSION, kind, code, correlation)
    return struct.pack(">I", LENGTH_OF_NO_PAYLOAD + len(payload)) + covered + struct.pack(">I", crc32c(covered + payload)) + payload


def encode_request(correlation, method, body=b""):
    return encode(REQUEST, correlation, bytes([len(method)]) + method.encode() + body)


def decode(data):
    """First whole frame in data and the rest; None while there is none."""
    if len(data) < HEADER_BYTES:
        return None, data
    length, version, kind, code, correlation, checksum = struct.unpack_from(">IBBHQI", data)
    end = 4 + length
    if len(data) < end:
        return None, data
    payload = data[HEADER_BYTES:end]
    if version != VERSION or checksum != crc32c(data[4:16] + payload):
        raise AssertionError(f"the node sent a damaged frame: {data[:end]!r}")
    return Frame(kind, code, correlation, payload), data[end:]


class Client:
    def __init__(self, address, timeout_s=15.0):
        self.socket = socket.create_connection(address, timeout_s)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._buffer = b""
        self._correlation = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data)

    def receive(self):
        """The next frame; None when the node has closed."""
        while True:
            frame, self._buffer = decode(self._buffer)
            if frame:
                return frame
            try:
                received = self.socket.recv(65536)
            except ConnectionResetError:
                return None
            if not received:
                return None
            self._buffer += received

    def call(self, method, body=b""):
        self._correlation += 1
        self.send(encode_request(self._correlation, method, body))
        answer = self.receive()
        if answer is None or answer.correlation != self._correlation:
            raise AssertionError(f"no answer to request {self._correlation}: {answer}")
        return answer


def main(arguments):
    if len(arguments) != 3:
        print("usage: frames.py HOST:PORT METHOD TEXT", file=sys.stderr)
        return 2
    host, _, port = arguments[0].rpartition(":")
    with Client((host, int(port))) as client:
        answer = client.call(arguments[1], arguments[2].encode())
    print(answer.payload.decode(errors="replace"))
    return 0 if answer.kind == RESPONSE else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
