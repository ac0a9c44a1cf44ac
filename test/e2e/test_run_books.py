"""The books of a run and those of the server beside it agree: protocols, shapes of load and kinds of trouble, each with each that it fits."""

import os
import signal
import tempfile
import unittest
import zlib

from harness.books import ANSWER, HALF, HOLD, INTERIM, LAST, LEAVE, REDIRECT, REFUSE, RESET, Http1Books, Http2Books
from harness.certificates import Authority
from harness.counting import tls_context
from harness.runs import LoadRun, run
from harness.waiting import until

CORES = 2
PROTOCOLS = {
    "HTTP/1.1": (Http1Books, False, ("--http1",)),
    "HTTP/2": (Http2Books, False, ("--http2",)),
    "HTTPS/1.1": (Http1Books, True, ("--http1",)),
    "HTTPS/2": (Http2Books, True, ("--http2",)),
}
LOADS = {
    "closed by count": ("-c", "4", "--cores", "2", "-n", "151"),
    "closed by time": ("-c", "4", "--cores", "2", "-d", "300ms", "--think-time", "2ms"),
    "open": ("-r", "300", "--cores", "2", "-d", "300ms", "-c", "20"),
    "one core": ("-c", "3", "--cores", "1", "-n", "100", "--loop", "epoll"),
}
MANY_PER_CONNECTION = {
    "HTTP/1.1": ("-c", "2", "-n", "151", "--pipeline", "4"),
    "HTTP/2": ("-c", "2", "-n", "151", "--streams", "4"),
    "HTTPS/1.1": ("-c", "2", "-n", "151", "--pipeline", "4"),
    "HTTPS/2": ("-c", "2", "-n", "151", "--streams", "4"),
}

# Three requests per iteration; the function throws nothing away.
SCRIPT = """import {{ Workflow, http, step }} from 'hyperscale';
export class Shop extends Workflow {{
  static vus = 3; static iterations = 40;
  first = step(http.get('{url}/first'));
  rest = step(http, async ({{ client }}) => {{
    await client.http.get('{url}/second');
    return client.http.post('{url}/third', {{ data: 'some body' }});
  }});
}}
"""


def well(_number):
    return ANSWER, 200


def every(nth, what, status=200):
    """Each nth request has this done about it; the others are answered."""
    return lambda number: (what, status) if number % nth == nth - 1 else (ANSWER, 200)


def some(nth, what, status=200):
    """About one of nth, whichever: users in step would meet each nth again and again, and a redirect ten times in a row is a failure."""
    return lambda number: (what, status) if zlib.crc32(b"%d" % number) % nth == 0 else (ANSWER, 200)


def statuses(number):
    return ANSWER, (200, 404, 200, 500, 204, 503)[number % 6]


# What is done, and the outcomes that it may have beside those of answers.
TROUBLES = {
    "errors": (statuses, {"status"}),
    "interim answers": (every(3, INTERIM), set()),
    "redirects": (some(8, REDIRECT), {"redirected"}),
    "resets": (every(9, RESET), {"reset"}),
    "half answers": (every(9, HALF), {"closed"}),
    "connections that end": (every(9, LEAVE), {"closed"}),
    "goaway": (every(9, LAST), set()),
}


class BooksCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.pair = Authority(folder.name, "Known").issue("localhost", "DNS:localhost,IP:127.0.0.1")

    def server(self, protocol, plan=well, delay_s=0):
        """The server and what a run needs to call it."""
        make, is_tls, arguments = PROTOCOLS[protocol]
        tls = tls_context(self.pair, "h2" if make is Http2Books else "http/1.1") if is_tls else None
        server = self.enterContext(make(plan, tls, delay_s))
        return server, (*arguments, "-k", server.url + "/some/path")

    def agree(self, server, ended, requests_per_iteration=1):
        """Everything that both counted."""
        server.await_end()
        totals, frames = ended.totals, ended.totals["connection_frames"]
        said = {
            "requests": totals["requests"] + totals["resent"],
            "statuses": totals["statuses"],
            "iterations": ended.result["iterations"],
            "connections": totals["connections_opened"],
            "bytes of requests": totals["bytes_sent"],
            "bytes of answers": totals["bytes_received"],
            "bytes of connections, sent": frames["bytes_sent"],
            "bytes of connections, received": frames["bytes_received"],
            "lost with an executor": totals["lost_with_executor"],
        }
        seen = {
            "requests": server.requests,
            "statuses": dict(server.statuses),
            "iterations": (server.requests - totals["resent"] - server.statuses["302"]) / requests_per_iteration,
            "connections": server.connections,
            "bytes of requests": server.of_requests,
            "bytes of answers": server.of_answers,
            "bytes of connections, sent": server.frames_read,
            "bytes of connections, received": server.frames_written,
            "lost with an executor": 0,
        }
        seen["statuses"] = {status: count for status, count in seen["statuses"].items() if count}
        self.assertEqual(said, seen, ended)
        self.assertEqual(server.of_requests + server.frames_read, server.read)
        self.assertEqual(server.of_answers + server.frames_written, server.written)
        self.assertEqual(totals["outcomes"].get("redirected", 0), server.statuses["302"], ended)
        self.assertEqual(sum(totals["outcomes"].values()), totals["requests"])
        # What was neither answered nor held was given back or lost its connection: it was sent again, or is an error.
        unanswered = server.requests - sum(server.statuses.values())
        no_answer = totals["requests"] - sum(totals["statuses"].values())
        self.assertEqual(unanswered, no_answer + totals["resent"], ended)

    def each(self, table, check):
        """check(protocol, row) for each protocol and row."""
        for protocol in PROTOCOLS:
            for name, row in table.items():
                with self.subTest(f"{protocol}, {name}"):
                    check(protocol, row)


class Loads(BooksCase):
    def test_answers(self):
        def check(protocol, load):
            server, arguments = self.server(protocol)
            ended = run(*load, *arguments)
            self.assertEqual((ended.code, ended.totals["errors"], ended.totals["resent"]), (0, 0, 0), ended)
            self.agree(server, ended)

        self.each(LOADS, check)

    def test_many_requests_per_connection(self):
        for protocol, load in MANY_PER_CONNECTION.items():
            with self.subTest(protocol):
                server, arguments = self.server(protocol)
                ended = run(*load, *arguments)
                self.assertEqual((ended.code, ended.totals["requests"], ended.totals["resent"]), (0, 151, 0), ended)
                self.agree(server, ended)

    def test_bodies(self):
        for protocol in PROTOCOLS:
            with self.subTest(protocol):
                server, arguments = self.server(protocol)
                ended = run("-c", "3", "-n", "60", "-m", "POST", "--body", "x" * 9000, *arguments)
                self.assertEqual((ended.code, ended.totals["requests"]), (0, 60), ended)
                self.assertGreater(server.of_requests, 60 * 9000)
                self.agree(server, ended)

    def test_a_connection_each(self):
        for protocol in ("HTTP/1.1", "HTTPS/1.1"):
            with self.subTest(protocol):
                server, arguments = self.server(protocol)
                ended = run("-c", "3", "-n", "50", "--no-keepalive", *arguments)
                self.assertEqual((ended.code, ended.totals["connections_opened"]), (0, 50), ended)
                self.agree(server, ended)

    def test_scripts(self):
        for protocol, plan in ((protocol, plan) for protocol in PROTOCOLS for plan in (well, statuses, some(8, REDIRECT))):
            with self.subTest(protocol, plan=plan), tempfile.NamedTemporaryFile("w", suffix=".js") as script:
                server, arguments = self.server(protocol, plan)
                script.write(SCRIPT.format(url=server.url))
                script.flush()
                ended = run(script.name, *arguments[:-1])
                self.assertEqual(ended.result["iterations"], 40, ended)
                self.agree(server, ended, requests_per_iteration=3)

    def test_a_warm_up_is_in_no_figure_of_requests(self):
        for protocol in PROTOCOLS:
            with self.subTest(protocol):
                server, arguments = self.server(protocol)
                ended = run("-c", "3", "--warmup", "200ms", "-d", "200ms", "--think-time", "3ms", *arguments)
                server.await_end()
                warm = ended.result["warmup_requests"]
                self.assertGreater(warm, 0, ended)
                self.assertEqual((server.requests, server.statuses["200"]),
                                 (ended.totals["requests"] + warm, ended.totals["statuses"]["200"] + warm), ended)
                self.assertEqual(sum(ended.totals["http_versions"].values()), server.connections, ended)
                self.assertEqual(ended.totals["connection_frames"],
                                 {"bytes_sent": server.frames_read, "bytes_received": server.frames_written})
                if "1.1" in protocol:
                    self.assertEqual(server.of_requests, ended.totals["bytes_sent"] + warm * server.request_bytes_max, ended)


