"""A workflow file is checked and run: steps in layers, workflows in order, every mistake with its place."""

import json
import os
import re
import signal
import subprocess
import tempfile
import time
import unittest

from harness.node import binary, clean_environment
from harness.runs import Target, children, invoke, is_alive, run
from harness.waiting import until


class Workflows(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, name, *lines):
        path = os.path.join(self.folder.name, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write("import { Workflow, step, http } from 'hyperscale';\n" + "\n".join(lines) + "\n")
        return path

    def read(self, name):
        with open(os.path.join(self.folder.name, name), encoding="utf-8") as file:
            return file.read()

    def two_workflows(self, target):
        return self.write(
            "shop.js",
            f"const target = '{target}'.replace(/\\/$/, '');",
            "export class Shop extends Workflow {",
            "  static vus = 4; static iterations = 40; static thresholds = ['errors < 1%'];",
            "  home = step(http.get(`${target}/status/200`));",
            "  search = step(http.get(`${target}/status/201`));",
            "  order = step(['home', 'search'], http.post(`${target}/echo`, { json: { item: 7 } }));",
            "}",
            "export class Report extends Workflow {",
            "  static depends = ['Shop']; static vus = 1; static iterations = 5;",
            "  list = step(http.get(`${target}/size/1KiB`));",
            "}",
        )

    def test_runs_steps_in_layers_and_workflows_in_order(self):
        with Target() as target:
            ended = run(self.two_workflows(target.url))
            self.assertEqual(ended.code, 0, ended)
            self.assertEqual(ended.totals["requests"], 125)
            self.assertEqual(target.count()["requests"], 125)
            steps = {step["name"]: step["requests"] for step in ended.result["steps"]}
            self.assertEqual(steps, {"Shop.home": 40, "Shop.search": 40, "Shop.order": 40, "Report.list": 5})
            shop, report = ended.result["workflows"]
            self.assertEqual((shop["name"], shop["end"], report["name"], report["end"]), ("Shop", "completed", "Report", "completed"))
            self.assertGreaterEqual(report["begin_s"], shop["begin_s"] + shop["elapsed_s"])
            self.assertEqual([verdict["threshold"] for verdict in ended.result["thresholds"]], ["errors < 1%"])

    def test_thresholds_of_steps_and_one_that_ends_the_run(self):
        with Target() as target:
            path = self.write(
                "strict.js",
                "export class Strict extends Workflow {",
                "  static vus = 2; static duration = '60s';",
                "  static thresholds = [",
                "    { threshold: 'p95 < 1us', step: 'slow', abortOnFail: true, delay: '1s' },",
                "    { threshold: 'errors < 1%', step: 'fast' },",
                "  ];",
                f"  fast = step(http.get('{target.url.rstrip('/')}/status/200'));",
                f"  slow = step('fast', http.get('{target.url.rstrip('/')}/delay/20ms'));",
                "}",
            )
            begin = time.monotonic()
            ended = run(path, "--threshold", "step:fast:requests>1", "--threshold", "step:none:p99<1s")
            self.assertLess(time.monotonic() - begin, 20)
            self.assertEqual(ended.code, 99, ended)
            self.assertEqual([(t["threshold"], t["passed"]) for t in ended.result["thresholds"]],
                             [("step:slow:p95 < 1us", False), ("step:fast:errors < 1%", True),
                              ("step:fast:requests>1", True), ("step:none:p99<1s", False)])
            self.assertEqual(ended.result["thresholds"][3]["actual"], "none")
            self.assertRegex("\n".join(ended.result["warnings"]), r"stopped: threshold step:slow:p95 < 1us failed: actual \d")
            self.assertRegex(ended.err, r"stopping: threshold step:slow:p95 < 1us failed")
            self.assertEqual(ended.totals["errors"], 0, "in order, not at once")

    def test_values_of_a_setup_may_be_large(self):
        actions = [f"  part{n} = action(() => ({{ value{n}: '{n % 10}'.repeat(60000) }}));" for n in range(40)]
        with Target() as target:
            path = self.write(
                "large.js",
                "import { action } from 'hyperscale';",
                "export class Large extends Workflow {",
                "  static vus = 1; static iterations = 2;",
                *actions,
                f"  home = step(http, ({{ client, value39 }}) => client.http.get('{target.url}/size/' + value39.length));",
                "}",
            )
            ended = run(path)
            self.assertEqual(ended.code, 0, ended)
            self.assertEqual(ended.totals["requests"], 2)

    def test_options_about_the_load_beat_the_file(self):
        with Target() as target:
            ended = run("-c", "2", "-n", "6", self.two_workflows(target.url))
            self.assertEqual((ended.code, ended.totals["requests"]), (0, 24), ended)

    def test_users_of_several_workflows_are_scaled(self):
        with Target() as target:
            url = target.url.rstrip("/")
            path = self.write("mix.js", f"export class Browse extends Workflow {{ static vus = 9; static duration = '1s'; a = step(http.get('{url}/delay/5ms')); }}",
                              f"export class Pay extends Workflow {{ static vus = 1; static duration = '1s'; a = step(http.get('{url}/delay/5ms')); }}")
            ended = run("-c", "20", path)
            self.assertEqual((ended.code, ended.result["vus_max"]), (0, 20), ended)
            loads = {workflow["name"]: workflow["load"] for workflow in ended.result["workflows"]}
            self.assertEqual(loads, {"Browse": "18 users for 1s", "Pay": "2 users for 1s"})
            self.assertIn("20 users are shared by the workflows as the file has them: Browse 18, Pay 2", " ".join(ended.out.split()))
            refused = invoke("run", "-c", "1", path)
            self.assertEqual(refused.code, 2, refused)
            self.assertIn("--vus: 1 user is too few for 2 workflows", refused.err)
            refused = invoke("run", "-r", "100", path)
            self.assertEqual(refused.code, 2, refused)
            self.assertIn("--rate: workflow Browse has no constant rate of its own to scale", refused.err)

    def test_check_shows_the_plan_and_sends_nothing(self):
        with Target() as target:
            path = self.two_workflows(target.url)
            text = invoke("check", path, "--cores", "8")
            self.assertEqual(text.code, 0, text)
            for pattern in (r"2 workflows, 4 steps, on 8 cores", r"layer 2 +order +POST .*/echo, after home, search", r"must +errors < 1%"):
                self.assertRegex(text.out, pattern)
            shown = json.loads(invoke("check", path, "--cores", "3", "--json").out)
            self.assertEqual([(w["name"], w["layer"], w["cores"], w["users"]) for w in shown["workflows"]],
                             [("Shop", 0, 3, [1, 1, 2]), ("Report", 1, 3, [0, 0, 1])])
            self.assertEqual(target.count()["requests"], 0)

    # proves: HOOK-9, EXEC-PRIO-1, EXEC-PRIO-4, EXEC-PRIO-5
    def test_a_workflow_that_tests_nothing_gets_one_core(self):
        path = self.write("maps.js", "export class Maps extends Workflow {", "  static vus = 1000; static priority = 'high';",
                          "  s = step(async () => ({ status: 200 }));", "}",
                          "export class Load extends Workflow { static depends = ['Maps']; static vus = 1000; s = step(http.get('http://127.0.0.1/')); }")
        shown = json.loads(invoke("check", path, "--cores", "8", "--json").out)
        self.assertEqual([(w["name"], w["cores"], w["users"]) for w in shown["workflows"]],
                         [("Maps", 1, [1000]), ("Load", 8, [125] * 8)])
        path = self.write("two.js", "export class High extends Workflow { static vus = 12; static priority = 'high'; s = step(http.get('http://127.0.0.1/')); }",
                          "export class Low extends Workflow { static vus = 4; static priority = 'low'; s = step(http.get('http://127.0.0.1/')); }")
        shown = json.loads(invoke("check", path, "--cores", "8", "--json").out)
        self.assertEqual([(w["name"], w["priority"], w["cores"]) for w in shown["workflows"]], [("High", "high", 6), ("Low", "low", 2)])
        plain = self.write("plain.js", "export class Maps extends Workflow { static vus = 4; static iterations = 8; s = step(async () => ({ status: 200 })); }")
        self.assertEqual(len(run("--cores", "2", plain).result["executors"]), 1)

    def test_a_workflow_without_an_end_gets_the_default_of_a_url(self):
        path = self.write("endless.js", "export class Home extends Workflow { home = step(http.get('http://127.0.0.1/')); }")
        self.assertIn("1 user for 10s", invoke("check", path).out)

    def test_every_mistake_is_shown_with_its_place(self):
        path = self.write(
            "bad.js",
            "export class Shop extends Workflow {",
            "  static vuss = 20;",
            "  home = step(http.get('http://127.0.0.1/', { heders: {} }));",
            "  cart = step(['hme'], http.get('http://127.0.0.1/'));",
            "}",
        )
        for command in ("check", "run"):
            ended = invoke(command, path)
            self.assertEqual((ended.code, ended.out), (2, ""), ended)
            for text in ("has 3 mistakes", path + ":3:10:", 'did you mean "vus"?', "bad.js:4:", 'did you mean "headers"?', "bad.js:5:", 'did you mean "home"?'):
                self.assertIn(text, ended.err)

    def test_what_cannot_be_run_is_said(self):
        scripted = self.write("scripted.js", "export class Shop extends Workflow {", "  static data = { rows: 7 };", "  home = step(http.get('http://127.0.0.1/'));", "}")
        without = self.write("without.js", "import { csv } from 'hyperscale';", "export class Shop extends Workflow {", "  static data = { rows: csv('missing.csv') };", "  home = step(http.get('http://127.0.0.1/'));", "}")
        none = os.path.join(self.folder.name, "none.js")
        for arguments, text in (((scripted,), "scripted.js:3:10: \"data\" must be"), ((none,), "No such file"), ((without,), "missing.csv: No such file or directory"),
                                ((scripted, "-H", "a: b"), "options that describe a request are for a URL")):
            ended = invoke("run", *arguments)
            self.assertEqual((ended.code, ended.out), (2, ""), ended)
            self.assertIn(text, ended.err)

    def test_a_file_cannot_read_outside_its_folder(self):
        outside = self.write("outside.js", "import x from '../../etc/hostname';")
        ended = invoke("check", outside)
        self.assertEqual(ended.code, 2, ended)
        self.assertIn("outside.js:2:", ended.err)

    def test_a_name_may_begin_with_a_dash(self):
        self.write("-x.js", "export class Shop extends Workflow { home = step(http.get('http://127.0.0.1/')); }")
        ended = invoke("check", "--", "-x.js", cwd=self.folder.name)
        self.assertEqual((ended.code, ended.err), (0, ""), ended)
        self.assertIn("-x.js: 1 workflow, 1 step", ended.out)

    def test_another_file_is_not_taken_for_a_host(self):
        path = self.write("shop.ts", "export class Shop extends Workflow {}")
        for command in ("check", "run"):
            ended = invoke(command, path)
            self.assertEqual((ended.code, ended.out), (2, ""), ended)
            self.assertIn("only .js and .mjs files are workflows", ended.err)

    def hostile(self, *lines):
        return self.write("hostile.js", *lines, "export class Shop extends Workflow { home = step(http.get('http://127.0.0.1/')); }")

    def test_a_script_cannot_take_the_program_down(self):
        for code, pattern in (
            ("const f = () => f() + 1; f();", r"hostile.js:2:17: RangeError: Maximum call stack size exceeded"),
            ("process.exit(0);", r"hostile.js:2:1: ReferenceError: Can't find variable: process"),
            ("class Base extends Workflow { static get vus() { throw new Error('not today'); } } export class Other extends Base {}", r"not today"),
        ):
            path = self.hostile(code)
            for command in ("check", "run"):
                with self.subTest(code, command=command):
                    ended = invoke(command, path)
                    self.assertEqual((ended.code, ended.out), (2, ""), ended)
                    self.assertRegex(ended.err, rf"^hyperscale {command}: .*hostile.js has 1 mistake\n.*{pattern}")

    def test_native_code_that_takes_all_memory_or_time_is_ended(self):
        ended = invoke("check", self.hostile("const kept = new Uint8Array(3 * 2 ** 30).fill(1);"))
        self.assertEqual((ended.code, ended.out), (2, ""), ended)
        # A slow machine is out of time first.
        self.assertRegex(ended.err, r"^hyperscale check: \S*hostile.js (takes more than 2GiB of memory in|did not end) its top-level code.*\n$")

    def test_ctrl_c_while_a_script_runs_for_ever(self):
        path = self.hostile("while (true) {}")
        process = subprocess.Popen([binary(), "check", path], env=clean_environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(process.kill)
        child = until(lambda: children(process.pid), "a child that reads the file")[0]
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=10), -signal.SIGINT)
        until(lambda: not is_alive(child), "the end of the child")

    def test_only_scripts_need_the_script_engine(self):
        library = "libjavascriptcoregtk-4.1.so.0"
        with open(os.path.join(self.folder.name, library), "w", encoding="utf-8") as file:
            file.write("no library")
        environment = {"LD_LIBRARY_PATH": self.folder.name}
        ended = invoke("check", self.hostile(), environment=environment)
        self.assertEqual((ended.code, ended.out), (2, ""), ended)
        self.assertRegex(ended.err, r"^hyperscale check: workflow files need JavaScriptCore, .*install the Debian package libjavascriptcoregtk-4.1-0\n$")
        with Target() as target:
            ended = run("-n", "5", target.url, environment=environment)
            self.assertEqual((ended.code, ended.totals["requests"]), (0, 5), ended)

    def test_every_example_runs(self):
        folder = os.path.join(os.path.dirname(__file__), "..", "..", "examples")
        examples = sorted(name for name in os.listdir(folder) if name.endswith(".js"))
        self.assertGreaterEqual(len(examples), 10)
        for name in examples:
            with self.subTest(name), Target("--tcp", "0", "--udp", "0") as target:
                urls = ("--env", f"TARGET={target.url.rstrip('/')}", "--env", f"TCP={target.tcp}", "--env", f"UDP={target.udp}")
                ended = run(os.path.join(folder, name), *urls, "-d", "1s", "--threshold", "requests > 10")
                self.assertEqual(ended.code, 0, ended)
                if name != "error-handling.js":  # where three attempts of one user may all meet the 503
                    self.assertEqual(ended.totals["errors"], 0, ended)
                sent = sum(target.count()[protocol] for protocol in ("requests", "tcp", "udp"))
                if name == "setup-and-state.js":  # calls of a setup are not part of the measured load
                    self.assertLess(ended.totals["requests"], sent)
                else:
                    # A function that throws, or is cut between two calls, has a request of its own in the figures.
                    own = sum(ended.totals["outcomes"].get(outcome, 0) for outcome in ("cut", "script"))
                    self.assertIn(ended.totals["requests"] - sent, range(own + 1), ended)

    def test_a_new_file_runs(self):
        path = os.path.join(self.folder.name, "first.js")
        self.assertEqual(invoke("new", path).code, 0)
        again = invoke("new", path)
        self.assertEqual(again.code, 2, again)
        self.assertIn("--force", again.err)
        self.assertEqual(invoke("new", path, "--force").code, 0)
        self.assertIn("declare module 'hyperscale'", self.read("hyperscale.d.ts"))
        with Target() as target:
            text = self.read("first.js")
            with open(path, "w", encoding="utf-8") as file:
                file.write(re.sub(r"http://127\.0\.0\.1:8080'", target.url.rstrip("/") + "'", text))
            ended = run("-n", "20", path)
            self.assertEqual((ended.code, ended.totals["errors"], ended.totals["requests"]), (0, 0, 60), ended)


if __name__ == "__main__":
    unittest.main()
