"""One moment, one truth: whatever shows a run at the same tick shows the same figures, to the digit, also in a pause."""

import http.client
import itertools
import json
import os
import re
import tempfile
import threading
import unittest

from harness.node import binary
from harness.runs import LoadRun, Target, invoke
from harness.tmux import Tmux
from harness.waiting import POLL_S, until

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


UNITS = {"": 1, "k": 1e3, "M": 1e6, "G": 1e9, "B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "ns": 1e-6, "µs": 1e-3, "ms": 1, "s": 1e3, "iterations": 1}
STATES = {"✓": "passing", "✗": "failing", "·": "pending"}
STEPS = 900  # a world of so many steps ticks 17 times a second instead of 60: time to ask all sources within a tick


def number_in(text):
    """Counts and rates as they are, times in ms; "" and "-" are 0. The screen shows three digits of what is not a count."""
    found = re.match(r"([\d,.]+) ?([A-Za-zµ]*)", text)
    return float(found.group(1).replace(",", "")) * UNITS[found.group(2)] if found else 0


def seconds_in(text):
    """Of a clock: 7s, 1m07s, 2h05m."""
    return sum(int(number) * {"h": 3600, "m": 60, "s": 1}[unit] for number, unit in re.findall(r"(\d+)([hms])", text))


class Screen:
    """The figures of a screen of 200 x 60 cells, under the names that they have in JSON."""

    def __init__(self, text):
        self.rows = text.splitlines()
        self.tick = int(re.search(r"tick (\d+) ", self.rows[-1]).group(1))
        facts = self.rows[3].rindex(" run ") + 1
        self.state = re.search(r" (\w+)(, failing)?$", self.rows[1]).group(1)
        elapsed, planned = re.search(r" (\w+) of (\w+)  \w+ left$", self.rows[5]).groups()
        rate, overall = self.card("rate now")
        requests, iterations = self.card("requests")
        errors, failed = self.card("errors")
        lag, executors = self.card("lag p99")
        self.seconds = {"elapsed_s": seconds_in(elapsed), "planned_s": seconds_in(planned)}
        self.exact = {
            "run_id": self.rows[3][facts:].split()[1],
            "name": re.split(r" {2,}", self.rows[1][facts:])[0],
            "http_version": re.split(r" {2,}", self.rows[2][facts:])[1],
            "requests": number_in(requests),
            "errors": number_in(errors),
            "users": number_in(self.card("users")[0]),
            "dropped": number_in(self.card("dropped")[0]),
            "executors": number_in(executors),
            "outcomes": {row.split()[0]: number_in(row.split()[1]) for row in self.panel("Outcomes")},
            "thresholds": [dict(zip(("state", "threshold", "actual"), (STATES[row[0]], *row[1:].split()))) for row in self.panel("Thresholds")],
        }
        self.rounded = {
            "rate_per_s": number_in(rate),
            "total_rate_per_s": number_in(overall),
            "iterations": number_in(iterations),
            "lag_p99_ms": number_in(lag),
            "bytes_sent": number_in(self.card("sent")[1]),
            "bytes_received": number_in(self.card("received")[1]),
        }
        if failed.endswith(" failed"):  # shown where it differs from the errors
            self.rounded["iterations_failed"] = number_in(failed)
        self.steps = dict(self.step_rows())

    @staticmethod
    def of(text):
        """None before all panels are there."""
        complete = "tick " in text and "Thresholds ─" in text and re.search(r"^ step  .* ok  ", text, re.M) and "no data" not in text
        return Screen(text) if complete else None

    def card(self, label):
        """The value below a label and the note below that."""
        at, found = next((at, found) for at, row in enumerate(self.rows) if (found := re.search(rf"(?:^ |  )({label})(?:  |$)", row)))
        return [re.split(r" {3}", row[found.start(1):])[0].strip() for row in self.rows[at + 1:at + 3]]

    def panel(self, title):
        """The rows below a title, up to an empty one."""
        at, begin = next((at, row.index(title + " ─")) for at, row in enumerate(self.rows) if title + " ─" in row)
        end = self.rows[at].find("   ", begin)
        cells = (row[begin:end if end > 0 else None].strip() for row in self.rows[at + 1:])
        return list(itertools.takewhile(bool, cells))

    def step_rows(self):
        """Those that fit: their exact figures and the rounded ones, by name."""
        at = next(at for at, row in enumerate(self.rows) if row.startswith(" step  "))
        end = self.rows[at - 1].index("   Outcomes ─")
        for row in self.rows[at + 1:]:
            name, *cells = re.split(r" {2,}", row[1:end].strip())
            if len(cells) == 8:  # with the share of errors
                del cells[3]
            if len(cells) != 7:
                return
            count, rate, errors, *latencies = map(number_in, cells)
            yield name, ({"requests": count, "errors": errors},
                         {"rate_per_s": rate, **dict(zip(("p50_ms", "p95_ms", "p99_ms", "max_ms"), latencies, strict=True))})


class Poller:
    """Asks one source again and again in a thread of its own, and keeps what it said by tick."""

    def __init__(self, look):
        self.said, self._look, self._over, self._failure = {}, look, threading.Event(), None
        self._thread = threading.Thread(target=self._poll, daemon=True)
        self._thread.start()

    def _poll(self):
        try:
            while not self._over.wait(POLL_S):
                if found := self._look():
                    self.said[found[0]] = found[1]
        except Exception as failure:
            self._failure = failure

    def ticks(self):
        """Raises what has ended the polling."""
        if self._failure:
            raise self._failure
        return set(self.said)

    def stop(self):
        self._over.set()
        self._thread.join()


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

    def expect_on_screen(self, screen, moment):
        for name, shown in screen.exact.items():
            self.assertEqual(shown, moment[name], (name, screen.tick))
        for name, shown in screen.seconds.items():
            self.assertEqual(shown, int(moment[name]), (name, screen.tick))
        self.expect_rounded(screen.rounded, moment, screen.tick)
        steps = {step["name"]: step for step in moment["workflows"][0]["steps"]}
        self.assertLessEqual({"home", "search", "order"}, screen.steps.keys())
        for name, (exact, rounded) in screen.steps.items():
            self.assertEqual(exact, {figure: steps[name][figure] for figure in exact}, (name, screen.tick))
            self.expect_rounded(rounded, steps[name], (name, screen.tick))

    def expect_rounded(self, shown, moment, where):
        for name, value in shown.items():
            self.assertAlmostEqual(value, moment[name], delta=0.00501 * moment[name], msg=(name, where))

    def write_workflow(self, path, url):
        """Three steps that run, two of which fail, and many that wait for an answer that never comes."""
        steps = [f"home = step(http.get('{url}/delay/5ms'));", f"search = step('home', http.get('{url}/status/200,500@20'));",
                 f"order = step('home', http.get('{url}/never', {{ timeout: '10ms' }}));"]
        steps += [f"more{i} = step('order', http.get('{url}/'));" for i in range(STEPS - len(steps))]
        with open(path, "w") as file:
            file.write("import { Workflow, http, step } from 'hyperscale';\nexport class Shop extends Workflow {\n" + "\n".join(steps) + "\n}\n")

    def test_one_tick_in_all_five(self):
        """Until a tick was seen by ctl status, the API, the feed, JSON lines and the screen: once running, once paused."""
        with tempfile.TemporaryDirectory() as folder, Target() as target, Tmux(200, 60) as tmux:
            lines, environment = os.path.join(folder, "live.jsonl"), {"XDG_RUNTIME_DIR": folder, "HYPERSCALE_ADMIN_TOKEN": TOKEN}
            self.write_workflow(os.path.join(folder, "shop.js"), target.url)
            tmux.run("env", *(f"{name}={value}" for name, value in environment.items()), binary(), "run", "--api", "127.0.0.1:0",
                     "-c", "3", "-d", "300s", "--threshold", "p99<10s", "--out", f"jsonl={lines}", os.path.join(folder, "shop.js"))
            found = until(lambda: re.search(r"listening on http://127\.0\.0\.1:(\d+)", tmux.text()), "it says where it listens")
            until(lambda: os.path.exists(lines) and os.path.getsize(lines) > 0, "the first line")
            sources = Sources(None, int(found.group(1)), lines)

            def ctl(command):
                return invoke("ctl", command, environment=environment)

            def status():
                ended = ctl("status")
                self.assertEqual(ended.code, 0, ended)
                moment = json.loads(ended.out)
                return moment["tick"], moment

            def api():
                moment = json.loads(sources.ask("/api/v1/run"))
                return moment["tick"], moment

            def screen():
                text = tmux.text()
                shown = Screen.of(text) if tmux.text() == text else None  # tmux may have read half of a frame
                return (shown.tick, shown) if shown else None

            for state in ("running", "paused"):
                if state == "paused":
                    self.assertEqual(ctl("pause").code, 0)
                    until(lambda: json.loads(ctl("status").out)["users"] == 0, "nobody is busy")
                pollers = [Poller(look) for look in (status, api, screen)]

                def in_all():
                    self.assertTrue(sources.reader.is_alive(), "the feed goes on")
                    said = [sources.said["feed"], sources.jsonl(), *(poller.said for poller in pollers[:2])]
                    ticks = set.intersection(*(poller.ticks() for poller in pollers), *map(set, said))
                    return [tick for tick in ticks if {moments[tick]["state"] for moments in said} == {state} == {pollers[2].said[tick].state}]

                try:
                    ticks = until(in_all, f"a tick that all five have shown while {state}", timeout_s=60)
                finally:
                    for poller in pollers:
                        poller.stop()
                for tick in ticks:
                    moment = sources.said["feed"][tick]
                    self.assertEqual(sources.jsonl()[tick], moment)
                    self.assertEqual(pollers[1].said[tick], moment)
                    status_of_it = pollers[0].said[tick]
                    self.assertEqual(status_of_it, {name: value for name, value in moment.items() if name in status_of_it})
                    self.assertGreaterEqual(len(status_of_it), len(moment) - 3, "all but name, thresholds and workflows")
                    self.expect_on_screen(pollers[2].said[tick], moment)
            ctl("stop")


if __name__ == "__main__":
    unittest.main()
