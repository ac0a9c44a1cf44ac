"""A file is one idea and its name is the idea: nothing is called util, helper, common or misc."""

import re

from violation import Violation

EMPTY_WORDS = {"util", "utils", "utility", "utilities", "helper", "helpers", "common", "misc", "stuff"}


def check(tree):
    for path in tree.files:
        words = set(re.split(r"[^a-z]+", path.lower()))
        for word in sorted(words & EMPTY_WORDS):
            yield Violation(path, 1, f'"{word}" is not an idea: name the file after what it does')