class Steered(BooksCase):
    def steer(self, protocol, load, *actions, plan=well):
        server, arguments = self.server(protocol, plan, delay_s=0.002)
        with LoadRun("--cores", str(CORES), *load, *arguments) as running:
            until(lambda: server.requests > 20, "it is under way")
            for action in actions:
                asked = running.ctl(action)
                self.assertEqual(asked.code, 0, asked)
                before = server.requests
                if action != "pause":
                    until(lambda: server.requests > before + 10 or running.process.poll() is not None, "it goes on")
            ended = running.wait()
        self.assertEqual(ended.code, 0, ended)
        self.agree(server, ended)
        return ended

    def test_trouble(self):
        def check(protocol, row):
            if protocol in ("HTTP/1.1", "HTTPS/2"):
                self.steer(protocol, ("-c", "4", "-d", "400ms"), "pause", "resume", "vus=7", plan=row[0])
            else:
                self.steer(protocol, ("-r", "200", "-d", "400ms"), "rate=400", plan=row[0])

        self.each(TROUBLES, check)

    def test_paused(self):
        def check(protocol, load):
            ended = self.steer(protocol, load, "pause", "resume")
            self.assertEqual([change["what"] for change in ended.result["changes"]], ["pause", "resume"])

        self.each({"closed": ("-c", "4", "-d", "500ms"), "open": ("-r", "200", "-d", "500ms")}, check)

    def test_changed(self):
        for protocol in PROTOCOLS:
            with self.subTest(protocol):
                ended = self.steer(protocol, ("-c", "2", "-d", "30s"), "vus=7", "vus=1", "stop")
                self.assertEqual(ended.result["vus_max"], 7)
                self.steer(protocol, ("-r", "100", "-d", "30s"), "rate=400", "rate=50", "stop")


class Troubles(BooksCase):
    def test_each_trouble_is_in_both_books(self):
        for load in ("closed by count", "open"):
            with self.subTest(load):
                self.each(TROUBLES, lambda protocol, row: self.trouble(protocol, LOADS[load], *row))

    def test_trouble_of_connections_with_many_requests(self):
        for protocol, load in MANY_PER_CONNECTION.items():
            for name, (plan, outcomes) in TROUBLES.items():
                if name == "resets" and "--pipeline" in load:
                    continue  # what was written behind is lost in the server's kernel, so the server cannot count it
                with self.subTest(f"{protocol}, {name}"):
                    self.trouble(protocol, load, plan, outcomes)

    def trouble(self, protocol, load, plan, outcomes):
        if "closed" in outcomes and "HTTPS" in protocol:
            outcomes = {"closed", "tls"}  # connections end without close_notify
        server, arguments = self.server(protocol, plan)
        ended = run("--timeout", "5s", *load, *arguments)
        self.assertIn(ended.code, (0, 1), ended)
        self.assertLessEqual(set(ended.totals["outcomes"]) - {"ok"}, outcomes, ended)
        self.agree(server, ended)

    def test_refused_streams(self):
        for protocol in ("HTTP/2", "HTTPS/2"):
            with self.subTest(protocol):
                server, arguments = self.server(protocol, every(5, REFUSE))
                ended = run("-c", "2", "-n", "100", "--streams", "3", *arguments)
                self.assertEqual((ended.code, ended.totals["errors"]), (0, 0), ended)
                self.assertEqual(ended.totals["resent"], server.done[REFUSE])
                self.agree(server, ended)

    def test_timeouts(self):
        for protocol in PROTOCOLS:
            with self.subTest(protocol):
                server, arguments = self.server(protocol, every(20, HOLD))
                ended = run("-c", "4", "-n", "100", "--timeout", "200ms", *arguments)
                self.assertEqual(ended.totals["outcomes"].get("first_byte_timeout"), server.done[HOLD], ended)
                self.agree(server, ended)

    def test_requests_that_the_end_of_the_run_cuts(self):
        for protocol in PROTOCOLS:
            with self.subTest(protocol):
                server, arguments = self.server(protocol, every(30, HOLD))
                ended = run("-c", "4", "-d", "400ms", "--think-time", "5ms", "--graceful-stop", "100ms", *arguments)
                self.assertEqual(ended.totals["outcomes"].get("cut"), server.done[HOLD], ended)
                self.assertEqual(ended.result["iterations_cut"], server.done[HOLD])
                self.agree(server, ended)

    def test_calls_of_functions_that_are_cut(self):
        for protocol in PROTOCOLS:
            with self.subTest(protocol), tempfile.NamedTemporaryFile("w", suffix=".js") as script:
                server, arguments = self.server(protocol, lambda number: (HOLD, 0) if number % 3 == 2 else (ANSWER, 200))
                script.write(SCRIPT.format(url=server.url).replace("static vus = 3; static iterations = 40", "static vus = 1; static iterations = 1"))
                script.flush()
                ended = run(script.name, "--time-limit", "300ms", "--graceful-stop", "100ms", *arguments[:-1])
                self.assertEqual((ended.totals["outcomes"], ended.result["iterations_cut"]), ({"ok": 2, "cut": 1}, 1), ended)
                self.assertEqual(server.done[HOLD], 1)
                self.agree(server, ended, requests_per_iteration=3)


