"""One conversion of a duration to seconds: seconds() of base/duration_text.h. Others stand in seconds_allowed.txt."""

import re

from exceptions import check_except

ALLOWED = "test/tidy/seconds_allowed.txt"
CONVERSION = re.compile(r"\.count\(\)\)\s*/\s*1e9\b|\bduration<double>")


def check(tree):
    return check_except(tree, ALLOWED, ("src", "sim", "apps"), CONVERSION,
                        lambda match: "converts to seconds: use seconds() of base/duration_text.h",
                        "converts nothing to seconds")
