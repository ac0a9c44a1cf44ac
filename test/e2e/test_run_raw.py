"""Raw TCP, TLS and UDP: what the target received is what the result says; what goes wrong has a name; real servers agree."""

import json
import os
import tempfile
import unittest

from harness.peers import Dnsmasq, Redis
from harness.runs import LoadRun, Target, invoke, run

# The million is for the slow run: HYPERSCALE_RAW_EXCHANGES=1000000.
EXCHANGES = int(os.environ.get("HYPERSCALE_RAW_EXCHANGES", "100000"))
LONGEST_RUN_S = 200
PING = ("--send", r"PING\r\n", "--until", r"\r\n")


class RawTarget(unittest.TestCase):
    target_arguments = ()

    @classmethod
    def setUpClass(cls):
        cls.target = Target("--tcp", "0", "--udp", "0", *cls.target_arguments)
        cls.addClassCleanup(cls.target.close)

    def compare(self, protocol, *arguments):
        self.target.take_count()
        with LoadRun(*arguments, "--ui", "none") as load:
            ended = load.wait(LONGEST_RUN_S)
        counted = self.target.take_count()[protocol]
        self.assertEqual(ended.totals["requests"] + ended.result["warmup_requests"], counted, ended)
        self.assertEqual(ended.totals["statuses"], {})
        self.assertEqual(sum(ended.totals["outcomes"].values()), ended.totals["requests"])
        return ended


class Counts(RawTarget):
    def test_exchanges_are_counted_equally(self):
        for protocol, url, arguments in (("tcp", self.target.tcp, PING), ("udp", self.target.udp, ("--send", "x"))):
            for loop in ("epoll", "io_uring"):
                with self.subTest(protocol, loop=loop):
                    ended = self.compare(protocol, url, *arguments, "-c", "50", "-n", str(EXCHANGES), "--loop", loop)
                    self.assertEqual(ended.code, 0, ended)
                    self.assertEqual(ended.totals["outcomes"], {"ok": EXCHANGES})
                    self.assertEqual((ended.result["protocol"], ended.result["late"]), (protocol.upper(), 0))
                    self.assertEqual(ended.totals["connections_opened"], 50 if protocol == "tcp" else 0)

    def test_every_pace_works(self):
        for name, arguments in (
            ("time", ("-c", "4", "-d", "200ms")), ("rate", ("-r", "500", "-d", "400ms")),
            ("warm-up", ("-c", "2", "--warmup", "100ms", "-d", "200ms")), ("no keep-alive", ("-n", "50", "--no-keepalive")),
            ("new users", ("-n", "50", "--new-user-per-iteration")),
        ):
            with self.subTest(name):
                self.assertEqual(self.compare("tcp", self.target.tcp, *PING, *arguments).totals["errors"], 0)
                self.assertEqual(self.compare("udp", self.target.udp, "--send", "x", *arguments).totals["errors"], 0)

    def test_expectations_and_thresholds(self):
        good = run(self.target.tcp, *PING, "--expect-body", "PONG", "-n", "100", "--threshold", "p99<30s")
        self.assertEqual(good.code, 0, good)
        slow = run(self.target.tcp, *PING, "-n", "100", "--threshold", "p99<1ns")
        self.assertEqual((slow.code, slow.totals["outcomes"]), (99, {"ok": 100}))
        bad = run(self.target.tcp, *PING, "--expect-body", "GONE", "-n", "100")
        self.assertEqual((bad.code, bad.totals["outcomes"]), (1, {"body_mismatch": 100}))


