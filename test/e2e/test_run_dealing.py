"""Which iteration gets which row, number and random value: each once, on any number of cores, also after an executor was killed."""

import collections
import os
import signal
import unittest
import urllib.parse

from harness.recorder import Recorder
from harness.runs import LoadRun, run
from harness.scripts import ScriptTest
from harness.waiting import until

STEP = """use = step(http, async ({ client, row, vu, iteration }) => {
  await sleep('2ms');
  return client.http.get(`${seen}/?row=${row.name}&number=${sequence()}&uuid=${crypto.randomUUID()}&round=${vu}.${iteration}`);
});"""


class Dealing(ScriptTest):
    def setUp(self):
        super().setUp()
        self.server = self.enterContext(Recorder())

    def rows(self, count, deal, load):
        self.write("rows.csv", "name\n" + "\n".join(f"row{i}" for i in range(count)) + "\n")
        return self.shop(f"static data = {{ row: csv('rows.csv', {{ deal: '{deal}' }}) }};", STEP, load=load,
                         before=f"const seen = '{self.server.url}';")

    def values(self, name):
        return [urllib.parse.parse_qs(urllib.parse.urlsplit(seen.path).query)[name][0] for seen in list(self.server.seen)]

    def twice(self, name):
        return [value for value, count in collections.Counter(self.values(name)).items() if count > 1]

    def test_iteration_i_gets_row_i_on_any_cores(self):
        for cores in ("1", "2", "3"):
            self.server.seen.clear()
            ended = run("--cores", cores, self.rows(3, "round-robin", "static vus = 3; static iterations = 30;"))
            self.assertEqual(ended.code, 0, ended)
            self.assertEqual(collections.Counter(self.values("row")), {"row0": 10, "row1": 10, "row2": 10}, cores)

    def test_a_core_with_more_users_gets_no_other_rows(self):
        ended = run("--cores", "2", self.rows(4, "round-robin", "static vus = 3; static duration = '1s';"))
        self.assertEqual(ended.code, 0, ended)
        counts = collections.Counter(self.values("row"))
        self.assertEqual(len(counts), 4)
        self.assertLessEqual(max(counts.values()) - min(counts.values()), 1, counts)

    def test_nothing_comes_twice_after_a_kill(self):
        load = self.enterContext(LoadRun("--cores", "2", self.rows(2000, "once", "static vus = 6; static duration = '20s';")))
        until(lambda: len(self.server.seen) > 100, "it runs")
        executors = load.executors()
        os.kill(executors[0], signal.SIGKILL)
        until(lambda: [pid for pid in load.executors() if pid not in executors], "a successor runs")
        after = len(self.server.seen)
        until(lambda: len(self.server.seen) > after + 300, "it goes on")
        load.ctl("stop")
        ended = load.wait()
        self.assertEqual([executor["end"] for executor in ended.result["executors"]], ["restarted", "finished"])
        for name in ("row", "number", "uuid", "round"):
            self.assertEqual(self.twice(name), [], name)

    def test_an_open_loop_deals_nothing_twice_after_a_kill(self):
        path = self.rows(2000, "once", "static vus = 20; static rate = 200; static duration = '20s';")
        load = self.enterContext(LoadRun("--cores", "2", path))
        until(lambda: len(self.server.seen) > 60, "it runs")
        os.kill(load.executors()[1], signal.SIGKILL)
        after = len(self.server.seen)
        until(lambda: len(self.server.seen) > after + 200, "it goes on")
        load.ctl("stop")
        load.wait()
        for name in ("row", "number", "uuid", "round"):
            self.assertEqual(self.twice(name), [], name)

    def test_added_users_have_numbers_of_their_own(self):
        load = self.enterContext(LoadRun("--cores", "2", self.rows(5, "round-robin", "static vus = 2; static duration = '20s';")))
        until(lambda: len(self.server.seen) > 20, "it runs")
        self.assertEqual(load.ctl("vus=6").code, 0)
        before = len(self.server.seen)
        until(lambda: len(self.server.seen) > before + 300, "more users run")
        load.ctl("stop")
        self.assertEqual(load.wait().result["vus_max"], 6)
        for name in ("number", "uuid", "round"):
            self.assertEqual(self.twice(name), [], name)

    def test_added_users_get_rows_that_are_dealt_once(self):
        load = self.enterContext(LoadRun("--cores", "2", self.rows(400, "once", "static vus = 2; static duration = '20s';")))
        until(lambda: len(self.server.seen) > 20, "it runs")
        self.assertEqual(load.ctl("vus=6").code, 0)
        ended = load.wait()
        self.assertEqual((ended.code, ended.totals["requests"]), (0, 400), ended)
        self.assertEqual(sorted(set(self.values("row"))), sorted(self.values("row")))


if __name__ == "__main__":
    unittest.main()
