"""How a run gets to its target: Unix socket, proxy, chosen addresses, several URLs, cookies, redirects."""

import os
import socket
import tempfile
import unittest

from harness.recorder import Proxy, Recorder
from harness.runs import Target, invoke, run


def has_ipv6():
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
        return True
    except OSError:
        return False


class NetworkCase(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())

    def good(self, requests, *arguments):
        ended = run("-c", "2", "-n", str(requests), *arguments)
        self.assertEqual(ended.code, 0, ended)
        self.assertEqual((ended.totals["requests"], ended.totals["errors"]), (requests, 0), ended)
        return ended.result


class Ways(NetworkCase):
    def test_unix_socket(self):
        path = os.path.join(self.folder, "target.sock")
        with Target("--unix-socket", path) as target:
            self.good(100, "--unix-socket", path, "http://some.host/")
            self.good(100, "--unix-socket", path, "--http2", "--streams", "5", "http://some.host/")
            self.assertEqual((target.count()["requests"], target.count()["http2"]), (200, 100))
            said = invoke("try", "--unix-socket", path, "http://some.host/headers")
            self.assertIn('"host":"some.host"', said.out)

    def test_a_unix_socket_that_is_not_there(self):
        path = os.path.join(self.folder, "absent.sock")
        ended = run("-c", "1", "-n", "3", "--unix-socket", path, "http://some.host/")
        self.assertEqual((ended.code, ended.totals["outcomes"]), (1, {"refused": 3}), ended)
        self.assertIn(path, ended.result["failures"][0]["message"])

    def test_proxy(self):
        with Target() as target, Proxy() as proxy:
            self.good(20, "--proxy", proxy.url, target.url + "/")
            self.assertEqual(target.count()["requests"], 20)
            self.assertEqual({(seen.method, seen.path) for seen in proxy.seen}, {("GET", target.url + "/")})
            self.assertEqual(len(proxy.seen), 20)

    def test_the_password_of_a_proxy_is_sent_to_it(self):
        with Target() as plain, Target("--tls") as secure, Proxy() as proxy:
            for method, target in (("GET", plain), ("CONNECT", secure)):
                with self.subTest(method):
                    proxy.seen.clear()
                    self.good(2, "-k", "--proxy", f"http://me:secret@127.0.0.1:{proxy.port}", target.url + "/")
                    self.assertEqual({seen.headers.get("proxy-authorization") for seen in proxy.seen}, {"Basic bWU6c2VjcmV0"})

    def test_https_through_a_proxy_is_a_tunnel(self):
        with Target("--tls") as target, Proxy() as proxy:
            self.good(50, "-k", "--proxy", proxy.url, target.url + "/")
            self.assertEqual(target.count()["requests"], 50)
            self.assertEqual({(seen.method, seen.path) for seen in proxy.seen}, {("CONNECT", f"127.0.0.1:{target.port}")})
            self.assertEqual(len(proxy.seen), 2, "one tunnel per user")

    def test_resolve_and_server_name(self):
        with Recorder() as server:
            self.good(10, "--resolve", f"shop.test:{server.port}:127.0.0.1", f"http://shop.test:{server.port}/a")
            self.assertEqual({seen.headers["host"] for seen in server.seen}, {f"shop.test:{server.port}"})

    def test_users_take_turns_in_source_addresses(self):
        with Recorder() as server:
            self.good(4, "--source", "127.0.0.2", server.url + "/")
            self.assertEqual({seen.client for seen in server.seen}, {"127.0.0.2"})
            server.seen.clear()
            ended = run("-c", "4", "-d", "100ms", "--source", "127.0.0.2", "--source", "127.0.0.3", "--cores", "1", server.url + "/")
            self.assertEqual(ended.totals["errors"], 0, ended)
            self.assertEqual({seen.client for seen in server.seen}, {"127.0.0.2", "127.0.0.3"})

    def test_a_source_that_is_not_of_this_machine(self):
        with Target() as target:
            ended = run("-c", "1", "-n", "2", "--source", "192.0.2.1", target.url)
            self.assertEqual((ended.code, ended.totals["outcomes"]), (1, {"local": 2}), ended)

    @unittest.skipUnless(has_ipv6(), "this machine has no IPv6")
    def test_ipv4_and_ipv6(self):
        with Target("--listen", "[::1]:0") as six, Target() as four:
            self.good(10, "-6", six.url + "/")
            self.good(10, six.url + "/")
            self.good(10, "-4", four.url + "/")
            for option, url, kind in (("-4", six.url, "IPv4"), ("-6", four.url, "IPv6")):
                ended = invoke("run", option, url)
                self.assertEqual((ended.code, ended.err.count("\n")), (2, 1), ended)
                self.assertIn(f"is not an {kind} address", ended.err)
            self.assertEqual((six.count()["requests"], four.count()["requests"]), (20, 10))


