"""No mark of unfinished work in code: finish it, or write the gap down in docs/."""

import re

from violation import Violation

SUFFIXES = (".h", ".cpp", ".py", ".cmake", "CMakeLists.txt", ".sh", ".ts", ".js", "Makefile")
MARK = re.compile(r"\b(?:TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b|\bDISABLED" r"_")


def check(tree):
    for path in tree.files:
        if not path.endswith(SUFFIXES) and not path.startswith("scripts/"):
            continue
        for number, line in enumerate(tree.lines(path), 1):
            match = MARK.search(line)
            if match:
                yield Violation(path, number, f"{match.group()}: finish it or write the gap down in docs/")
