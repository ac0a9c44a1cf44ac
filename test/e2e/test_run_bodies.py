"""Bodies of answers: compressed ones are understood, and those that are kept are bounded."""

import gzip
import unittest
import zlib

from harness.recorder import Answering
from harness.runs import invoke, run
from harness.scripts import ScriptTest


class Compressed(unittest.TestCase):
    def test_all_that_can_be_unpacked_is_asked_for(self):
        with Answering(lambda _: (200, [], b"")) as server:
            ended = run("-c", "1", "-n", "1", "--compressed", server.url + "/")
            self.assertEqual(ended.code, 0, ended)
            self.assertEqual(server.seen[0].headers["accept-encoding"], "gzip, deflate, br, zstd")
            ended = run("-c", "1", "-n", "1", "--compressed", "-H", "accept-encoding: br", server.url + "/")
            self.assertEqual(ended.code, 2, ended)

    def test_members_case_and_rows_of_codings(self):
        first, last = gzip.compress(b"first member, "), gzip.compress(b"last member")
        for encoding, body in (("GZip", first + last), ("deflate, gzip", gzip.compress(zlib.compress(b"last member")))):
            with self.subTest(encoding), Answering(lambda _: (200, [("Content-Encoding", encoding)], body)) as server:
                ended = run("-c", "1", "-n", "2", "--expect-body", "last member", server.url + "/")
                self.assertEqual((ended.code, ended.totals["outcomes"]), (0, {"ok": 2}), ended)
                said = invoke("try", server.url + "/")
                self.assertIn("last member", said.out)


class Kept(ScriptTest):
    def test_more_than_an_executor_keeps_is_an_outcome(self):
        ended = run("--cores", "1", "--timeout", "25s", "--ui", "ci", self.shop(
            "page = step(http, async ({ client }) => {",
            "  const answers = await Promise.all(Array.from({ length: 30 }, () => client.http.get(`${target}/size/12MiB`)));",
            "  return answers.find((answer) => answer.status === 0) ?? answers[0];",
            "});",
            load="static vus = 1; static iterations = 1;"))
        outcomes = ended.totals["outcomes"]
        self.assertEqual((ended.totals["requests"], set(outcomes)), (30, {"ok", "body_limit"}), ended)
        self.assertGreaterEqual(outcomes["body_limit"], 30 - 256 // 12, ended)
        self.assertIn("256 MiB", ended.result["failures"][0]["message"])
        self.assertNotIn("killed", ended.out + ended.err)


if __name__ == "__main__":
    unittest.main()
