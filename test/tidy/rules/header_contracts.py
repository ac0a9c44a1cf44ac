"""Every header in src and sim opens with a comment: purpose, thread rule, invariants, failure behaviour."""

from violation import Violation


def check(tree):
    for path in tree.headers():
        if not tree.text(path).startswith(("// ", "/*")):
            yield Violation(path, 1, "opens without a comment: state purpose, thread rule, invariants, failure behaviour")
