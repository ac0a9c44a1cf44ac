"""Small servers on loopback for pings: TCP services with a script, and a name server."""

import socket
import struct
import threading

A, MX = 1, 15


class Service:
    """Accepts connections on a free port and gives each to `script(connection)`; keeps the lines it received."""

    def __init__(self, script, address="127.0.0.1"):
        self._listener = socket.create_server((address, 0))
        self.port = self._listener.getsockname()[1]
        self.received = []
        self._script = script
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._listener.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._listener.close()

    def _serve(self):
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            with connection:
                connection.settimeout(15)
                try:
                    self._script(connection)
                    self._keep_until_closed(connection)
                except OSError:
                    pass

    def _keep_until_closed(self, connection):
        text = b""
        while chunk := connection.recv(1024):
            text += chunk
            if text.endswith(b"QUIT\r\n"):
                self.received.append("QUIT")
                connection.sendall(b"221 bye\r\n")
                return


def free_port():
    """A port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def _name(text):
    labels = [label.encode() for label in text.split(".") if label]
    return b"".join(bytes([len(label)]) + label for label in labels) + b"\0"


class NameServer:
    """DNS over UDP from a table {(name, type): [data]}: an address for A, (preference, name) for MX."""

    def __init__(self, records):
        self._records = records
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self.address = "127.0.0.1:%d" % self._socket.getsockname()[1]
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as last:
            last.sendto(b"", self._socket.getsockname())
        self._thread.join()
        self._socket.close()

    def _serve(self):
        while True:
            packet, sender = self._socket.recvfrom(512)
            if not packet:
                return
            self._socket.sendto(self._answer(packet), sender)

    def _answer(self, packet):
        labels, at = [], 12
        while packet[at]:
            labels.append(packet[at + 1:at + 1 + packet[at]].decode().lower())
            at += packet[at] + 1
        name = ".".join(labels)
        (kind,) = struct.unpack_from("!H", packet, at + 1)
        found = self._records.get((name, kind), [])
        exists = any(known == name for known, _ in self._records)
        answer = b""
        for value in found:
            data = socket.inet_aton(value) if kind == A else struct.pack("!H", value[0]) + _name(value[1])
            answer += _name(name) + struct.pack("!HHIH", kind, 1, 60, len(data)) + data
        head = packet[:2] + struct.pack("!HHHHH", 0x8180 | (0 if exists else 3), 1, len(found), 0, 0)
        return head + packet[12:at + 5] + answer
