"""Nothing sleeps: code waits for events and tests drive time. Exceptions stand in sleeps_allowed.txt with a reason."""

import re

from exceptions import check_except

ALLOWED = "test/tidy/sleeps_allowed.txt"
SLEEP = re.compile(r"\b(?:sleep_for|sleep_until|usleep|nanosleep|clock_nanosleep)\b|(?<![\w.>])sleep\s*\(")


def check(tree):
    return check_except(tree, ALLOWED, ("src", "sim", "test/unit"), SLEEP,
                        lambda match: f"{match.group().rstrip('( ')} sleeps: wait for an event", "does not sleep")
