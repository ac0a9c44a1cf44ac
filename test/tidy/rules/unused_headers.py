"""A header of the program is included by a file of the program, not only by its own source and by tests.

Headers that wait for a part that is planned, or that a requirement asks for, stand in unused_headers_allowed.txt.
"""

import posixpath

from cpp_text import includes
from violation import Violation

ALLOWED = "test/tidy/unused_headers_allowed.txt"
PROGRAM = ("src", "apps", "sim")


def check(tree):
    reasons = {}
    for entry in tree.entries(ALLOWED):
        path, _, reason = entry.partition(":")
        reasons[path.strip()] = reason.strip()
        if not reason.strip():
            yield Violation(ALLOWED, 1, f"{path.strip()} has no reason")
    used = _used(tree)
    for header in tree.under(*PROGRAM, suffixes=(".h",)):
        if header not in used and header not in reasons:
            yield Violation(header, 1, f"no file of the program includes it: remove it, or name its reason in {ALLOWED}")
    for path in sorted(reasons):
        if path in used or not tree.exists(path):
            yield Violation(ALLOWED, 1, f"{path} is used or gone: remove the entry")


def _used(tree):
    used = set()
    for path in tree.cpp(*PROGRAM):
        for _, target, quoted in includes(tree.text(path)):
            # Written from src, from the root (the simulator, programs), or from the folder (programs).
            names = ("src/" + target, target, posixpath.join(posixpath.dirname(path), target))
            included = next((name for name in names if quoted and tree.exists(name)), None)
            if included and posixpath.splitext(included)[0] != posixpath.splitext(path)[0]:
                used.add(included)
    return used
