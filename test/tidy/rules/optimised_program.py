"""No part of the program is compiled with less optimisation than the preset asks for. The linker keeps the first copy of a
template that several objects have, so one such object slows the others down."""

import re

from violation import Violation

FOLDERS = ("src/", "apps/", "sim/")
LESS = re.compile(r"^[^#]*\s-O(?:0|1|g)\b")


def check(tree):
    for path in tree.files:
        if path.startswith(FOLDERS) and path.endswith("CMakeLists.txt"):
            for number, line in enumerate(tree.lines(path), 1):
                if LESS.match(line):
                    yield Violation(path, number, "compiles a part of the program with less optimisation than the rest")
