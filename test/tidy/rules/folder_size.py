"""A folder is a room: one with more than 60 files is several rooms without walls."""

import collections
import posixpath

from violation import Violation

FILES_MAX = 60
FOLDERS = ("src", "sim", "apps", "test/unit")


def check(tree):
    sizes = collections.Counter(posixpath.dirname(path) for path in tree.under(*FOLDERS))
    for folder, size in sorted(sizes.items()):
        if size > FILES_MAX:
            yield Violation(folder, 1, f"{size} files, at most {FILES_MAX} belong in one folder: divide it by idea")