class Failures(RawTarget):
    def test_a_closed_connection_is_not_hidden(self):
        ended = self.compare("tcp", self.target.tcp, "--send", r"CLOSE\r\n", "--until", r"\r\n", "-n", "20", "-c", "2")
        self.assertEqual(ended.totals["outcomes"], {"closed": 20})
        self.assertEqual(ended.totals["resent"], 0)

    def test_stray_bytes_never_answer_the_next_exchange(self):
        ended = self.compare("tcp", self.target.tcp, "--send", r"STRAY\r\n", "--until", r"\r\n", "--expect-body", "+STRAY", "-n", "50", "-c", "5")
        self.assertEqual(ended.totals["outcomes"], {"ok": 50})
        self.assertEqual(ended.totals["connections_opened"], 50)
        self.assertEqual(ended.totals["connection_frames"]["bytes_received"], 50 * len("-NOBODY asked for this\r\n"))

    def test_a_timeout(self):
        ended = run(self.target.tcp, "--send", r"NEVER\r\n", "--until", r"\r\n", "--timeout", "100ms", "-n", "4", "-c", "2")
        self.assertEqual(ended.totals["outcomes"], {"first_byte_timeout": 4})

    def test_late_datagrams_are_counted_and_answer_nothing(self):
        ended = run(self.target.udp, "--send", "DELAY 250ms x", "--timeout", "100ms", "-d", "1500ms", "-c", "1")
        self.assertEqual(set(ended.totals["outcomes"]), {"first_byte_timeout"}, ended)
        self.assertGreater(ended.result["late"], 3, ended)
        self.assertIn("late datagrams", ended.out)

    def test_nobody_listens(self):
        ended = run("udp://127.0.0.1:9", "--send", "x", "-n", "3", "-c", "1")
        self.assertEqual(ended.totals["outcomes"], {"refused": 3}, ended)


class Secure(RawTarget):
    target_arguments = ("--tls",)

    def test_tls_carries_the_same_bytes(self):
        self.assertTrue(self.target.tcp.startswith("tls://"))
        ended = self.compare("tcp", self.target.tcp, *PING, "--expect-body", "PONG", "-k", "-c", "4", "-n", "2000")
        self.assertEqual((ended.totals["outcomes"], ended.result["protocol"]), ({"ok": 2000}, "TLS"))
        self.assertEqual(ended.totals["phases"]["tls_ms"]["count"], 4)
        refused = run(self.target.tcp, *PING, "-n", "1", "-c", "1")
        self.assertEqual(refused.totals["outcomes"], {"tls": 1})

    def test_try_shows_the_certificate(self):
        tried = invoke("try", "--json", self.target.tcp, *PING, "-k")
        exchange = json.loads(tried.out)["exchanges"][0]
        self.assertEqual((exchange["sent"], exchange["received"]), (r"PING\r\n", r"+PONG\r\n"))
        self.assertIn("TLSv1", exchange["tls"]["version"])
        self.assertEqual(exchange["tls"]["alpn"], "")


class OverIpv6(RawTarget):
    target_arguments = ("--listen", "[::1]:0")

    def test_an_address_in_brackets(self):
        self.assertIn("[::1]", self.target.tcp)
        self.assertEqual(self.compare("tcp", self.target.tcp, *PING, "-n", "100").totals["outcomes"], {"ok": 100})
        self.assertEqual(self.compare("udp", self.target.udp, "--send", "x", "-n", "100").totals["outcomes"], {"ok": 100})


class Try(RawTarget):
    def test_bytes_are_shown_with_escapes(self):
        tried = invoke("try", self.target.tcp, "--send", r"ECHO \x01\t\r\n", "--until", r"\r\n")
        self.assertEqual(tried.code, 0, tried)
        self.assertIn("> ECHO \\x01\\t\\r\\n\n\n< +\\x01\\t\\r\\n\n", tried.out)
        self.assertIn("by TCP", tried.out)
        tried = invoke("try", self.target.udp, "--send", r"\xff\x00")
        self.assertIn("> \\xff\\x00\n\n< \\xff\\x00\n", tried.out)


WORKFLOW = r"""
import { Workflow, check, step, tcp, udp } from 'hyperscale';
export class Raw extends Workflow {
  static vus = 2;
  static iterations = 100;
  ping = step(tcp('%(tcp)s', { send: 'PING\r\n', until: '\r\n', expect: 'PONG' }));
  first = step(udp('%(udp)s', { send: new Uint8Array([0, 1, 255]), name: 'datagram' }));
  both = step(tcp, ['ping', 'first'], async ({ client, ping }) => {
    const answers = await Promise.all([client.tcp('%(tcp)s', { send: ping.body.slice(1), until: '\n' }), client.udp('%(udp)s', { send: ping.bytes, name: 'back' })]);
    if (answers[1].body !== '+PONG\r\n') throw new Error(`not the same: ${answers[1].body}`);
    return answers[0];
  });
  gone = step('both', async ({ client }) => {
    const answer = await client.udp('udp://127.0.0.1:9', { send: 'x', timeout: '5s' });
    if (answer.ok || !answer.error.includes('nobody listens') || answer.body !== '' || answer.bytes.length > 0) throw new Error(`it is ${answer.error}`);
  });
  same = check('first', ({ first }) => first.ok && first.bytes.length === 3 && first.bytes[2] === 255 && first.status === undefined);
  unknown = check('both', ({ both }) => both.body.startsWith('-ERR'));
}
"""


