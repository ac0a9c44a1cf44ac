"""Cookies of users: what is kept, what functions do with them, users that are new in each iteration."""

import os
import tempfile
import unittest

from harness.recorder import Answering
from harness.runs import run


def set_one(handler):
    return 200, [("Set-Cookie", "session=1")] if handler.path == "/set" else [], b"here\n"


class Cookies(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())

    def shop(self, *lines):
        path = os.path.join(self.folder, "shop.js")
        with open(path, "w") as file:
            file.write("import { Workflow, step, http, check, action } from 'hyperscale';\nexport class Shop extends Workflow {\n"
                       + "\n".join(lines) + "\n}\n")
        return path

    def sent(self, server):
        return [seen.headers.get("cookie") for seen in server.seen]

    def test_a_date_in_the_past_removes_a_cookie(self):
        def answers(handler):
            field = {"/set": "session=1", "/drop": "session=; Expires=Fri, 07 Aug 2009 08:04:19 GMT",
                     "/keep": "kept=1; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT"}.get(handler.path)
            return 200, [("Set-Cookie", field)] if field else [], b""

        with Answering(answers) as server:
            urls = os.path.join(self.folder, "urls")
            with open(urls, "w") as file:
                file.write("\n".join(server.url + path for path in ("/set", "/", "/drop", "/", "/keep", "/")) + "\n")
            ended = run("-c", "1", "-n", "6", "--urls-from-file", urls)
            self.assertEqual(ended.code, 0, ended)
            self.assertEqual(self.sent(server), [None, "session=1", "session=1", None, None, "kept=1"])

    def test_each_iteration_is_a_new_user_when_asked_for(self):
        steps = ["  set = step(http.get(`${BASE}/set`));", "  see = step('set', http.get(`${BASE}/see`));"]
        for new in (False, True):
            with self.subTest(new=new), Answering(set_one) as server:
                lines = ["  static iterations = 3;"] + (["  static newUserPerIteration = true;"] if new else [])
                ended = run(self.shop(*lines, *[line.replace("${BASE}", server.url) for line in steps]))
                self.assertEqual(ended.code, 0, ended)
                again = None if new else "session=1"
                self.assertEqual(self.sent(server), [None, "session=1", again, "session=1", again, "session=1"])
                self.assertEqual((server.opened, ended.totals["connections_opened"]), (3, 3) if new else (1, 1))

    def test_a_host_cannot_set_cookies_for_a_public_suffix(self):
        def answers(_):
            return 200, [("Set-Cookie", "a=1; Domain=test"), ("Set-Cookie", "b=1; Domain=shop.test")], b""

        with Answering(answers) as server:
            host = f"www.shop.test:{server.port}"
            ended = run("-c", "1", "-n", "2", "--resolve", f"{host}:127.0.0.1", f"http://{host}/")
            self.assertEqual((ended.code, self.sent(server)), (0, [None, "b=1"]), ended)

    def test_an_option_makes_users_new_too(self):
        with Answering(set_one) as server:
            ended = run("-c", "1", "-n", "3", "--new-user-per-iteration", server.url + "/set")
            self.assertEqual((ended.code, self.sent(server), server.opened), (0, [None] * 3, 3), ended)
            ended = run("-c", "1", "-n", "3", "--new-user-per-iteration", "--pipeline", "2", server.url + "/set")
            self.assertEqual(ended.code, 2, ended)
            self.assertIn("--new-user-per-iteration", ended.err)

    def test_functions_read_set_and_clear(self):
        with Answering(set_one) as server:
            ended = run("--cores", "1", self.shop(
                f"  static iterations = 2; static baseUrl = '{server.url}';",
                "  page = step(http, async ({ client, iteration }) => {",
                "    if (client.cookies.get('/').length !== 0) throw new Error('not empty');",
                "    await client.http.get('/set');",
                "    if (client.cookies.get('/', 'session') !== '1') throw new Error('not set');",
                "    client.cookies.set('/', 'own', iteration, { path: '/deep', maxAge: '1h', httpOnly: true });",
                "    const [own, session] = client.cookies.get('/deep/x');",
                "    if (own.name !== 'own' || own.path !== '/deep' || !own.httpOnly || !(own.expires > new Date())) throw new Error('own');",
                "    if (session.value !== '1' || session.expires !== undefined) throw new Error('session');",
                "    await client.http.get('/deep/y');",
                "    client.cookies.clear('/deep');",
                "    if (client.cookies.get('/deep').length !== 0) throw new Error('there');",
                "    client.cookies.set('/', 'b', 'x');",
                "    client.cookies.clear();",
                "    return client.http.get('/end');",
                "  });",
            ))
            self.assertEqual((ended.code, ended.totals["errors"]), (0, 0), ended)
            self.assertEqual(self.sent(server), [None, "own=0; session=1", None, None, "own=1; session=1", None])

    def test_what_a_function_cannot_set_is_said(self):
        with Answering(set_one) as server:
            for call, why in (("client.cookies.set('/', 'a', '1', { domain: 'test' })", "its domain is not the host's"),
                              ("client.cookies.set('/', 'a b', '1')", "takes a name"),
                              ("client.cookies.set('/', 'a', 'x;y')", "encode it"),
                              ("client.cookies.set('/', 'a', '1', { pth: '/' })", "pth")):
                with self.subTest(call):
                    ended = run(self.shop(f"  static iterations = 1; static baseUrl = '{server.url}';",
                                          f"  page = step(http, ({{ client }}) => {{ {call}; return client.http.get('/'); }});"))
                    self.assertEqual(ended.totals["outcomes"], {"script": 1}, ended)
                    self.assertIn(why, ended.result["failures"][0]["message"])


if __name__ == "__main__":
    unittest.main()