class Killed(BooksCase):
    def kill_one(self, protocol, load, plan):
        server, arguments = self.server(protocol, plan, delay_s=0.02)
        with LoadRun("--cores", str(CORES), *load, *arguments) as running:
            until(lambda: server.requests > 40, "it is under way")
            os.kill(running.executors()[0], signal.SIGKILL)
            ended = running.wait()
        server.await_end()
        return server, ended

    def assert_within(self, missing, most, *about):
        self.assertGreaterEqual(missing, 0, *about)
        self.assertLessEqual(missing, most, *about)

    def test_an_executor(self):
        def check(protocol, row):
            load, plan = row
            server, ended = self.kill_one(protocol, load, plan)
            totals = ended.totals
            lost = totals["lost_with_executor"]
            self.assertEqual([executor["end"] for executor in ended.result["executors"]], ["restarted", "finished"], ended)
            self.assertEqual(totals["resent"], 0, ended)
            self.assert_within(lost, int(load[1]) // CORES, ended)
            if "-r" not in load:
                self.assertGreater(lost, 0, ended)
            self.assertIn(f"with {lost} user" if lost else "killed", ended.result["executors"][0]["message"])
            missing = server.requests - totals["requests"]
            self.assert_within(missing, lost, ended)
            unread = {status: count - totals["statuses"].get(status, 0) for status, count in server.statuses.items()}
            self.assert_within(min(unread.values()), lost, ended)
            self.assert_within(sum(unread.values()), lost, ended)
            self.assertEqual(ended.result["iterations"], totals["requests"] - totals["outcomes"].get("redirected", 0))
            self.assert_within(server.connections - totals["connections_opened"], lost, ended)
            self.assert_within(server.of_requests - totals["bytes_sent"], missing * server.request_bytes_max, ended)
            if "1.1" in protocol and plan is not followed:
                self.assertEqual(server.of_requests - totals["bytes_sent"], missing * server.request_bytes_max, ended)

        closed, open_loop = ("-c", "8", "-d", "700ms"), ("-c", "20", "-r", "150", "-d", "700ms")
        followed = some(8, REDIRECT)
        self.each({"closed": (closed, well), "open": (open_loop, well), "errors": (closed, statuses), "redirects": (closed, followed)}, check)

    def test_all_by_a_second_signal(self):
        for protocol in PROTOCOLS:
            with self.subTest(protocol):
                server, arguments = self.server(protocol, every(40, HOLD))
                with LoadRun("--cores", str(CORES), "-c", "4", "-d", "30s", "--think-time", "5ms", *arguments) as running:
                    until(lambda: server.done[HOLD] == 4, "all users wait")
                    running.interrupt()
                    running.await_err("waiting up to")
                    running.interrupt()
                    ended = running.wait()
                server.await_end()
                self.assertEqual(ended.totals["lost_with_executor"], server.done[HOLD], ended)
                self.assertEqual(server.requests - ended.totals["requests"], server.done[HOLD], ended)
                self.assertEqual(ended.totals["statuses"], dict(server.statuses))


if __name__ == "__main__":
    unittest.main(verbosity=2)
