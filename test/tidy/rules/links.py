"""Relative links in Markdown files lead to files that exist."""

import posixpath
import re
import urllib.parse

from violation import Violation

LINK = re.compile(r"\[[^\]]*\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)|^\s*\[[^\]]+\]:\s+(\S+)")
INLINE_CODE = re.compile(r"(`+).*?\1")
FENCE = re.compile(r"^\s*(```|~~~)")
ELSEWHERE = re.compile(r"^(?:[a-z][a-z0-9+.-]*:|#|//)")


def check(tree):
    for path in tree.files:
        if path.endswith(".md"):
            for number, target in _links(tree.lines(path)):
                if not _resolves(tree, path, target):
                    yield Violation(path, number, f"link to {target}: no such file")


def _links(lines):
    fenced = False
    for number, line in enumerate(lines, 1):
        if FENCE.match(line):
            fenced = not fenced
        elif not fenced:
            for match in LINK.finditer(INLINE_CODE.sub("", line)):
                yield number, match[1] or match[2]


def _resolves(tree, path, target):
    if ELSEWHERE.match(target):
        return True
    name = urllib.parse.unquote(target.partition("#")[0])
    joined = posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
    return not joined.startswith("..") and tree.exists(joined)
