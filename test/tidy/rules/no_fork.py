"""Processes are started by runtime/process/child_process.h: a copy by fork has one thread and the locks of all others."""

import re

from cpp_text import code_only, line_of
from violation import Violation

NAMES = re.compile(r"(?<![\w.>:])(?:::\s*)?(_Fork|v?fork|clone3?)\s*\(")
# A process without threads, whose copies make the forbidden calls that end them.
ALLOWED = {"src/runtime/sandbox/self_test.cpp"}


def check(tree):
    for path in tree.cpp("src", "apps"):
        if path in ALLOWED:
            continue
        code = code_only(tree.text(path))
        for match in NAMES.finditer(code):
            yield Violation(path, line_of(code, match.start()),
                            f"{match.group(1)} copies this process: start a program with runtime/process/child_process.h")
