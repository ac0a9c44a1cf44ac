"""`hyperscale ping tcp|smtp|ftp`: what a server says decides the exit code, and no server can make it hang or lie."""

import json
import socket
import time
import unittest

from harness.runs import invoke
from harness.services import A, MX, NameServer, Service, free_port


def says(text):
    return lambda connection: connection.sendall(text)


def byte_by_byte(text):
    def script(connection):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for byte in text:
            connection.sendall(bytes([byte]))

    return script


def endless(connection):
    while True:
        connection.sendall(b"220-more of the same\r\n" * 100)


def silent(_):
    pass


def ping(*arguments):
    return invoke("ping", *arguments)


def ping_json(*arguments):
    ended = ping(*arguments, "--json")
    return ended, json.loads(ended.out)


class Pings(unittest.TestCase):
    def test_tcp(self):
        with Service(silent) as service:
            ended = ping("tcp", f"127.0.0.1:{service.port}")
            self.assertEqual(ended.code, 0, ended)
            self.assertRegex(ended.out, r"connect +[0-9.]+(µs|us|ms)\n")
            self.assertIn(f"127.0.0.1:{service.port}", ended.out)
            self.assertIn("IPv4", ended.out)
            self.assertIn("TCP", ended.out)
            self.assertNotIn("greeting", ended.out)
            self.assertEqual(ended.err, "")

    def test_greetings(self):
        for kind in ("smtp", "ftp"):
            for script in (says(b"220 hello\r\n"), says(b"220-a\r\n220 b\r\n"), byte_by_byte(b"220 one by one\r\n")):
                with self.subTest(kind), Service(script) as service:
                    ended, found = ping_json(kind, f"127.0.0.1:{service.port}")
                    self.assertEqual(ended.code, 0, ended)
                    self.assertTrue(found["ok"])
                    self.assertTrue(found["greeting"].startswith("220"))
                    self.assertGreater(found["greeting_ms"]["min"], 0)
                    self.assertEqual(service.received, ["QUIT"])

    def test_count(self):
        with Service(says(b"220 hello\r\n")) as service:
            ended, found = ping_json("smtp", f"127.0.0.1:{service.port}", "--count", "5")
            self.assertEqual(ended.code, 0, ended)
            self.assertEqual((found["pings"], found["answered"]), (5, 5))
            for phase in ("connect_ms", "greeting_ms", "total_ms"):
                spread = found[phase]
                self.assertLessEqual(spread["min"], spread["median"])
                self.assertLessEqual(spread["median"], spread["max"])
            self.assertEqual(service.received, ["QUIT"] * 5)
            self.assertRegex(ping("smtp", f"127.0.0.1:{service.port}", "--count", "3").out, r"min +median +max\n")

    def refuse(self, words, script, *arguments):
        with self.subTest(words), Service(script) as service:
            began = time.monotonic()
            ended = ping("smtp", f"127.0.0.1:{service.port}", *arguments)
            self.assertEqual(ended.code, 1, ended)
            self.assertIn("failed: ", ended.out)
            self.assertIn(words, ended.out)
            self.assertLess(time.monotonic() - began, 20)
            return ended

    def test_servers_that_do_not_greet_properly(self):
        self.refuse("no whole greeting within 300ms", silent, "--timeout", "300ms")
        self.refuse("no whole greeting within 300ms", says(b"220-and then nothing\r\n"), "--timeout", "300ms")
        self.refuse("554, not with 220", says(b"554 go away\r\n"))
        self.refuse("no greeting of this protocol", says(b"HTTP/1.1 400 Bad Request\r\n\r\n"))
        self.refuse("longer than 8192 bytes", endless)
        self.refuse("closed the connection", lambda connection: connection.shutdown(socket.SHUT_RDWR))

    def test_nothing_of_the_server_reaches_the_terminal_raw(self):
        with Service(says(b"220 \x1b[2Jcleared\x07 \xff\r\n")) as service:
            for form in ((), ("--json",)):
                ended = ping("smtp", f"127.0.0.1:{service.port}", *form)
                self.assertEqual(ended.code, 0, ended)
                self.assertIn("cleared", ended.out)
                self.assertNotIn("\x1b", ended.out)
                self.assertNotIn("\x07", ended.out)

    def test_refused(self):
        for kind in ("tcp", "smtp", "ftp"):
            ended = ping(kind, f"127.0.0.1:{free_port()}")
            self.assertEqual(ended.code, 1, ended)
            self.assertIn("Connection refused", ended.out)

    def test_mail_goes_to_the_exchanger_of_best_preference_that_answers(self):
        records = {
            ("shop.example", MX): [(20, "second.example"), (10, "first.example")],
            ("shop.example", A): ["127.0.0.4"],
            ("first.example", A): ["127.0.0.2"],
            ("second.example", A): ["127.0.0.3"],
        }
        with NameServer(records) as names:
            with Service(says(b"220 second\r\n"), "127.0.0.3") as second:
                ended, found = ping_json("smtp", f"shop.example:{second.port}", "--dns-server", names.address)
                self.assertEqual(ended.code, 0, ended)
                self.assertEqual(found["exchanger"], {"name": "second.example", "preference": 20})
                self.assertEqual((found["address"], found["family"], found["transport"]), ("127.0.0.3", "IPv4", "TCP"))
                self.assertGreater(found["lookup_ms"]["min"], 0)
            with Service(says(b"220 first\r\n"), "127.0.0.2") as first:
                ended = ping("smtp", f"shop.example:{first.port}", "--dns-server", names.address)
                self.assertEqual(ended.code, 0, ended)
                self.assertIn("first.example, preference 10", ended.out)
            with Service(silent, "127.0.0.4") as own:
                ended, found = ping_json("tcp", f"shop.example:{own.port}", "--dns-server", names.address)
                self.assertEqual((ended.code, found["address"], found["exchanger"]), (0, "127.0.0.4", None), ended)

    def test_domains_without_mail_and_unknown_names(self):
        with NameServer({("shop.example", MX): [(0, ".")], ("shop.example", A): ["127.0.0.1"]}) as names:
            ended = ping("smtp", "shop.example", "--dns-server", names.address)
            self.assertEqual(ended.code, 1, ended)
            self.assertIn("accepts no mail", ended.out)
            ended, found = ping_json("ftp", "other.example", "--dns-server", names.address)
            self.assertEqual(ended.code, 1, ended)
            self.assertIn("no such host", found["error"])

    def test_wrong_usage_is_one_line(self):
        for words, arguments in (
            ("has no port", ("tcp", "localhost")),
            ("no host given", ("smtp",)),
            ("out of range", ("smtp", "localhost:99999")),
            ("--count", ("smtp", "localhost", "--count", "0")),
            ("--timeout", ("ftp", "localhost", "--timeout", "soon")),
            ("--dns-server", ("ftp", "localhost", "--dns-server", "dns.example")),
            ("contradicts", ("ftp", "localhost", "-4", "-6")),
            ("--cuont", ("ftp", "localhost", "--cuont", "3")),
            ("", ("gopher", "localhost")),
            ("", ()),
        ):
            with self.subTest(" ".join(arguments)):
                ended = ping(*arguments)
                self.assertEqual(ended.code, 2, ended)
                self.assertEqual(ended.out, "")
                self.assertRegex(ended.err, r"\Ahyperscale ping: [^\n]+\n\Z")
                self.assertIn(words, ended.err)


if __name__ == "__main__":
    unittest.main(verbosity=2)
