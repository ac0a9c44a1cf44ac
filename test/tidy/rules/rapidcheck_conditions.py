"""Conditions with || or && in RC_ASSERT stand in parentheses of their own: the macro captures operands, and evaluates both."""

import re

from cpp_text import code_only, line_of
from violation import Violation

BARE = re.compile(r"\bRC_ASSERT\((?!\()[^;]*?(?:\|\||&&)[^;]*;")


def check(tree):
    for path in tree.cpp("test", "sim"):
        code = code_only(tree.text(path))
        for match in BARE.finditer(code):
            yield Violation(path, line_of(code, match.start()), "put the condition in parentheses: RC_ASSERT((a || b))")
