"""A test's name says the behaviour in at most 45 characters, and every case of a parametrised test has a name of its own.

A number says nothing of a case, and raw bytes differ in each build.
"""

import re

from cpp_text import code_only, line_of
from violation import Violation

LENGTH_MAX = 45
TEST = re.compile(r"\b(?:(?:TYPED_)?TEST|TEST_F|(?:TYPED_)?TEST_P|RC_GTEST(?:_FIXTURE)?_PROP)\(\s*\w+\s*,\s*(\w+)")
INSTANTIATION = re.compile(r"\bINSTANTIATE_TEST_SUITE_P\(")
# Prefix, suite, values, and what makes a name of a value.
ARGUMENTS = 4


def check(tree):
    for path in tree.cpp("test"):
        text = code_only(tree.text(path))
        for found in TEST.finditer(text):
            if len(found[1]) > LENGTH_MAX:
                yield Violation(path, line_of(text, found.start(1)), f"{len(found[1])} characters, at most {LENGTH_MAX}: {found[1]}")
        for found in INSTANTIATION.finditer(text):
            if _arguments(text, found.end()) < ARGUMENTS:
                yield Violation(path, line_of(text, found.start()), "cases without names: add a function as fourth argument")


def _arguments(text, start):
    """How many arguments the call has whose first one begins at start."""
    count, depth = 1, 1
    for letter in text[start:]:
        depth += (letter in "([{") - (letter in ")]}")
        if depth == 0:
            break
        count += depth == 1 and letter == ","
    return count
