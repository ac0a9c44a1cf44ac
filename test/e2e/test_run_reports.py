"""Files, streams, thresholds and the terminal: what a person and a script get out of a run."""

import csv
import fcntl
import html.parser
import io
import json
import os
import pty
import re
import struct
import subprocess
import tempfile
import termios
import unittest

from harness.node import binary, clean_environment
from harness.runs import LoadRun, Target, invoke

ESCAPE = "\x1b"
SCREEN, NO_SCREEN = "\x1b[?1049h", "\x1b[?1049l"


def on_a_terminal(*arguments, environment=None):
    """Exit code and what a terminal of 100 columns received."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
    process = subprocess.Popen(
        [binary(), *arguments], env=clean_environment({"TERM": "xterm", "LC_ALL": "C.UTF-8", **(environment or {})}),
        stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs,
    )
    os.close(theirs)
    said = b""
    try:
        while received := os.read(ours, 65536):
            said += received
    except OSError:
        pass  # how Linux says that the other side has closed
    os.close(ours)
    return process.wait(), said.decode()


class References(html.parser.HTMLParser):
    """Collects what a browser would fetch."""

    FETCHING = {"src", "href", "xlink:href", "srcset", "data", "poster", "action", "background"}

    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)
        self.found += re.findall(r"url\((?!['\"]?(?:#|data:))[^)]*\)|@import[^;]*;", text)

    def handle_starttag(self, tag, attrs):
        self.found += [f"{tag} {name}={value}" for name, value in attrs
                       if name in self.FETCHING and value and not value.startswith(("#", "data:"))]


class ReportsCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.target = Target()
        cls.addClassCleanup(cls.target.close)

    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.environment = {"XDG_RUNTIME_DIR": self.folder, "LC_ALL": "C.UTF-8"}

    def path(self, name):
        return os.path.join(self.folder, name)

    def run_load(self, *arguments, path="/"):
        return invoke("run", "-c", "4", *arguments, self.target.url + path, environment=self.environment)

    def read(self, name):
        with open(self.path(name)) as file:
            return file.read()


class Thresholds(ReportsCase):
    def test_exit_0_when_all_hold_and_99_when_one_does_not(self):
        ended = self.run_load("-n", "100", "--threshold", "p99<10s", "--threshold", "errors<1%")
        self.assertEqual(ended.code, 0, ended)
        self.assertIn("all passed", ended.out)
        file = f"json={self.path('failed')}"
        ended = self.run_load("-n", "100", "--threshold", "p99<10s", "--threshold", "errors<1%", "--out", file, path="/status/200,500@10")
        self.assertEqual(ended.code, 99, ended)
        result = json.loads(self.read("failed"))
        self.assertFalse(result["thresholds_passed"])
        self.assertEqual([(t["threshold"], t["passed"]) for t in result["thresholds"]], [("p99<10s", True), ("errors<1%", False)])
        self.assertEqual(result["thresholds"][1]["actual"], "10%")

    def test_exit_1_when_nothing_succeeded(self):
        self.assertEqual(self.run_load("-n", "10", path="/status/500").code, 1)
        self.assertEqual(self.run_load("-n", "10", "--expect-status", "500", path="/status/500").code, 0)

    def test_a_body_that_was_not_expected(self):
        ended = self.run_load("-n", "10", "--expect-body", "no such text", "--out", f"json={self.path('j')}", "--ui", "none")
        self.assertEqual(ended.code, 1, ended)
        self.assertEqual(json.loads(self.read("j"))["totals"]["outcomes"], {"body_mismatch": 10})


class Files(ReportsCase):
    # proves part: LOCAL-6 (name, mode, timeout, tags of one workflow; not: tags of several kept apart in results)
    def test_json_on_standard_output_is_alone_there(self):
        ended = self.run_load("-n", "50", "--out", "json=-", "--tag", "branch=main", "--name", "smoke")
        self.assertEqual(ended.code, 0, ended)
        result = json.loads(ended.out)
        self.assertEqual((result["schema"], result["name"], result["tags"]), ("hyperscale/results/1", "smoke", {"branch": "main"}))
        self.assertEqual(result["totals"]["requests"], 50)
        self.assertRegex(ended.err, r"requests +50")  # the summary makes room

    def test_csv_has_a_row_per_second(self):
        ended = self.run_load("-d", "2s", "--out", f"csv={self.path('c')}", "--out", f"json={self.path('j')}", path="/delay/5ms")
        self.assertEqual(ended.code, 0, ended)
        rows = list(csv.DictReader(io.StringIO(self.read("c"))))
        self.assertEqual([round(float(row["start_s"])) for row in rows], [0, 1])
        self.assertEqual(sum(int(row["requests"]) for row in rows), json.loads(self.read("j"))["totals"]["requests"])

    def test_html_is_one_file_without_references(self):
        self.assertEqual(self.run_load("-n", "50", "--out", f"html={self.path('h')}").code, 0)
        page = self.read("h")
        self.assertIn("<svg", page)
        self.assertEqual(References(page).found, [])
        self.assertEqual(re.findall(r"https?://(?!127\.0\.0\.1|www\.w3\.org/)[^\s\"'<]+", page), [])

    def test_html_shows_foreign_text_as_text(self):
        self.run_load("-n", "5", "--name", "<script>alert(1)</script>", "--out", f"html={self.path('h')}")
        self.assertNotIn("<script>alert", self.read("h"))

    def test_several_outputs_at_once(self):
        outputs = [word for kind in ("json", "csv", "html") for word in ("--out", f"{kind}={self.path(kind)}")]
        self.assertEqual(self.run_load("-n", "50", *outputs).code, 0)
        self.assertTrue(all(self.read(kind) for kind in ("json", "csv", "html")))

    def test_samples_have_a_row_per_request(self):
        for name in ("rows.csv", "rows.jsonl"):
            with self.subTest(name):
                ended = self.run_load("-n", "500", "--cores", "2", "--out", f"samples={self.path(name)}",
                                      "--out", f"json={self.path('j')}", path="/redirect/1")
                self.assertEqual(ended.code, 0, ended)
                text = self.read(name)
                rows = list(csv.DictReader(io.StringIO(text))) if name.endswith("csv") else list(map(json.loads, text.splitlines()))
                result = json.loads(self.read("j"))
                self.assertEqual(len(rows), result["totals"]["requests"])
                self.assertEqual({row["outcome"]: None for row in rows}.keys(), result["totals"]["outcomes"].keys())
                self.assertEqual({str(row["executor"]) for row in rows}, {"0", "1"})
                self.assertAlmostEqual(max(float(row["duration_ms"]) for row in rows), result["totals"]["duration_ms"]["max"], places=3)
                self.assertEqual(result["warnings"], [warning for warning in result["warnings"] if "missing" not in warning])

    def test_redirects_of_calls_are_no_missing_samples(self):
        with open(self.path("w.js"), "w") as file:
            file.write("import { Workflow, http, step } from 'hyperscale';\nexport class Home extends Workflow {\n"
                       "  static iterations = 20; static vus = 2;\n"
                       f"  home = step(http, ({{ client }}) => client.http.get('{self.target.url}/redirect/2'));\n}}\n")
        ended = invoke("run", self.path("w.js"), "--out", f"samples={self.path('s')}", "--out", f"json={self.path('j')}",
                       environment=self.environment)
        self.assertEqual(ended.code, 0, ended)
        result = json.loads(self.read("j"))
        self.assertEqual((result["totals"]["requests"], len(list(csv.DictReader(io.StringIO(self.read("s")))))), (60, 20))
        self.assertNotIn("missing", ended.out + ended.err)

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full")
    def test_samples_that_cannot_be_written_are_counted(self):
        ended = self.run_load("-n", "50", "--out", "samples=/dev/full", "--out", f"json={self.path('j')}")
        self.assertEqual(ended.code, 1, ended)
        self.assertIn("cannot write /dev/full: No space left on device", ended.err)
        self.assertIn("samples: 50 samples are missing.", json.loads(self.read("j"))["warnings"])

    def test_files_that_cannot_grow_are_refused_before_the_run(self):
        os.mkfifo(self.path("pipe"))
        for kind in ("jsonl", "samples"):
            refused = self.run_load("-n", "10", "--out", f"{kind}={self.path('pipe')}")
            self.assertEqual((refused.code, refused.out), (2, ""), refused)
            self.assertEqual(refused.err, f"hyperscale run: cannot write {self.path('pipe')}: no program reads this pipe\n")

    def test_a_signal_ends_the_waiting_for_a_slow_reader(self):
        os.mkfifo(self.path("pipe"))
        reader = os.open(self.path("pipe"), os.O_RDONLY | os.O_NONBLOCK)
        self.addCleanup(os.close, reader)
        with LoadRun("-n", "5000", "--out", f"samples={self.path('pipe')}", self.target.url) as load:
            load.await_err("samples is still being written; Ctrl-C ends it")
            load.interrupt()
            ended = load.wait()
        self.assertEqual(ended.code, 1, ended)
        self.assertIn("samples was cut off by a signal", ended.err)
        self.assertRegex(ended.out, r"requests +5,000")
        missing = re.search(r"samples: ([\d,]+) samples are missing", " ".join(ended.result["warnings"])).group(1)
        rows = os.read(reader, 1 << 20).count(b"\n") - 1
        self.assertIn(rows + int(missing.replace(",", "")), range(5000, 5129), "one piece may count twice")

    def test_the_baseline_is_compared(self):
        self.assertEqual(self.run_load("-n", "50", "--out", f"json={self.path('old')}", path="/delay/20ms").code, 0)
        ended = self.run_load("-n", "50", "--baseline", self.path("old"))
        self.assertEqual(ended.code, 0, ended)
        self.assertIn(f"Compared with {self.path('old')}", ended.out)
        self.assertRegex(ended.out, r"before +now +change")
        self.assertRegex(ended.out, r"p50 +2\d\.\dms +\S+ +-\d+\.\d% +better")


class Screen(ReportsCase):
    def test_ui_none_says_nothing_but_errors(self):
        ended = self.run_load("-n", "50", "--ui", "none")
        self.assertEqual((ended.code, ended.out, ended.err), (0, "", ""))
        ended = self.run_load("-n", "50", "--ui", "none", "--threshold", "errors>1%")
        self.assertEqual((ended.code, ended.out, ended.err), (99, "", "hyperscale run: threshold errors>1% failed: 0%\n"))
        ended = self.run_load("-n", "0", "--ui", "none")
        self.assertEqual((ended.code, ended.out, ended.err.count("\n")), (2, "", 1))

    def test_no_colours_and_no_live_line_without_a_terminal(self):
        ended = self.run_load("-d", "300ms", path="/delay/5ms")
        self.assertIn("latency", ended.out)
        self.assertNotIn(ESCAPE, ended.out + ended.err)
        self.assertNotIn("\r", ended.out + ended.err)
        self.assertEqual(ended.err, "")

    def test_plain_letters_where_the_locale_has_no_others(self):
        ended = invoke("run", "-n", "50", self.target.url, environment={**self.environment, "LC_ALL": "C"})
        self.assertTrue(ended.out.isascii(), ended.out)

    # proves: LOCAL-2, UI-2
    def test_a_terminal_gets_a_screen_that_is_gone_afterwards(self):
        code, said = on_a_terminal("run", "-c", "2", "-d", "450ms", self.target.url + "/delay/5ms", environment=self.environment)
        self.assertEqual(code, 0, said)
        self.assertEqual(said.count(SCREEN), 1, said)
        drawn, rest = said.split(SCREEN, 1)[1].split(NO_SCREEN, 1)
        self.assertIn("requests", drawn)
        self.assertRegex(rest, r"^\s*(\x1b\[[0-9;?]*[a-z]|\s)*\x1b\[1mGET", "the summary follows the screen, in colours")

    def test_no_color_is_respected(self):
        code, said = on_a_terminal("run", "-n", "20", self.target.url, environment={**self.environment, "NO_COLOR": "1"})
        self.assertEqual(code, 0, said)
        self.assertIn("latency", said)
        self.assertEqual([style for style in re.findall(r"\x1b\[[0-9;]*m", said) if re.search(r"[34]\d", style)], [])

    # proves: UI-2
    def test_ui_ci_draws_no_screen_on_a_terminal(self):
        code, said = on_a_terminal("run", "-n", "20", "--ui", "ci", self.target.url, environment=self.environment)
        self.assertEqual(code, 0, said)
        self.assertNotIn(SCREEN, said)
        self.assertIn("latency", said, "the table at the end")

    # proves: UI-2
    def test_ui_none_is_silent_on_a_terminal_too(self):
        self.assertEqual(on_a_terminal("run", "-n", "20", "--ui", "none", self.target.url, environment=self.environment), (0, ""))


if __name__ == "__main__":
    unittest.main(verbosity=2)
