"""Folders include only the folders that dependencies.txt grants them.

Includes are written from src ("base/result.h"), those of sim from the top ("sim/engine/world.h"). A program under apps may name a file beside the including one, and any
source may include what is generated from a template (.in) beside it.
"""

import posixpath

from cpp_text import includes
from folder_table import FolderTable, path_below_src
from violation import Violation


def check(tree):
    table = FolderTable(tree)
    for path in tree.cpp("src", "apps", "sim"):
        folder = table.folder_of(path_below_src(path))
        if folder is None:
            yield Violation(path, 1, "this folder has no row in test/tidy/dependencies.txt")
            continue
        for line, target, quoted in includes(tree.text(path)):
            if quoted:
                yield from _judge(tree, table, path, folder, line, target)


def _judge(tree, table, path, folder, line, target):
    beside = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
    if tree.exists(beside + ".in") or (path.startswith("apps/") and tree.exists(beside)):
        return
    owner = table.folder_of(target)
    if owner is None:
        yield Violation(path, line, f'"{target}" is not a path below src')
    elif not table.may_include(folder, owner):
        granted = " ".join(table.allowed[folder]) or "nothing"
        yield Violation(path, line, f'{folder} may not include "{target}" (it may include: {granted})')
