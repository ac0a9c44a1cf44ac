"""Each folder of src says what it is in a README.md of at most 40 lines."""

from violation import Violation

LINES_MAX = 40
NESTED = ("src/runtime",)


def check(tree):
    for folder in _folders(tree):
        readme = f"{folder}/README.md"
        if not tree.exists(readme):
            yield Violation(readme, 1, "missing: say what the folder is, list its files, say what it may depend on")
        elif len(tree.lines(readme)) > LINES_MAX:
            yield Violation(readme, LINES_MAX + 1, f"{len(tree.lines(readme))} lines, at most {LINES_MAX} are read")


def _folders(tree):
    folders = set()
    for path in tree.under("src"):
        parts = path.split("/")
        for depth in (2, 3):
            parent = "/".join(parts[: depth - 1])
            if len(parts) > depth and (depth == 2 or parent in NESTED):
                folders.add("/".join(parts[:depth]))
    return sorted(folders)
