#!/usr/bin/env python3
"""Checks what a compiler does not: the rules in rules/, one file each.

  tidy.py                  every rule over the tree this file is in
  tidy.py links sans_io    only these
  tidy.py --list           what the rules are
"""

import argparse
import importlib
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from tree import Tree  # noqa: E402  (the path has to be set first)


def rule_names():
    return sorted(path.stem for path in (HERE / "rules").glob("[a-z]*.py"))


def load(name):
    return importlib.import_module(f"rules.{name}")


def run(name, tree):
    """Prints what breaks the rule; true if nothing does."""
    violations = sorted(load(name).check(tree), key=lambda v: (v.path, v.line))
    for violation in violations:
        print(violation)
    print(f"tidy {name}: {'ok' if not violations else f'{len(violations)} violations'}")
    return not violations


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rules", nargs="*", metavar="RULE", help="rules to run (all if none is named)")
    parser.add_argument("--root", default=HERE.parent.parent, help="top of the source tree")
    parser.add_argument("--build", help="build directory: compile_commands.json is read and results are kept there")
    parser.add_argument("--list", action="store_true", help="print the rules and stop")
    options = parser.parse_args()
    if options.list:
        for name in rule_names():
            print(f"{name:24} {load(name).__doc__.splitlines()[0]}")
        return 0
    unknown = set(options.rules) - set(rule_names())
    if unknown:
        parser.error(f"no rule called {', '.join(sorted(unknown))}; --list shows them")
    tree = Tree(options.root, options.build)
    results = [run(name, tree) for name in options.rules or rule_names()]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
