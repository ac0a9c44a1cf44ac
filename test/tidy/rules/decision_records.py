"""Decision records are numbered 0001, 0002, ... without gaps, and the index lists each."""

import re

from violation import Violation

FOLDER = "docs/decisions"
INDEX = f"{FOLDER}/README.md"
NAME = re.compile(r"(\d{4})-[a-z0-9]+(?:-[a-z0-9]+)*\.md")


def check(tree):
    names = [path.removeprefix(FOLDER + "/") for path in tree.under(FOLDER) if path != INDEX]
    index = tree.text(INDEX) if tree.exists(INDEX) else ""
    expected = 1
    for name in sorted(names):
        match = NAME.fullmatch(name)
        if not match:
            yield Violation(f"{FOLDER}/{name}", 1, "a record is called 0007-what-was-decided.md")
            continue
        if int(match[1]) != expected:
            yield Violation(f"{FOLDER}/{name}", 1, f"numbered {match[1]} where {expected:04} comes next")
        expected = int(match[1]) + 1
        if f"({name})" not in index:
            yield Violation(INDEX, 1, f"does not list {name}")
