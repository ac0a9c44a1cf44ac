"""Nothing sleeps: code waits for events and tests drive time. Exceptions stand in sleeps_allowed.txt with a reason."""

import re

from cpp_text import code_only, line_of
from violation import Violation

ALLOWED = "test/tidy/sleeps_allowed.txt"
SLEEP = re.compile(r"\b(?:sleep_for|sleep_until|usleep|nanosleep|clock_nanosleep)\b|(?<![\w.>])sleep\s*\(")


def check(tree):
    reasons = {}
    for entry in tree.entries(ALLOWED):
        path, _, reason = entry.partition(":")
        reasons[path.strip()] = reason.strip()
        if not reason.strip():
            yield Violation(ALLOWED, 1, f"{path.strip()} has no reason")
    found = set()
    for path in tree.cpp("src", "sim", "test/unit"):
        code = code_only(tree.text(path))
        for match in SLEEP.finditer(code):
            found.add(path)
            if path not in reasons:
                yield Violation(path, line_of(code, match.start()), f"{match.group().rstrip('( ')} sleeps: wait for an event")
    for path in sorted(set(reasons) - found):
        yield Violation(ALLOWED, 1, f"{path} does not sleep (any more): remove the entry")
