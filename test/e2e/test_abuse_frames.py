"""Peers of the framed transport that are slow, wrong or rude."""

import os
import socket
import struct
import time
import unittest

from harness import frames, http1, proc
from harness.node import Node
from harness.waiting import until

PATIENCE_S = 10.0
MIB = 1 << 20
MEMORY_NOISE_BYTES = 2 * MIB


def damaged(change):
    whole = bytearray(frames.encode_request(7, "echo", b"hi"))
    change(whole)
    return bytes(whole)


def set_byte(offset, value):
    def change(data):
        data[offset] = value

    return change


class Splitting(unittest.TestCase):
    def test_a_frame_in_single_bytes_is_answered_once(self):
        with Node() as node, frames.Client(node.transport) as client:
            for byte in frames.encode_request(42, "echo", b"byte by byte"):
                client.send(bytes([byte]))
            answer = client.receive()
            self.assertEqual((answer.kind, answer.correlation, answer.payload), (frames.RESPONSE, 42, b"byte by byte"))
            client.send(frames.encode(frames.PING, 43, b"still in step"))
            pong = client.receive()
            self.assertEqual((pong.kind, pong.correlation, pong.payload), (frames.PONG, 43, b"still in step"))

    def test_many_frames_in_one_write_are_all_answered(self):
        with Node(facets__compute=1000) as node, frames.Client(node.transport) as client:
            client.send(b"".join(frames.encode_request(number, "echo", b"x" * number) for number in range(1, 51)))
            answers = {answer.correlation: answer for answer in (client.receive() for _ in range(50))}
            self.assertEqual({c: a.payload for c, a in answers.items()}, {n: b"x" * n for n in range(1, 51)})

    # proves part: NODE-IO-1 (what a node accepts; not: what it reads as the client of another)
    def test_a_frame_of_the_largest_size_is_answered(self):
        with Node() as node, frames.Client(node.transport) as client:
            body = b"z" * (MIB - 16 - len("\x04echo"))
            self.assertEqual(len(client.call("echo", body).payload), len(body))


class Refusals(unittest.TestCase):
    # proves part: NODE-IO-1 (what a node accepts; not: what it reads as the client of another)
    def test_an_announced_2_mib_is_refused_before_memory_is_set_aside(self):
        with Node() as node:
            with frames.Client(node.transport) as client:
                client.call("echo", b"warm")
            before = proc.rss_bytes(node.pid)
            for _ in range(200):
                with frames.Client(node.transport) as client:
                    client.send(struct.pack(">I", 2 * MIB))
                    self.assert_refused(client, frames.TOO_LARGE)
            self.assertLess(proc.rss_bytes(node.pid) - before, MEMORY_NOISE_BYTES)
            self.assertEqual(node.metrics()["io_errors_total", "frame"], 200)

    def assert_refused(self, client, code):
        answer = client.receive()
        self.assertIsNotNone(answer, "closed without a word")
        self.assertEqual((answer.kind, answer.code), (frames.ERROR, code), answer)
        self.assertIsNone(client.receive(), "the connection is to be closed")

    def test_damaged_frames_are_refused(self):
        cases = {
            "length too small": damaged(lambda d: d.__setitem__(slice(0, 4), struct.pack(">I", 15))),
            "length one short": damaged(lambda d: d.__setitem__(slice(0, 4), struct.pack(">I", len(d) - 5))),
            "version": damaged(set_byte(4, 2)),
            "type": damaged(set_byte(5, 99)),
            "code": damaged(set_byte(7, 1)),
            "checksum": damaged(set_byte(16, 0)),
            "payload": damaged(set_byte(22, 0)),
            "text": b"GET / HTTP/1.1\r\nhost: x\r\n\r\n",
        }
        with Node() as node:
            for name, data in cases.items():
                with self.subTest(name), frames.Client(node.transport, PATIENCE_S) as client:
                    client.send(data)
                    self.assert_refused(client, frames.TOO_LARGE if name == "text" else frames.PROTOCOL)
            until(lambda: node.metrics()["connections_open", "transport"] == 0, "every connection is closed")

    def test_a_wrong_payload_in_a_sound_frame_does_not_end_the_connection(self):
        with Node() as node, frames.Client(node.transport) as client:
            client.send(frames.encode(frames.REQUEST, 5, b"\xffshort"))
            answer = client.receive()
            self.assertEqual((answer.kind, answer.code, answer.correlation), (frames.ERROR, frames.PROTOCOL, 5))
            self.assertEqual(client.call("echo", b"on").payload, b"on")

    # proves part: NODE-IO-1 (what a node accepts; not: what it reads as the client of another)
    def test_an_unfinished_frame_is_cut_off_at_the_read_timeout(self):
        with Node(transport__read_timeout="1s") as node, frames.Client(node.transport, PATIENCE_S) as client:
            begin = time.monotonic()
            client.send(frames.encode_request(1, "echo", b"hi")[:-1])
            http1.closed_by_peer(client.socket)
            self.assertGreater(time.monotonic() - begin, 0.9)
            self.assertGreaterEqual(node.metrics()["io_timeouts_total", "read"], 1)

    def test_random_bytes_and_half_closed_peers_leave_nothing_behind(self):
        with Node(transport__read_timeout="1s") as node:
            with frames.Client(node.transport) as client:
                client.call("echo", b"x")
            until(lambda: node.metrics()["connections_open", "transport"] == 0, "no connection is open")
            before = proc.fd_count(node.pid)
            sent = [os.urandom(size) for size in (1, 3, 4, 19, 20, 21, 5000)] + [b"", frames.encode_request(1, "echo", b"x")[:9]]
            for data in sent:
                with frames.Client(node.transport, PATIENCE_S) as client:
                    client.send(data)
                    client.socket.shutdown(socket.SHUT_WR)
                    http1.closed_by_peer(client.socket)
            until(lambda: node.metrics()["connections_open", "transport"] == 0, "every connection is closed")
            until(lambda: proc.fd_count(node.pid) <= before, "every descriptor is closed")
            self.assertEqual(node.observe("/healthz").status, 200)
            self.assertEqual(node.terminate(), 0, node.log())


if __name__ == "__main__":
    unittest.main(verbosity=2)
