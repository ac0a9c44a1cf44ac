"""HTTP/1.1 servers that close, reset and add bytes: what is repeated, what counts as which failure, what `try` shows."""

import json
import socket
import threading
import unittest

from harness.recorder import Proxy
from harness.rude_server import CLOSE, KEEP, OK, RESET, RudeServer
from harness.runs import Target, invoke, run

SWITCHING = b"HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n"


class FullServer:
    """Answers one request, ends the connection inside the next and then accepts nobody: connecting to it takes for ever."""

    def __init__(self):
        self._listener = socket.socket()
        self._listener.bind(("127.0.0.1", 0))
        self._listener.listen(0)
        self.url = "http://127.0.0.1:%d" % self._listener.getsockname()[1]
        self._filler = None
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._thread.join(30)
        self._filler.close()
        self._listener.close()

    def _serve(self):
        connection, _ = self._listener.accept()
        with connection:
            connection.recv(65536)
            connection.sendall(OK)
            connection.recv(65536)
            self._filler = socket.create_connection(self._listener.getsockname())


def one_user(requests, url, *arguments):
    return run("-c", "1", "--cores", "1", "-n", str(requests), "--timeout", "5s", *arguments, url)


class Connections(unittest.TestCase):
    def test_bytes_after_an_answer_cost_a_connection(self):
        for tail in (b"\r\n", b"GARBAGE", OK):
            with self.subTest(tail), RudeServer(lambda _, tail=tail: (OK + tail, KEEP)) as server:
                ended = one_user(5, server.url)
                self.assertEqual((ended.code, ended.totals["outcomes"]), (0, {"ok": 5}), ended)
                self.assertEqual((len(server.requests), server.connections), (5, 5), "each was written once")
                self.assertEqual((ended.totals["connections_opened"], ended.totals["resent"]), (5, 0), ended)

    def test_idempotent_requests_are_repeated_once(self):
        """The second request of each connection is read and not answered."""
        for then in (CLOSE, RESET):
            for method in ("GET", "PUT", "DELETE"):
                with self.subTest(f"{then} {method}"), RudeServer(lambda nth: (OK, KEEP) if nth == 1 else (b"", then)) as server:
                    ended = one_user(10, server.url, "-m", method)
                    self.assertEqual((ended.code, ended.totals["outcomes"]), (0, {"ok": 10}), ended)
                    self.assertEqual((ended.totals["resent"], ended.totals["connections_opened"]), (9, 10), ended)
                    self.assertEqual(len(server.requests), 19)
                    sent_once = ended.totals["bytes_sent"] / 19
                    self.assertEqual(sent_once, len(server.requests[0]) + 4, "repeats are among the bytes")
                    self.assertIn("9 requests sent again", ended.out + ended.err)

    def test_other_requests_are_not_repeated(self):
        for then in (CLOSE, RESET):
            with self.subTest(then), RudeServer(lambda nth: (OK, KEEP) if nth == 1 else (b"", then)) as server:
                ended = one_user(10, server.url, "-m", "POST")
                self.assertEqual(ended.totals["outcomes"], {"ok": 5, "closed": 5}, ended)
                self.assertEqual((ended.totals["resent"], len(server.requests)), (0, 10), ended)

    def test_a_first_request_is_not_repeated(self):
        for then, outcome in ((CLOSE, "closed"), (RESET, "reset")):
            with self.subTest(then), RudeServer(lambda _: (b"", then)) as server:
                ended = one_user(4, server.url)
                self.assertEqual((ended.code, ended.totals["outcomes"]), (1, {outcome: 4}), ended)
                self.assertEqual((ended.totals["resent"], len(server.requests)), (0, 4), ended)

    def test_an_answer_that_had_begun_is_not_repeated(self):
        with RudeServer(lambda nth: (OK, KEEP) if nth == 1 else (OK[:20], CLOSE)) as server:
            ended = one_user(10, server.url)
            self.assertEqual(ended.totals["outcomes"], {"ok": 5, "closed": 5}, ended)
            self.assertEqual((ended.totals["resent"], len(server.requests)), (0, 10), ended)
            self.assertEqual(ended.result["failures"][0]["message"], "the peer closed the connection inside the head of the answer")

    def test_closing_after_each_answer_costs_no_request(self):
        """Without a word about it: the next request is often on its way when the connection ends."""
        with RudeServer(lambda _: (OK, CLOSE)) as server:
            ended = one_user(300, server.url)
            self.assertEqual((ended.code, ended.totals["outcomes"]), (0, {"ok": 300}), ended)
            self.assertEqual((len(server.requests), ended.totals["connections_opened"]), (300, 300), ended)

    def test_a_repeat_has_the_connect_timeout(self):
        with FullServer() as server:
            ended = run("-c", "1", "--cores", "1", "-n", "2", "--timeout", "20s", "--connect-timeout", "500ms", server.url)
            self.assertEqual(ended.totals["outcomes"], {"ok": 1, "connect_timeout": 1}, ended)
            self.assertEqual(ended.totals["resent"], 0, "there was no connection to write it on")
            self.assertLess(ended.result["elapsed_s"], 10)
            self.assertIn("not done within the connect timeout of 500ms", ended.result["failures"][0]["message"])

    def test_switching_that_nobody_asked_for(self):
        with RudeServer(lambda _: (SWITCHING, KEEP)) as server:
            ended = one_user(3, server.url)
            self.assertEqual((ended.code, ended.totals["outcomes"]), (1, {"protocol": 3}), ended)
            asked = one_user(3, server.url, "-H", "Connection: upgrade", "-H", "Upgrade: websocket")
            self.assertEqual((asked.code, asked.totals["outcomes"]), (0, {"ok": 3}), asked)


