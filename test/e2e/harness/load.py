"""Many HTTP/1.1 connections at once on one thread. Times run from the last byte sent to the first byte received."""

import asyncio
import multiprocessing
import time

from . import http1


class Sample:
    __slots__ = ("status", "seconds", "sent_at")

    def __init__(self, status, seconds, sent_at):
        self.status = status  # None: the connection ended without an answer
        self.seconds = seconds
        self.sent_at = sent_at


class _Exchange(asyncio.Protocol):
    """Sends the request; when the answer is there, hands a sample to `done`: seconds until the next request, or None."""

    def __init__(self, request, done):
        self._request = request
        self._done = done
        self._waiting = False
        self.ended = asyncio.get_running_loop().create_future()

    def connection_made(self, transport):
        self._transport = transport
        self._send()

    def _send(self):
        if self._transport.is_closing():
            return
        self._buffer = b""
        self._first_byte = None
        self._waiting = True
        self._transport.write(self._request)
        self._sent_at = time.monotonic()

    def data_received(self, data):
        if self._first_byte is None:
            self._first_byte = time.monotonic()
        self._buffer += data
        head, separator, body = self._buffer.partition(b"\r\n\r\n")
        if not separator:
            return
        status, headers = http1.parse_head(head)
        if len(body) < int(headers.get("content-length", 0)):
            return
        self._waiting = False
        pause = self._done(Sample(status, self._first_byte - self._sent_at, self._sent_at))
        if pause is None or headers.get("connection") == "close":
            self._transport.close()
        elif pause == 0:
            self._send()
        else:
            asyncio.get_running_loop().call_later(pause, self._send)

    def connection_lost(self, _error):
        if self._waiting:
            self._done(Sample(None, time.monotonic() - self._sent_at, self._sent_at))
        if not self.ended.done():
            self.ended.set_result(None)


async def exchange(address, request, done):
    """Runs one connection to its end."""
    try:
        _, protocol = await asyncio.get_running_loop().create_connection(lambda: _Exchange(request, done), *address)
    except OSError:
        done(Sample(None, 0.0, time.monotonic()))
        return
    await protocol.ended


async def closed_loop(address, request, connections, seconds, samples, think_s=0.0):
    """Each connection sends its next request `think_s` after the last answer. Starts are spread over a think time."""
    begin = time.monotonic()

    def done(sample):
        samples.append(sample)
        return think_s if time.monotonic() < begin + seconds else None

    async def one(number):
        await asyncio.sleep(think_s * number / connections)
        while time.monotonic() < begin + seconds:
            await exchange(address, request, done)

    await asyncio.gather(*(one(number) for number in range(connections)))


async def open_loop(address, request, per_second, seconds, samples, keep_going=lambda: True):
    """A new connection per request at a steady rate, whatever the answers take."""
    begin = time.monotonic()
    tasks = []
    for number in range(int(per_second * seconds)):
        if not keep_going():
            break
        await asyncio.sleep(max(begin + number / per_second - time.monotonic(), 0))
        tasks.append(asyncio.create_task(exchange(address, request, lambda sample: samples.append(sample))))
    await asyncio.gather(*tasks)


def compute_request(query="", headers=(), **job):
    return http1.render("POST", "/api/v1/compute" + query, http1.json_body(job), headers)


class ClosedLoopProcess:
    """closed_loop in a process of its own, so that it does not slow down what is measured beside it."""

    def __init__(self, *arguments):
        context = multiprocessing.get_context("fork")
        self._receiver, sender = context.Pipe(duplex=False)
        self._process = context.Process(target=self._run, args=(sender, arguments))
        self._process.start()
        sender.close()

    @staticmethod
    def _run(sender, arguments):
        samples = []
        address, request, connections, seconds, think_s = arguments
        asyncio.run(closed_loop(address, request, connections, seconds, samples, think_s))
        sender.send([(s.status, s.seconds, s.sent_at) for s in samples])

    def running(self):
        return not self._receiver.poll()

    def result(self):
        samples = [Sample(*row) for row in self._receiver.recv()]
        self._process.join()
        return samples
