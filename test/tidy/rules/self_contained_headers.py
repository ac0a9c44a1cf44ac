"""Every header in src and sim compiles on its own, so that the order of includes never matters.

A header that compiled once is not compiled again until it, a header it includes, or the flags change: results are kept
in the build directory under a hash of all three. Headers that reach the costly one below get it precompiled: they would
have read it anyway, so this hides nothing but the time.
"""

import concurrent.futures
import hashlib
import json
import os
import shlex
import subprocess

from cpp_text import includes
from include_closure import closure
from violation import Violation

COMPILER = "clang++-19"
BASE_FLAGS = ["-std=c++20", "-Wall", "-Wextra", "-Wno-unused-parameter", "-Werror"]
COSTLY = "boost/asio/awaitable.hpp"


def check(tree):
    flags = BASE_FLAGS + ["-I", str(tree.root / "src"), "-I", str(tree.root)] + _project_flags(tree)
    kept = tree.build / "tidy" / "self_contained_headers"
    kept.mkdir(parents=True, exist_ok=True)
    stamps = {header: kept / _fingerprint(tree, header, flags) for header in tree.headers()}
    pending = [header for header, stamp in stamps.items() if not stamp.exists()]
    print(f"{len(stamps)} headers, {len(stamps) - len(pending)} unchanged since they last compiled")
    costly = {header for header in pending if _reaches_costly(tree, header)}
    precompiled = _precompile(kept / "costly.pch", flags) if costly else []

    def judge(header):
        errors = _compile(header, flags + (precompiled if header in costly else []))
        if not errors:
            stamps[header].touch()
        return errors

    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for header, errors in zip(pending, pool.map(judge, pending)):
            if errors:
                yield Violation(header, 1, "does not compile on its own:\n" + errors)


def _compile(header, flags):
    source = f'#include "{header.removeprefix("src/")}"\n'
    command = [COMPILER, *flags, "-fsyntax-only", "-x", "c++", "-"]
    result = subprocess.run(command, input=source, capture_output=True, text=True, check=False)
    return "" if result.returncode == 0 else "\n".join(result.stderr.splitlines()[:8])


def _precompile(path, flags):
    command = [COMPILER, *flags, "-x", "c++-header", "-o", str(path), "-"]
    result = subprocess.run(command, input=f"#include <{COSTLY}>\n", capture_output=True, text=True, check=False)
    return ["-include-pch", str(path)] if result.returncode == 0 else []


def _reaches_costly(tree, header):
    return any(target == COSTLY for path in closure(tree, header) for _, target, _ in includes(tree.text(path)))


def _project_flags(tree):
    """Definitions and system include directories that any target in src uses; the include farm is left out on purpose."""
    database = tree.build / "compile_commands.json"
    if not database.exists():
        return []
    flags = set()
    for entry in json.loads(database.read_text()):
        if entry["file"].startswith(str(tree.root / "src") + "/"):
            flags |= _definitions_and_system_includes(shlex.split(entry["command"]))
    return sorted(flags)


def _definitions_and_system_includes(words):
    flags = {word for word in words if word.startswith("-D")}
    flags |= {f"-isystem{value}" for word, value in zip(words, words[1:]) if word == "-isystem"}
    return flags


def _fingerprint(tree, header, flags):
    digest = hashlib.sha256(" ".join([COMPILER, *flags]).encode())
    for path in sorted(closure(tree, header)):
        digest.update(path.encode() + b"\0" + tree.text(path).encode() + b"\0")
    return digest.hexdigest()
