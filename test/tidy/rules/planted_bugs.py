"""No program can plant a bug: the switches of cores (wire/bug_switch.h) are turned on by sim and by tests only."""

import re

from cpp_text import code_only, line_of
from violation import Violation

HOME = "src/wire/bug_switch.h"
PLANTER = re.compile(r"\bBugPlanter\b|\bsim/bugs/")
# A switch that is a plain bool can be turned on by anyone.
STRUCT = re.compile(r"struct \w*Mutations \{(.*?)\n\};", re.DOTALL)


def check(tree):
    for path in tree.cpp("src", "apps"):
        if path == HOME:
            continue
        code = code_only(tree.text(path))
        for match in PLANTER.finditer(code):
            yield Violation(path, line_of(code, match.start()), "plants a bug outside of sim and tests")
        for struct in STRUCT.finditer(code):
            for match in re.finditer(r"\bbool \w+", struct.group(1)):
                yield Violation(path, line_of(code, struct.start(1) + match.start()),
                                "a planted bug that anyone can switch on: make it a wire::BugSwitch")
