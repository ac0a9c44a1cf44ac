"""USES in CMake agrees with dependencies.txt and with what the sources include.

A target may use what its folder may include and what those folders' headers reach in turn: nothing is inherited, so a
target has to name those as well. Including them directly stays forbidden.
"""

import posixpath
import re

from cpp_text import includes
from folder_table import FolderTable, path_below_src
from violation import Violation

CALL = re.compile(r"hyperscale_(?:module|program)\s*\(([^)]*)\)")
KEYWORDS = {"SOURCES", "ASIO", "USES", "LIBRARIES", "FOLDER", "PCH"}


class Target:
    def __init__(self, path, line, words):
        self.path, self.line, self.name = path, line, words[0]
        arguments = _by_keyword(words[1:])
        self.uses = arguments.get("USES", [])
        here = posixpath.dirname(path_below_src(path))
        self.folder = arguments["FOLDER"][0] if arguments.get("FOLDER") else here


def check(tree):
    table = FolderTable(tree)
    targets = [target for path in tree.files if _may_declare(path) for target in _targets(tree, path)]
    folder_of = {target.name: target.folder for target in targets}
    for target in targets:
        yield from _check_uses(table, target, folder_of)
    yield from _check_includes(tree, targets)


def _may_declare(path):
    return path.startswith(("src/", "apps/", "sim/")) and path.endswith("CMakeLists.txt")


def _targets(tree, path):
    text = re.sub(r"#[^\n]*", "", tree.text(path))
    for call in CALL.finditer(text):
        yield Target(path, text.count("\n", 0, call.start()) + 1, call.group(1).split())


def _by_keyword(words):
    arguments, keyword = {}, None
    for word in words:
        if word in KEYWORDS:
            keyword = word
            arguments.setdefault(keyword, [])
        elif keyword:
            arguments[keyword].append(word)
    return arguments


def _check_uses(table, target, folder_of):
    folder = table.folder_of(target.folder)
    if folder is None:
        yield Violation(target.path, target.line, f"{target.folder} has no row in test/tidy/dependencies.txt")
        return
    for used in target.uses:
        if used not in folder_of:
            yield Violation(target.path, target.line, f"{target.name} USES {used}, which no folder declares")
        elif not table.may_reach(folder, folder_of[used]):
            yield Violation(target.path, target.line, f"{target.name} may not use {used}: see dependencies.txt")


def _check_includes(tree, targets):
    by_folder = {target.folder: target for target in targets}
    for path in tree.cpp("src", "apps", "sim"):
        own = _owner(by_folder, path_below_src(path))
        if own is None:
            continue
        for line, included, quoted in includes(tree.text(path)):
            other = _owner(by_folder, included) if quoted else None
            if other and other is not own and other.name not in own.uses:
                yield Violation(path, line, f'includes "{included}", but {own.name} does not list {other.name} under USES')


def _owner(by_folder, path):
    folder = posixpath.dirname(path)
    while folder:
        if folder in by_folder:
            return by_folder[folder]
        folder = posixpath.dirname(folder)
    return None
