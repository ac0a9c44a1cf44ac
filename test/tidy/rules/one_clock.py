"""Clocks are read by runtime/clock/clock.h; cores get the time passed in. Who reads one itself stands in clocks_allowed.txt."""

import re

from exceptions import check_except

ALLOWED = "test/tidy/clocks_allowed.txt"
READS = re.compile(r"\b\w+_clock::now\s*\(|\b(?:clock_gettime|gettimeofday|timespec_get)\s*\(\s*(?!\))")


def check(tree):
    return check_except(tree, ALLOWED, ("src", "sim", "apps"), READS,
                        lambda match: f"{match.group().rstrip('( ')} reads a clock: use runtime/clock/clock.h, or take the time",
                        "reads no clock")
