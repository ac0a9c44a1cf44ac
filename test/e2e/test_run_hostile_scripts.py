"""Scripts that loop, allocate, tamper or lie: each gets its clear error, the run goes on, and nothing takes the runner down."""

import http.server
import threading
import unittest

from harness.runs import invoke, run
from harness.scripts import ScriptTest

GOOD = "good = step(http.get(`${target}/`));"


class LongBodies(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", str(100 << 20))
        self.end_headers()
        try:
            for _ in range(100):
                self.wfile.write(b"x" * (1 << 20))
        except OSError:
            pass

    def log_message(self, *_):
        pass


class HostileScripts(ScriptTest):
    def failures(self, *fields, before="", load="static vus = 3; static iterations = 6;", bad="bad"):
        """Runs it, sees the other step untouched, and gives the messages of the bad one."""
        ended = run(self.shop(*fields, GOOD, before=before, load=load), "--cores", "1")
        steps = self.steps(ended)
        self.assertEqual((steps["good"]["requests"], steps["good"]["errors"]), (6, 0), ended)
        self.assertEqual(steps[bad]["errors"], steps[bad]["requests"], ended)
        return [failure["message"] for failure in ended.result["failures"]]

    def test_an_endless_loop(self):
        message, = self.failures("bad = step(http, () => { while (true); });")
        self.assertRegex(message, r'shop\.js:6(:\d+)?: step "bad": the script ran for more than 250ms')

    def test_one_user_that_loops_leaves_the_others_alone(self):
        ended = run(self.shop("a = step(http, ({ client, vu }) => { if (vu === 1) while (true); return client.http.get(`${target}/`); });",
                              load="static vus = 4; static iterations = 40;"), "--cores", "1")
        step = self.steps(ended)["a"]
        self.assertGreater(step["outcomes"]["ok"], step["outcomes"]["script"])
        self.assertEqual(step["outcomes"]["ok"] + step["outcomes"]["script"], 40, ended)

    def test_a_deep_recursion(self):
        message, = self.failures("bad = step(http, () => { const f = (n) => f(n + 1) + 1; return f(0); });")
        self.assertRegex(message, r'shop\.js:6:\d+: step "bad": RangeError')

    def test_a_promise_that_never_resolves(self):
        message, = self.failures("bad = step(http, () => new Promise(() => {}));")
        self.assertIn("waits for a promise that nothing is going to settle", message)

    def test_a_getter_that_throws(self):
        message, = self.failures("bad = step(http, async ({ client }) => client.http.get(`${target}/`, { get headers() { throw new Error('not me'); } }));")
        self.assertIn("not me", message)

    def test_a_wrong_result(self):
        message, = self.failures("bad = step(http, async ({ client }) => { await client.http.get(`${target}/`); });")
        self.assertIn("must return the response of a call, but it returned nothing; is a return missing?", message)

    def test_tampering_with_what_users_share(self):
        message, = self.failures("bad = step(http, () => { 'use strict'; Array.prototype.map = () => 'mine'; });")
        self.assertRegex(message, r"TypeError: .*read.?only|TypeError: Attempted to assign to readonly property|not extensible")

    def test_reading_files_and_opening_sockets(self):
        for code in ("require('fs').readFileSync('/etc/passwd')", "process.exit(1)", "new WebSocket('ws://127.0.0.1/')", "fetch('file:///etc/passwd')",
                     "new Function('return 1')()", "eval('1')", "importScripts('/etc/passwd')", "new XMLHttpRequest()"):
            with self.subTest(code):
                message, = self.failures(f"bad = step(http, () => {code});")
                self.assertRegex(message, r"shop\.js:6:\d+: step \"bad\": (ReferenceError|EvalError|TypeError)")
        refused = invoke("run", self.shop(GOOD, before="import fs from 'fs';"))
        self.assertEqual(refused.code, 2, refused)
        self.assertIn("shop.js:3:", refused.err)

    def test_an_allocation_bomb(self):
        ended = run(self.shop("bad = step(http, ({ vu, client }) => { if (vu > 0) return client.http.get(`${target}/`); const all = []; for (;;) all.push(new Array(1000).fill(vu)); });", GOOD,
                              load="static vus = 3; static iterations = 30;"), "--cores", "1")
        self.assertIn(ended.code, (0, 1), ended)
        self.assertGreaterEqual(self.steps(ended)["good"]["requests"], 10, ended)
        text = " ".join(failure["message"] for failure in ended.result["failures"]) + ended.err
        self.assertRegex(text, r"more memory than it may|ran for more than 250ms|took more than|killed by signal", ended)

    def test_a_native_allocation_kills_the_executor_and_its_share_goes_on(self):
        ended = run(self.shop(
            # Only the first executor finds so few requests; /count does not count itself.
            "bad = step(http, async ({ client, iteration }) => {",
            "  const { requests } = (await client.http.get(`${target}/count`)).json();",
            "  if (iteration === 2 && requests === 2) { const all = []; for (let i = 0; i < 400; i++) all.push(new Uint8Array(64 << 20).fill(1)); }",
            "  return client.http.get(`${target}/delay/10ms`); });",
            load="static vus = 1; static duration = '10s';"), "--cores", "1")
        self.assertEqual(ended.result["executors"][0]["end"], "restarted", ended)
        self.assertRegex(ended.err + ended.out, r"its script took more than 2(\.0)? ?GiB of memory|memory than it may|ran for more than", ended)
        self.assertGreater(ended.totals["requests"], 10, "the first executor made two")

    def test_a_body_of_100_megabytes(self):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), LongBodies)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(server.shutdown)
        message, = self.failures(
            f"bad = step(http, async ({{ client }}) => {{ const a = await client.http.get('http://127.0.0.1:{server.server_port}/'); a.text(); return a; }});")
        self.assertIn("the body of this answer is not kept: a script can read 16 MB of one answer", message)

    def test_an_endless_chain_of_jobs(self):
        message, = self.failures("bad = step(http, async () => { for (;;) await null; });")
        self.assertIn("ran for more than 250ms", message)


if __name__ == "__main__":
    unittest.main()
