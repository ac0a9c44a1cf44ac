#!/usr/bin/env python3
"""Runs the end-to-end tests that have a measured limit and prints what they measured as a Markdown table.

HYPERSCALE_BIN chooses the program (default: build/release/bin/hyperscale). Exit code 1 when a test failed."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent
TESTS = ("drain", "limits", "overload", "chaos", "burst", "tls")
TEST_TIMEOUT_S = 180


def run_test(name, folder):
    environment = {"HYPERSCALE_BIN": str(REPOSITORY / "build/release/bin/hyperscale"), **os.environ, "HYPERSCALE_FIGURES_DIR": folder}
    command = [sys.executable, "-B", str(REPOSITORY / f"test/e2e/test_{name}.py")]
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=TEST_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        return f"gates: {name} did not end within {TEST_TIMEOUT_S} s"
    return f"gates: {name} failed\n{done.stderr}" if done.returncode else None


def table(folder):
    rows = ["| gate | limit | measured |", "|---|---|---|"]
    for path in sorted(pathlib.Path(folder).glob("*.json")):
        figures = json.loads(path.read_text())
        measured = "; ".join(f"{name} {value}" for name, value in figures["measured"].items())
        rows.append(f"| {figures['gate']} | {figures['limit']} | {measured} |")
    return "\n".join(rows)


def main():
    with tempfile.TemporaryDirectory() as folder:
        failures = [failure for name in TESTS if (failure := run_test(name, folder))]
        print(table(folder))
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