class ProxyPasswords(unittest.TestCase):
    def test_servers_behind_a_tunnel_do_not_see_them(self):
        with Target("--tls") as target, Proxy() as proxy:
            way = f"http://me:secret@127.0.0.1:{proxy.port}"
            said = invoke("try", "-k", "--http1", "--proxy", way, target.url + "/headers")
            self.assertEqual(said.code, 0, said)
            self.assertEqual([seen.headers.get("proxy-authorization") for seen in proxy.seen], ["Basic bWU6c2VjcmV0"])
            self.assertNotIn("proxy-authorization", said.out.lower())

    def test_one_in_a_header_is_refused_with_the_fix(self):
        with Target("--tls") as target, Proxy() as proxy:
            said = invoke("try", "-k", "--proxy", proxy.url, "-H", "Proxy-Authorization: Basic eDp5", target.url + "/")
            self.assertNotEqual(said.code, 0, said)
            self.assertIn("--proxy http://USER:PASSWORD@HOST:PORT", said.err)
            self.assertEqual(proxy.seen, [])


class Tunnels(unittest.TestCase):
    def through(self, answer):
        with RudeServer(lambda _: (answer, KEEP)) as proxy:
            ended = one_user(2, "https://127.0.0.1:1/", "-k", "--proxy", proxy.url)
            self.assertEqual({head.split()[0] for head in proxy.requests}, {"CONNECT"})
            return ended.totals["outcomes"], ended.result["failures"][0]["message"]

    def test_a_refusal_without_length_is_not_waited_for(self):
        outcomes, message = self.through(b"HTTP/1.1 407 Proxy Authentication Required\r\n\r\nwho are you")
        self.assertEqual(outcomes, {"refused": 2})
        self.assertIn("the proxy answered 407", message)

    def test_bytes_before_the_tunnel_is_used(self):
        outcomes, message = self.through(b"HTTP/1.1 200 Connection established\r\n\r\nGARBAGE")
        self.assertEqual(outcomes, {"protocol": 2})
        self.assertIn("more than its answer", message)


class Tries(unittest.TestCase):
    def exchange(self, *arguments):
        said = invoke("try", *arguments)
        shown = json.loads(invoke("try", "--json", *arguments).out)["exchanges"][-1]
        return said, shown

    def test_garbage_is_shown(self):
        garbage = b"\x1b[31mSSH\0" + b"x" * 2040
        with RudeServer(lambda _: (garbage, KEEP)) as server:
            said, shown = self.exchange(server.url)
            self.assertEqual(said.code, 1, said)
            self.assertIn("failed: not an HTTP/1.x status line", said.out)
            self.assertIn("bytes there: \\x1b[31mSSH\\x00xxx", said.out)
            self.assertIn("2.05 kB received", said.out)
            self.assertNotIn("\x1b", said.out)
            self.assertEqual(shown["bytes_received"], len(garbage))
            self.assertTrue(shown["faulty_bytes"].startswith("\\x1b[31mSSH\\x00xxx"), shown)
            self.assertEqual((shown["outcome"], shown["complete"]), ("protocol", False))
            ended = one_user(2, server.url)
            self.assertIn("SSH", ended.result["failures"][0]["body_start"])
            self.assertEqual(ended.totals["bytes_received"], 2 * len(garbage))

    def test_a_limit_that_was_hit_is_named(self):
        with RudeServer(lambda _: (b"HTTP/1.1 200 OK\r\nA: " + b"x" * 70000 + b"\r\n\r\n", KEEP)) as server:
            said, shown = self.exchange(server.url)
            self.assertIn("failed: a head of more than 64 KiB", said.out)
            self.assertGreater(shown["bytes_received"], 65536)

    def test_timeouts_show_what_had_come(self):
        head = b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n"
        with RudeServer(lambda _: (head + b"x" * 1234, KEEP)) as server:
            said, shown = self.exchange("--timeout", "400ms", server.url)
            self.assertIn("failed: the answer did not end within the timeout of 400ms", said.out)
            self.assertIn("received: 1,234 bytes of the body; Content-Length is 5000", said.out)
            self.assertEqual((shown["outcome"], shown["bytes_received"]), ("body_timeout", len(head) + 1234))
        with RudeServer(lambda _: (b"", KEEP)) as server:
            said, shown = self.exchange("--first-byte-timeout", "300ms", server.url)
            self.assertIn("failed: no answer within the first-byte timeout of 300ms", said.out)
            self.assertEqual((shown["outcome"], shown["bytes_received"]), ("first_byte_timeout", 0))
        with RudeServer(lambda _: (b"HTTP/1.1 200 OK\r\nA: b\r\n", KEEP)) as server:
            said, shown = self.exchange("--timeout", "300ms", server.url)
            self.assertIn("received: 23 bytes, no complete head", said.out)
            self.assertEqual(shown["bytes_received"], 23)

    def test_an_answer_that_breaks_off_shows_its_length(self):
        with RudeServer(lambda _: (b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello", CLOSE)) as server:
            said, shown = self.exchange(server.url)
            self.assertIn("failed: the peer closed the connection inside the body of the answer", said.out)
            self.assertIn("received: 5 bytes of the body; Content-Length is 50", said.out)
            self.assertEqual((shown["status"], shown["complete"], shown["bytes_received"]), (200, False, 44))


if __name__ == "__main__":
    unittest.main()
