"""An HTTP/1.1 server that answers as a test says, to the byte, and counts what it received."""

import socket
import struct
import threading

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
CLOSE, RESET, KEEP = "close", "reset", "keep"
GIVE_UP_S = 30


class RudeServer:
    """`answer(nth)` is called for the nth request of a connection, counted from 1: (bytes to send, CLOSE, RESET or KEEP)."""

    def __init__(self, answer):
        self._answer = answer
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = self._listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.requests = []  # head of each
        self.connections = 0
        self._lock = threading.Lock()
        self._threads = []
        self._accepting = threading.Thread(target=self._accept, daemon=True)
        self._accepting.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._listener.shutdown(socket.SHUT_RDWR)
        self._accepting.join()
        self._listener.close()
        for thread in self._threads:
            thread.join(GIVE_UP_S)

    def _accept(self):
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            thread = threading.Thread(target=self._serve, args=(connection,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _serve(self, connection):
        connection.settimeout(GIVE_UP_S)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with connection:
            try:
                self._converse(connection)
            except OSError:
                pass

    def _converse(self, connection):
        text, nth = b"", 0
        while True:
            while b"\r\n\r\n" not in text:
                piece = connection.recv(65536)
                if not piece:
                    return
                text += piece
            head, _, text = text.partition(b"\r\n\r\n")
            nth += 1
            with self._lock:
                self.requests.append(head.decode())
            data, then = self._answer(nth)
            connection.sendall(data)
            if then == RESET:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            if then != KEEP:
                return
