"""JSON is written by base/json_writer.h. Who writes it otherwise stands in json_allowed.txt with a reason.

Reading is another matter: a file that includes nlohmann may parse with it, and never dump.
"""

import re

from cpp_text import code_only, line_of, without_comments
from violation import Violation

ALLOWED = "test/tidy/json_allowed.txt"
FOLDERS = ("src", "sim", "apps")
# A string that begins as an object does: R"({"a":, "{\"a\":, and the same for fmt with doubled braces.
BY_HAND = re.compile(r'R"\(\{\{?"\w+":|"\{\{?\\"\w+\\":')
DUMP = re.compile(r"\.\s*dump\s*\(")


def check(tree):
    reasons = {}
    for entry in tree.entries(ALLOWED):
        path, _, reason = entry.partition(":")
        reasons[path.strip()] = reason.strip()
        if not reason.strip():
            yield Violation(ALLOWED, 1, f"{path.strip()} has no reason")
    found = set()
    for path in tree.cpp(*FOLDERS):
        text = without_comments(tree.text(path))
        for match in BY_HAND.finditer(text):
            found.add(path)
            if path not in reasons:
                yield Violation(path, line_of(text, match.start()), "writes JSON by hand: use base/json_writer.h")
        if "nlohmann/json.hpp" in text:
            code = code_only(tree.text(path))
            for match in DUMP.finditer(code):
                yield Violation(path, line_of(code, match.start()), "writes JSON with nlohmann: use base/json_writer.h")
    for path in sorted(set(reasons) - found):
        if reasons[path].startswith("still "):
            continue
        yield Violation(ALLOWED, 1, f"{path} writes no JSON by hand (any more): remove the entry")
