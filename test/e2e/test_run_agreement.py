"""One moment, one truth: whatever shows a run at the same tick shows the same figures, to the digit, also in a pause."""

import http.client
import json
import os
import re
import tempfile
import threading
import unittest

from harness.runs import LoadRun, Target
from harness.waiting import until

TOKEN = "a-token-of-enough-characters"
COMMON = 3  # ticks that two sources must have in common


class Sources:
    """What each source said, by tick."""

    def __init__(self, load, port, lines):
        self.load, self.port, self.lines = load, port, lines
        self.said = {name: {} for name in ("status", "api", "metrics", "feed")}
        self.reader = threading.Thread(target=self.follow, daemon=True)
        self.reader.start()

    def connect(self, path):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.request("GET", path, headers={"authorization": f"Bearer {TOKEN}"})
        return connection, connection.getresponse()

    def ask(self, path):
        connection, answer = self.connect(path)
        text = answer.read().decode()
        connection.close()
        return text

    def follow(self):
        connection, answer = self.connect("/api/v1/feed?interval=50ms")
        for line in answer:
            if line.startswith(b"data: "):
                moment = json.loads(line[len("data: "):])
                self.said["feed"][moment["tick"]] = moment
        connection.close()

    def look(self):
        status = json.loads(self.load.ctl("status").out)
        self.said["status"][status["tick"]] = status
        moment = json.loads(self.ask("/api/v1/run"))
        self.said["api"][moment["tick"]] = moment
        page = figures_of(self.ask("/metrics"))
        self.said["metrics"][page["tick"]] = page

    def jsonl(self):
        with open(self.lines) as file:
            whole = [line for line in file if line.endswith("\n")]
        return {moment["tick"]: moment for moment in map(json.loads, whole)}

    def in_common(self, first, second, state):
        """Pairs of moments of the same tick, while the run was in that state."""
        return [(first[tick], second[tick]) for tick in sorted(set(first) & set(second))
                if all(moment.get("state", state) == state for moment in (first[tick], second[tick]))]


def figures_of(page):
    """The figures of a page of metrics, under the names that they have in JSON."""
    def value(name, labels=""):
        found = re.findall(rf"^hyperscale_run_{name}(?:\{{[^}}]*{labels}[^}}]*\}})? (\S+)$", page, re.M)
        return sum(map(float, found))
    return {
        "tick": int(value("tick")),
        "elapsed_s": value("elapsed_seconds"),
        "requests": value("requests_total"),
        "errors": value("errors_total"),
        "rate_per_s": value("rate_per_second"),
        "users": value("users"),
        "iterations": value("iterations_total"),
        "iterations_failed": value("failed_iterations_total"),
        "dropped": value("dropped_iterations_total") + value("overdue_iterations"),
        "lag_p99_ms": value("lag_seconds") * 1000,
        "bytes_sent": value("sent_bytes_total"),
        "bytes_received": value("received_bytes_total"),
        "executors": value("executors"),
        "step_p50_ms": value("duration_seconds", 'quantile="0.5"') * 1000,
        "step_p99_ms": value("duration_seconds", 'quantile="0.99"') * 1000,
        "step_max_ms": value("duration_seconds", 'quantile="1"') * 1000,
    }


class Agreement(unittest.TestCase):
    def same(self, first, second, names):
        for name in names:
            if isinstance(first[name], float) or isinstance(second[name], float):
                # A page of metrics has seconds and doubles; JSON is rounded to a millionth.
                self.assertAlmostEqual(first[name], second[name], places=5, msg=(name, first["tick"]))
            else:
                self.assertEqual(first[name], second[name], (name, first["tick"]))

    def compare(self, sources, state):
        """Waits until all have looked at some of the same ticks, and holds their figures against each other."""
        def enough():
            sources.look()
            lines = sources.jsonl()
            others = [sources.in_common(sources.said["feed"], sources.said[name], state) for name in ("status", "api", "metrics")]
            return all(len(pairs) >= COMMON for pairs in others) and sources.in_common(sources.said["feed"], lines, state)
        until(enough, f"the sources have ticks in common while {state}", timeout_s=60)
        feed, compared = sources.said["feed"], 0
        for first, second in sources.in_common(feed, sources.said["api"], state) + sources.in_common(feed, sources.jsonl(), state):
            self.assertEqual(first, second)
            compared += 1
        for first, second in sources.in_common(sources.said["status"], feed, state):
            self.assertTrue({"tick", "elapsed_s", "requests", "rate_per_s", "p50_ms", "p99_ms", "users"} <= set(first))
            self.assertEqual(first, {name: second[name] for name in first})
            compared += 1
        for page, moment in sources.in_common(sources.said["metrics"], feed, state):
            step = moment["workflows"][0]["steps"][0]
            moment = moment | {f"step_{name}": step[name] for name in ("p50_ms", "p99_ms", "max_ms")}
            self.same(page, moment, page)
            compared += 1
        self.assertGreaterEqual(compared, 3 * COMMON + 1)

    def test_whatever_has_the_same_tick_has_the_same_figures(self):
        with tempfile.TemporaryDirectory() as folder, Target() as target:
            lines = os.path.join(folder, "live.jsonl")
            with LoadRun("--api", "127.0.0.1:0", "--ui", "ci", "-c", "3", "-d", "300s", "--threshold", "p99<10s", "--out", f"jsonl={lines}",
                         target.url + "/delay/5ms", environment={"HYPERSCALE_ADMIN_TOKEN": TOKEN}) as load:
                load.await_load(target, 4)
                found = until(lambda: re.search(r"listening on http://127\.0\.0\.1:(\d+)", load.err()), "it says where it listens")
                until(lambda: os.path.getsize(lines) > 0, "the first line")
                sources = Sources(load, int(found.group(1)), lines)
                self.compare(sources, "running")
                self.assertEqual(load.ctl("pause").code, 0)
                until(lambda: json.loads(load.ctl("status").out)["users"] == 0, "nobody is busy")
                self.compare(sources, "paused")
                paused = sources.in_common(sources.said["feed"], sources.said["api"], "paused")
                self.assertEqual({moment["rate_per_s"] for moment, _ in paused[-COMMON:]}, {0})
                load.ctl("resume")
                load.ctl("stop")
                ended = load.wait()
                self.assertEqual(ended.code, 0, ended)
                sources.reader.join(20)
                last = max(sources.jsonl().items())[1]
                self.assertEqual((last["state"], last["requests"]), ("done", ended.totals["requests"]))


if __name__ == "__main__":
    unittest.main()
