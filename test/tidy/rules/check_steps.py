"""`make check` and continuous integration still run every kind of check that the project relies on; lint findings are errors."""
# proves: NODE-SAFE-7
# proves part: NODE-TEST-9 (all but coverage of the unit tests)

import re

from violation import Violation

CHECK = "scripts/check-all"
LINT = ".clang-tidy"
# Continuous integration reaches the tests through this chain: each file has to hold the line.
CHAIN = {
    ".ci/run": (r"^make test$", "does not run `make test`"),
    "Makefile": (r"^test:.*\n(?:\t.*\n)*\t@scripts/run-tests$", "the target test does not end in scripts/run-tests"),
    "scripts/run-tests": (r"^ctest .*-LE slow", "does not run every test but the slow ones"),
}
# What a step of scripts/check-all has to call, and what for.
STEPS = {
    "scripts/lint": "static analysis",
    "-L ^model$": "the interleaving models",
    "models/relacy/branch_coverage": "branch coverage of the models",
    "-R ^model.spin$": "the Spin models",
    "scripts/fuzz-smoke": "the fuzzers",
    "scripts/unit-tests asan": "the memory checker",
    "scripts/unit-tests tsan": "the thread sanitizer",
    "scripts/sim": "the simulator",
    "-L ^slow$": "the slow tests",
}


# What makes a step look for what its name says.
MEANS = {
    "CMakePresets.json": {
        r'"name": "tsan"[^{}]*\{[^{}]*"HYPERSCALE_SANITIZE": "thread"': "preset tsan does not instrument for ThreadSanitizer",
        r'"name": "asan"[^{}]*\{[^{}]*"HYPERSCALE_SANITIZE": "address,undefined"': "preset asan does not instrument memory",
    },
    "models/relacy/model_run.h": {
        r"== kUnbounded \? rl::sched_full : rl::sched_bound;": "models do not search schedules exhaustively",
    },
}


def check(tree):
    text = tree.text(CHECK)
    default = re.search(r"^steps=\(([^)]*)\)", text, re.M)
    named = set(default.group(1).split()) if default else set()
    commands = dict(re.findall(r'^\s*\[(\w+)\]="([^"]*)"', text, re.M))
    for wanted, purpose in STEPS.items():
        if not any(wanted in command for step, command in commands.items() if step in named):
            yield Violation(CHECK, 1, f"no step runs {purpose}: '{wanted}'")
    for path, (wanted, complaint) in CHAIN.items():
        if not re.search(wanted, tree.text(path) if tree.exists(path) else "", re.M):
            yield Violation(path, 1, complaint)
    for path, means in MEANS.items():
        for wanted, complaint in means.items():
            if not re.search(wanted, tree.text(path) if tree.exists(path) else ""):
                yield Violation(path, 1, complaint)
    if not re.search(r"^WarningsAsErrors:\s*'\*'", tree.text(LINT), re.M):
        yield Violation(LINT, 1, "findings are not errors: WarningsAsErrors must be '*'")
