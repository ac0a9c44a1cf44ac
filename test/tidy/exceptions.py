"""Rules of the form "nothing does this, except files in a list, each with its reason"."""

from cpp_text import code_only, line_of
from violation import Violation


def check_except(tree, allowed, folders, pattern, wrong, unused):
    """`wrong(match)` says what is wrong with a match; `unused` what an entry without one does not do.

    An entry whose reason begins with "still" is a file that breaks the rule until someone changes it: it may be stale.
    """
    reasons = {}
    for entry in tree.entries(allowed):
        path, _, reason = entry.partition(":")
        reasons[path.strip()] = reason.strip()
        if not reason.strip():
            yield Violation(allowed, 1, f"{path.strip()} has no reason")
    found = set()
    for path in tree.cpp(*folders):
        code = code_only(tree.text(path))
        for match in pattern.finditer(code):
            found.add(path)
            if path not in reasons:
                yield Violation(path, line_of(code, match.start()), wrong(match))
    for path in sorted(set(reasons) - found):
        if reasons[path].startswith("still "):
            continue
        yield Violation(allowed, 1, f"{path} {unused} (any more): remove the entry")
