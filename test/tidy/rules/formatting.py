"""Every C++ file is as clang-format leaves it; `make fmt` mends them."""

import concurrent.futures
import os
import re
import subprocess

from violation import Violation

FORMATTER = "clang-format-19"
BATCH = 16
WARNING = re.compile(r"^(?P<path>[^\n:]+):(?P<line>\d+):\d+: \w+: code should be clang-formatted", re.MULTILINE)


def check(tree):
    paths = tree.cpp()
    batches = [paths[i : i + BATCH] for i in range(0, len(paths), BATCH)]
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for violations in pool.map(lambda batch: _check_batch(tree, batch), batches):
            yield from violations


def _check_batch(tree, paths):
    command = [FORMATTER, "--dry-run", "-Werror", "--ferror-limit=1", *paths]
    result = subprocess.run(command, cwd=tree.root, capture_output=True, text=True, check=False)
    if result.returncode == 0:
        return []
    first_line = {}
    for match in WARNING.finditer(result.stderr):
        first_line.setdefault(match["path"], int(match["line"]))
    if not first_line:
        return [Violation(paths[0], 1, f"{FORMATTER} ended with {result.returncode}: {result.stderr[:400]}")]
    return [Violation(path, line, "not formatted: run make fmt") for path, line in first_line.items()]
