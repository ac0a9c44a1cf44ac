"""A running node takes over a changed configuration file, says what it refused, and survives a broken one."""

import os
import signal
import tempfile
import time
import unittest

from harness.node import Node
from harness.waiting import until


class Reload(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "node.toml")
        self.write('[api]\ndeadline = "2s"\n')

    def write(self, text):
        """As editors do: a new file takes the old one's place."""
        with open(self.path + ".new", "w") as file:
            file.write(text)
        os.replace(self.path + ".new", self.path)

    def node(self, **settings):
        # Flags beat the file, so a listener set by flag could never be refused: these come from the file's defaults.
        return Node("-c", self.path, **settings)

    def last_reload(self, node):
        return node.status()["config"]["last_reload"]

    def test_sighup_applies_what_is_live_and_refuses_the_rest(self):
        self.write('[api]\ndeadline = "2s"\nlisten = "127.0.0.1:0"\n')
        with Node("-c", self.path, listen=("--metrics", "127.0.0.1:0", "--transport", "127.0.0.1:0"), config_watch__enabled=False) as node:
            self.write('[api]\ndeadline = "400ms"\nlisten = "127.0.0.1:1"\n')
            node.signal(signal.SIGHUP)
            report = until(lambda: (r := self.last_reload(node))["applied"] and r, "the reload is reported")
            self.assertEqual(report["reason"], "SIGHUP")
            self.assertEqual(report["applied"], ["api.deadline 2s -> 400ms"])
            self.assertEqual(len(report["refused"]), 1)
            self.assertIn("api.listen", report["refused"][0])
            node.await_log("needs a restart")
            self.assertIn("applied api.deadline 2s -> 400ms", node.log())
            self.assertRegex(node.log(), r"refused api\.listen .* needs a restart")
            begin = time.monotonic()
            self.assertEqual(node.compute(job="delay", ms=1500).status, 504)
            self.assertLess(time.monotonic() - begin, 1.2, "the new deadline is in force")
            self.assertEqual(node.terminate(), 0)

    def test_an_edit_is_noticed_without_a_signal(self):
        with self.node() as node:
            self.write('[api]\ndeadline = "700ms"\n')
            report = until(lambda: (r := self.last_reload(node))["applied"] and r, "the edit is noticed")
            self.assertEqual(report["reason"], "file changed")
            self.assertEqual(report["applied"], ["api.deadline 2s -> 700ms"])

    def test_the_api_asks_for_a_reload(self):
        with self.node(config_watch__enabled=False) as node:
            self.write('[api]\ndeadline = "700ms"\n')
            self.assertEqual(node.post("/api/v1/reload").status, 202)
            until(lambda: self.last_reload(node)["applied"] == ["api.deadline 2s -> 700ms"], "the reload is reported")

    def test_a_broken_file_keeps_the_running_configuration(self):
        with self.node() as node:
            version = node.status()["config"]["version"]
            self.write('[api]\ndeadlin = "1ms"\n')
            report = until(lambda: (r := self.last_reload(node))["errors"] and r, "the error is reported")
            self.assertIn("did you mean 'api.deadline'", " ".join(report["errors"]))
            node.await_log("kept the running configuration")
            self.assertEqual(node.status()["config"]["version"], version)
            self.assertEqual(node.compute(job="delay", ms=100).status, 200)
            self.write('[api]\ndeadline = "900ms"\n')
            until(lambda: self.last_reload(node)["applied"] == ["api.deadline 2s -> 900ms"], "the mended file is taken")

    def test_a_burst_of_edits_ends_with_the_last_one(self):
        with self.node() as node:
            for number in range(1, 101):
                self.write(f'[api]\ndeadline = "{1000 + number}ms"\n')
                node.signal(signal.SIGHUP)
            node.await_log("-> 1s100ms")
            self.assertEqual(node.observe("/readyz").json()["state"], "ready")


if __name__ == "__main__":
    unittest.main(verbosity=2)
