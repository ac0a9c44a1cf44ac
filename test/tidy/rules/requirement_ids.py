"""Claims that a test proves a requirement are well formed: one line, IDs separated by comma and blank, none twice. A claim of a
part names one requirement and says which part."""

import re

from violation import Violation

FOLDERS = ("test", "sim", "models", "fuzz", "web", "bench")
ID = re.compile(r"[A-Z][A-Z0-9]*(?:-[A-Z][A-Z0-9]*)*-\d+[a-z]?")
# Numbers of contradictions, gaps, hints and failure scenarios: they have no meaning outside their own page.
LOCAL = re.compile(r"[CUHF]-\d+")
PART = re.compile(r"^(?://|#|/?\*) proves part: (?P<id>\S+) \([^()]+(?:\([^()]*\)[^()]*)*\)(?: \*/)?$")
CLAIM = re.compile(r"^\s*(?P<leader>//+|#+|/?\*+)\s*(?i:proves)\b(?P<rest>.*)$")


def check(tree):
    for path in tree.under(*FOLDERS):
        for number, line in enumerate(tree.lines(path), 1):
            claim = CLAIM.match(line)
            if not claim:
                continue
            if claim["rest"].startswith(" part"):
                yield from _judge_part(path, number, line.strip())
            elif ":" in claim["rest"][:2] or ID.search(claim["rest"]):
                yield from _judge(path, number, line.strip(), claim)


def _judge_part(path, number, line):
    part = PART.match(line)
    if not part or not ID.fullmatch(part["id"]) or LOCAL.fullmatch(part["id"]):
        yield Violation(path, number, 'a claim of a part reads "proves part: ID (which part)"')


def _judge(path, number, line, claim):
    if not re.match(r"^(?://|#|/?\*) proves: \S", line):
        yield Violation(path, number, 'a claim reads "proves: ID, ID" after the comment mark and one blank')
        return
    ids = claim["rest"].removeprefix(":").removesuffix("*/").strip().split(", ")
    for identifier in ids:
        if not ID.fullmatch(identifier):
            yield Violation(path, number, f'"{identifier}" is not a requirement ID')
        elif LOCAL.fullmatch(identifier):
            yield Violation(path, number, f"{identifier} is a number inside one page, not a requirement ID")
    if len(set(ids)) < len(ids):
        yield Violation(path, number, "names a requirement twice")