class Requests(NetworkCase):
    def test_urls_from_a_file_are_sent_in_turn(self):
        with Recorder() as server:
            path = os.path.join(self.folder, "urls")
            with open(path, "w") as file:
                file.write(f"# all of them\n{server.url}/b\n\n  {server.url}/c  \n")
            ended = run("-c", "1", "-n", "7", "--urls-from-file", path, server.url + "/a")
            self.assertEqual(ended.code, 0, ended)
            self.assertEqual([seen.path for seen in server.seen], ["/a", "/b", "/c", "/a", "/b", "/c", "/a"])
            server.seen.clear()
            ended = run("-c", "1", "-n", "2", "--urls-from-file", path)
            self.assertEqual([seen.path for seen in server.seen], ["/b", "/c"])

    def test_each_url_of_a_file_has_a_row(self):
        with Recorder() as server:
            path = os.path.join(self.folder, "urls")
            with open(path, "w") as file:
                file.write(f"{server.url}/a\n{server.url}/b\n{server.url}/c\n")
            ended = run("-c", "3", "-n", "30", "--cores", "2", "--urls-from-file", path, "--threshold",
                        f"step:{server.url}/b:requests==10")
            self.assertEqual((ended.code, ended.totals["requests"]), (0, 30), ended)
            rows = {step["name"]: step["requests"] for step in ended.result["steps"] if step["requests"] > 0}
            self.assertEqual(rows, {f"{server.url}/{name}": 10 for name in "abc"})
            for name in "abc":
                self.assertIn(f"{server.url}/{name}", ended.out)

    def test_more_urls_than_rows_are_counted_together(self):
        with Recorder() as server:
            path = os.path.join(self.folder, "urls")
            with open(path, "w") as file:
                file.write("".join(f"{server.url}/{i}\n" for i in range(300)))
            ended = run("-c", "3", "-n", "600", "--cores", "1", "--urls-from-file", path)
            self.assertEqual((ended.code, ended.totals["requests"]), (0, 600), ended)
            rows = {step["name"]: step["requests"] for step in ended.result["steps"] if step["requests"] > 0}
            self.assertEqual(rows.pop("(others)") + sum(rows.values()), 600)
            self.assertLess(len(rows), 101)

    def test_cookies_are_kept_per_user(self):
        with Recorder() as server:
            path = os.path.join(self.folder, "urls")
            with open(path, "w") as file:
                file.write(f"{server.url}/set\n{server.url}/get\n{server.url}/get\n")
            run("-c", "1", "-n", "3", "--urls-from-file", path)
            self.assertEqual([seen.headers.get("cookie") for seen in server.seen], [None, "session=1", "session=1"])
            server.seen.clear()
            run("-c", "1", "-n", "3", "--no-cookies", "--urls-from-file", path)
            self.assertEqual([seen.headers.get("cookie") for seen in server.seen], [None] * 3)

    def test_redirects_are_followed_up_to_a_limit(self):
        with Target() as target:
            ended = run("-c", "1", "-n", "5", "--redirects", "2", target.url + "/redirect/3")
            self.assertEqual(ended.totals["outcomes"], {"redirected": 10, "redirects": 5}, ended)
            self.assertEqual(ended.totals["requests"], target.take_count()["requests"])
            ended = run("-c", "1", "-n", "5", "--redirects", "3", target.url + "/redirect/3")
            self.assertEqual((ended.code, ended.totals["outcomes"]), (0, {"ok": 5, "redirected": 15}), ended)

    def test_method_headers_body_and_credentials_arrive(self):
        with Target() as target:
            for arguments, parts in (
                (("-m", "PUT", "-b", "some text", "-H", "X-Key: 7"), ('"method":"PUT"', '"x-key":"7"', '"body":"some text"')),
                (("--json-body", '{"a":1}'), ('"method":"POST"', '"content-type":"application/json"')),
                (("--form", "a=1 2", "--form", "b=ü"), ('"body":"a=1%202&b=%C3%BC"', "application/x-www-form-urlencoded")),
                # Not shown, because it is a secret.
                (("--auth", "me:secret", "--expect-body", '"authorization":"Basic bWU6c2VjcmV0"'), ('"authorization":"Basic ***"',)),
                (("--auth", "bearer:T0"), ('"authorization":"Bearer T0"',)),
            ):
                with self.subTest(arguments):
                    said = invoke("try", *arguments, target.url + "/echo")
                    self.assertEqual(said.code, 0, said)
                    for part in parts:
                        self.assertIn(part, said.out)

    def test_a_body_file_arrives_whole(self):
        path = os.path.join(self.folder, "body")
        with open(path, "wb") as file:
            file.write(bytes(range(256)) * 1000)
        with Target() as target:
            self.good(10, "--body-file", path, target.url + "/")
            self.assertEqual(target.take_count()["body_bytes"], 2_560_000)
            self.good(10, "--http2", "--streams", "5", "--body-file", path, target.url + "/")
            self.assertEqual(target.count()["body_bytes"], 2_560_000)

    def test_every_failure_has_its_class(self):
        with Target() as target:
            for path, arguments, outcome in (
                ("/never", ("--timeout", "100ms"), "first_byte_timeout"),
                ("/drip/64KiB/50ms", ("--timeout", "100ms"), "body_timeout"),
                ("/half", (), "closed"),
                ("/garbage", (), "protocol"),
                ("/status/503", (), "status"),
                ("/", ("--expect-body", "absent"), "body_mismatch"),
            ):
                with self.subTest(path):
                    ended = run("-c", "1", "-n", "2", *arguments, target.url + path)
                    self.assertEqual((ended.code, ended.totals["outcomes"]), (1, {outcome: 2}), ended)
                    self.assertEqual([(kind["outcome"], kind["count"]) for kind in ended.result["failures"]], [(outcome, 2)])


if __name__ == "__main__":
    unittest.main(verbosity=2)