class Workflows(RawTarget):
    def write(self, text):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = os.path.join(folder.name, "raw.js")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text % {"tcp": self.target.tcp, "udp": self.target.udp})
        return path

    def test_steps_and_functions_send_bytes(self):
        self.target.take_count()
        ended = run(self.write(WORKFLOW))
        counted = self.target.take_count()
        self.assertEqual((counted["tcp"], counted["udp"]), (200, 200), ended)
        steps = {step["name"]: step["outcomes"] for step in ended.result["steps"]}
        self.assertEqual(steps["ping"], {"ok": 100}, ended)
        self.assertEqual((steps["datagram"], steps["both"], steps["back"]), ({"ok": 100}, {"ok": 100}, {"ok": 100}), ended)
        self.assertEqual(steps["UDP 127.0.0.1:9"], {"refused": 100}, ended)
        self.assertEqual([(check["name"], check["failed"]) for check in ended.result["checks"]], [("same", 0), ("unknown", 0)])
        self.assertEqual(ended.result["protocol"], "TCP and UDP")
        tried = invoke("try", self.write(WORKFLOW))
        self.assertIn("> PING\\r\\n", tried.out)

    def test_mistakes_are_told_before_the_run(self):
        for call, message in (
            ("tcp('%(udp)s', { send: 'x' })", "tcp() takes a URL first, tcp://host:port or tls://host:port"),
            ("tcp('%(tcp)s', {})", "tcp() needs { send }"),
            ("tcp('%(tcp)s', { send: '' })", 'option "send" of tcp() must be a text or bytes'),
            ("tcp('%(tcp)s', { send: 'x', until: 'y', read: 3 })", "read: contradicts until"),
            ("udp('%(udp)s', { send: 'x', headers: {} })", 'udp() has no option "headers"'),
            ("tcp('tcp://localhost', { send: 'x' })", "the URL has no port"),
            ("http.get('%(tcp)s')", 'the scheme "tcp" is for raw bytes'),
        ):
            with self.subTest(call):
                ended = invoke("check", self.write(f"import {{ Workflow, http, step, tcp, udp }} from 'hyperscale';\nexport class A extends Workflow {{ a = step({call}); }}\n"))
                self.assertEqual(ended.code, 2, ended)
                self.assertIn(message, ended.err)


class RealServers(unittest.TestCase):
    def test_redis_answers_ping(self):
        with Redis() as redis:
            ended = run(f"tcp://127.0.0.1:{redis.port}", *PING, "--expect-body", "+PONG", "-n", "10000", "-c", "20")
            self.assertEqual((ended.code, ended.totals["outcomes"]), (0, {"ok": 10000}), ended)
            self.assertEqual(redis.calls("ping"), 10000)
            ended = run(f"tcp://127.0.0.1:{redis.port}", "--send", r"*1\r\n$4\r\nPING\r\n", "--read", "7", "-n", "1000")
            self.assertEqual(ended.totals["outcomes"], {"ok": 1000}, ended)

    def test_dns_answers_a_question(self):
        question = r"\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x04host\x04test\x00\x00\x01\x00\x01"
        with Dnsmasq({"host.test": "192.0.2.7"}) as dns:
            url = f"udp://127.0.0.1:{dns.port}"
            ended = run(url, "--send", question, "--expect-body", "host", "-n", "2000", "-c", "10")
            self.assertEqual((ended.code, ended.totals["outcomes"]), (0, {"ok": 2000}), ended)
            tried = invoke("try", "--json", url, "--send", question)
            self.assertTrue(json.loads(tried.out)["exchanges"][0]["received"].endswith(r"\x00\x04\xc0\x00\x02\x07"), tried)


if __name__ == "__main__":
    unittest.main()
