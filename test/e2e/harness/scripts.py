"""Workflow files that a test writes for itself."""

import os
import tempfile
import unittest

from .runs import Target

NAMES = "Workflow, step, action, check, metric, state, http, csv, counter, trend, sleep, fail, random, env, secret, group, sequence"


class ScriptTest(unittest.TestCase):
    """A test with a target, and a folder for files."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.target = Target()
        self.addCleanup(self.target.close)
        self.base = self.target.url.rstrip("/")

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def shop(self, *fields, load="static vus = 2; static iterations = 10;", before=""):
        """A file with one workflow; its fields begin on line 6."""
        lines = [f"import {{ {NAMES} }} from 'hyperscale';", f"const target = '{self.base}';", before,
                 "export class Shop extends Workflow {", load, *fields, "}"]
        return self.write("shop.js", "\n".join(lines) + "\n")

    def steps(self, ended):
        """Those that measured anything, by name."""
        return {step["name"]: step for step in ended.result["steps"] if step["requests"] > 0}
