"""No text names a path of one developer's machine or the host of a package registry."""

import re

from violation import Violation

# The patterns are spelled so that they do not match themselves.
PATTERNS = [
    ("a path of one machine", re.compile(r"(?<![\w.~-])/(?:work|root|farm)/|/tmp/(?:helpers|bash_jobs)\b")),
    ("somebody's home directory", re.compile(r"(?<![\w.~-])/(?:home|Users)/[a-z]\w*")),
    (
        "the host of a package registry",
        re.compile(
            r"\b(?:registry\.(?:npmjs|yarnpkg)\.\w+|(?:deb|security)\.debian\.\w+|(?:files\.)?python"
            r"hosted\.org|pypi\.\w{2,3}\b|(?:static\.|index\.)?crates\.\w{2}\b|(?:ghcr|docker|quay)\.io)"
        ),
    ),
]


def check(tree):
    for path in tree.files:
        for number, line in enumerate(tree.lines(path), 1):
            for what, pattern in PATTERNS:
                match = pattern.search(line)
                if match:
                    yield Violation(path, number, f"{match.group()}: {what}")
