"""A small source tree in a temporary directory, for tests that plant violations in it."""

import pathlib
import shutil
import tempfile
import unittest

from tree import Tree

HERE = pathlib.Path(__file__).resolve().parent
DATA_FILES = ("dependencies.txt", "sans_io_folders.txt", "sleeps_allowed.txt")


class PlantedTreeTest(unittest.TestCase):
    """Subclasses name the rule module under test as `rule`."""

    rule = None

    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="tidy-"))
        self.addCleanup(shutil.rmtree, self.root)
        for name in DATA_FILES:
            self.plant(f"test/tidy/{name}", (HERE / name).read_text())

    def plant(self, path, text=""):
        full = self.root / path
        full.parent.mkdir(parents=True, exist_ok=True)
        full.write_text(text)

    def violations(self):
        return list(self.rule.check(Tree(self.root)))

    def assert_clean(self):
        self.assertEqual([], [str(v) for v in self.violations()])

    def assert_flags(self, path, line=1, text=""):
        """Exactly one violation, at this place, whose message contains the text."""
        found = self.violations()
        self.assertEqual([(path, line)], [(v.path, v.line) for v in found], [str(v) for v in found])
        self.assertIn(text, found[0].message)
