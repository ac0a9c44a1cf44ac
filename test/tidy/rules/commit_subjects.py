"""Subjects of commits say `area: verb what` in at most 72 characters. History before the rule is left alone."""

import re
import subprocess

from violation import Violation

FIRST = "325161b6"  # the last commit that the rule does not judge
LENGTH_MAX = 72
FORM = re.compile(r"[a-z0-9_/.,* -]+: \S")


def check(tree):
    known = _git(tree, "rev-parse", "--verify", "--quiet", FIRST + "^{commit}")
    if known is None:
        print("commit subjects: no history to read, nothing is judged")
        return
    for line in (_git(tree, "log", "--no-merges", "--format=%h %s", FIRST + "..HEAD") or "").splitlines():
        commit, _, subject = line.partition(" ")
        yield from judge(commit, subject)


def judge(commit, subject):
    if len(subject) > LENGTH_MAX:
        yield Violation(f"commit {commit}", 1, f"{len(subject)} characters in its subject, at most {LENGTH_MAX}: {subject}")
    if not FORM.match(subject):
        yield Violation(f"commit {commit}", 1, f'its subject is not "area: verb what": {subject}')


def _git(tree, *words):
    try:
        done = subprocess.run(["git", "-C", str(tree.root), *words], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return None
    return done.stdout if done.returncode == 0 else None
