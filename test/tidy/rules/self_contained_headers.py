"""Every header in src and sim compiles on its own, so that the order of includes never matters.

A header that compiled once is not compiled again until it, a header it includes, or the flags change: results are kept
in the build directory under a hash of all three. Most of the time goes into a few library headers, so the ones below are
precompiled: a header gets exactly those of them that it reaches anyway, which hides nothing but the time.
"""

import collections
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
BASE_FLAGS = ["-std=c++20", "-fpch-instantiate-templates", "-Wall", "-Wextra", "-Wno-unused-parameter", "-Werror"]
COSTLY = frozenset({
    "atomic", "boost/asio/any_io_executor.hpp", "boost/asio/awaitable.hpp", "boost/asio/io_context.hpp", "boost/asio/ip/tcp.hpp",
    "boost/asio/ssl/context.hpp", "boost/asio/steady_timer.hpp", "chrono", "fmt/format.h", "functional", "memory", "mutex", "string",
    "tl/expected.hpp",
})
# Precompiling pays for itself from this many headers on; smaller groups use a smaller set that was precompiled.
GROUP_SIZE_MIN = 3


def check(tree):
    flags = BASE_FLAGS + ["-I", str(tree.root / "src"), "-I", str(tree.root)] + _project_flags(tree)
    kept = tree.build / "tidy" / "self_contained_headers"
    kept.mkdir(parents=True, exist_ok=True)
    stamps = {header: kept / _fingerprint(tree, header, flags) for header in tree.headers()}
    pending = [header for header, stamp in stamps.items() if not stamp.exists()]
    print(f"{len(stamps)} headers, {len(stamps) - len(pending)} unchanged since they last compiled")
    costly = {header: _costly_reached(tree, header) for header in pending}

    # Other tests run beside it: half of the cores are theirs.
    with concurrent.futures.ThreadPoolExecutor(max(1, len(os.sched_getaffinity(0)) // 2)) as pool:
        precompiled = _precompiled_sets(pool, kept, costly.values(), flags)

        def judge(header):
            usable = [group for group in precompiled if group <= costly[header]]
            errors = _compile(header, flags + (precompiled[max(usable, key=len)] if usable else []))
            if not errors:
                stamps[header].touch()
            return errors

        for header, errors in zip(pending, pool.map(judge, pending)):
            if errors:
                yield Violation(header, 1, "does not compile on its own:\n" + errors)


def _compile(header, flags):
    source = f'#include "{header.removeprefix("src/")}"\n'
    command = [COMPILER, *flags, "-fsyntax-only", "-x", "c++", "-"]
    result = subprocess.run(command, input=source, capture_output=True, text=True, check=False)
    return "" if result.returncode == 0 else "\n".join(result.stderr.splitlines()[:8])


def _precompiled_sets(pool, folder, reached, flags):
    """{set of library headers: flags that use them precompiled}"""
    sizes = collections.Counter(reached)
    groups = [group for group, size in sizes.items() if group and size >= GROUP_SIZE_MIN]
    made = pool.map(lambda numbered: _precompile(folder / f"{numbered[0]}.pch", numbered[1], flags), enumerate(groups))
    return {group: uses for group, uses in zip(groups, made) if uses}


def _precompile(path, headers, flags):
    command = [COMPILER, *flags, "-x", "c++-header", "-o", str(path), "-"]
    source = "".join(f"#include <{header}>\n" for header in sorted(headers))
    result = subprocess.run(command, input=source, capture_output=True, text=True, check=False)
    return ["-include-pch", str(path)] if result.returncode == 0 else []


def _costly_reached(tree, header):
    return COSTLY.intersection(target for path in closure(tree, header) for _, target, _ in includes(tree.text(path)))


def _project_flags(tree):
    """Definitions and system include directories that any target in src uses; the include farm is left out on purpose."""
    database = tree.build / "compile_commands.json"
    if not database.exists():
        return []
    flags = set()
    # With several sources compiled as one, these are named after their folder in the build directory.
    folders = (f"{tree.root}/src/", f"{tree.build}/src/")
    for entry in json.loads(database.read_text()):
        if entry["file"].startswith(folders):
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
