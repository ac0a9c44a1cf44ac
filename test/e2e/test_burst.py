"""Ten thousand connections at once: each is counted, none is left behind, and the node serves on."""

import resource
import selectors
import socket
import time
import unittest

from harness import figures, frames, proc
from harness.node import Node
from harness.waiting import until

ATTEMPTS = 10_000
# Open at the same time: the rest of the client's descriptors are for itself.
AT_ONCE_MAX = 5_000
GIVE_UP_S = 60.0


def allow_descriptors():
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


class Burst:
    """Opens connections as fast as it can and keeps those that the node keeps, up to a limit."""

    def __init__(self, address, at_once):
        self._address = address
        self._at_once = at_once
        self._selector = selectors.DefaultSelector()
        self._held = []
        self.connected = 0
        self.failed = 0

    def run(self):
        for _ in range(ATTEMPTS):
            self._open_one()
            if len(self._held) >= self._at_once:
                self._held.pop(0).close()
        deadline = time.monotonic() + GIVE_UP_S
        while self._selector.get_map() and time.monotonic() < deadline:
            self._collect(0.1)
        for connection in self._held:
            connection.close()

    def _open_one(self):
        connection = socket.socket()
        connection.setblocking(False)
        connection.connect_ex(self._address)
        self._selector.register(connection, selectors.EVENT_WRITE)
        self._collect(0)
        while len(self._selector.get_map()) > 500:
            self._collect(0.1)

    def _collect(self, timeout_s):
        for key, _ in self._selector.select(timeout_s):
            self._selector.unregister(key.fileobj)
            if key.fileobj.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) == 0:
                self.connected += 1
                self._held.append(key.fileobj)
            else:
                self.failed += 1
                key.fileobj.close()


class TenThousand(unittest.TestCase):
    def setUp(self):
        self.at_once = min(AT_ONCE_MAX, allow_descriptors() - 500)

    def test_against_the_api(self):
        with Node() as node:
            self.burst(node, node.api, "api")
            self.assertEqual(node.compute(job="echo", data="x").status, 200)

    def test_against_the_transport(self):
        with Node() as node:
            self.burst(node, node.transport, "transport")
            with frames.Client(node.transport) as client:
                self.assertEqual(client.call("echo", b"x").payload, b"x")

    def burst(self, node, address, listener):
        descriptors = proc.fd_count(node.pid)
        counted = lambda: (node.metrics()["connections_accepted_total", listener], node.metrics()["connections_refused_total"])
        burst = Burst(address, self.at_once)
        burst.run()
        self.assertEqual(burst.connected + burst.failed, ATTEMPTS)
        self.assertEqual(burst.failed, 0, "the kernel refused connections: the node did not accept fast enough")
        until(lambda: node.metrics()["connections_open", listener] == 0, "every connection is closed", GIVE_UP_S)
        until(lambda: sum(counted()) >= ATTEMPTS, f"all are counted: {counted()}")
        accepted, refused = counted()
        figures.record(
            f"burst-{listener}", "accepted + refused = attempted",
            {"attempted": ATTEMPTS, "accepted": f"{accepted:.0f}", "refused": f"{refused:.0f}"},
        )
        self.assertEqual(accepted + refused, ATTEMPTS, f"accepted {accepted}, refused {refused}")
        self.assertGreater(refused, 0, "more were let in than max_conns and the accept rate allow")
        # The scrapes themselves hold a descriptor for a moment.
        until(lambda: proc.fd_count(node.pid) <= descriptors + 1, "no descriptor is left behind", GIVE_UP_S)
        self.assertEqual(node.observe("/healthz").status, 200)
        # The bucket of this address is empty at first.
        until(lambda: self.is_let_in(address), "connections are let in again")

    @staticmethod
    def is_let_in(address):
        with socket.create_connection(address, 5) as connection:
            connection.settimeout(0.2)
            try:
                connection.recv(1)
                return False
            except TimeoutError:
                return True
            except OSError:
                return False


if __name__ == "__main__":
    unittest.main(verbosity=2)
