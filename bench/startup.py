#!/usr/bin/env python3
"""CPU time that a process costs before it does anything: `PROGRAM version`, several builds in turn.

    bench/startup.py [ROUNDS] [PROGRAM ...]      default: 100 rounds of build/release/bin/hyperscale"""

import os
import pathlib
import statistics
import sys

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent
ROUNDS = 100


def cpu_ms(program):
    quiet = os.open(os.devnull, os.O_WRONLY)
    pid = os.posix_spawn(program, [program, "version"], os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, quiet, 1)])
    os.close(quiet)
    _, status, used = os.wait4(pid, 0)
    if status != 0:
        sys.exit(f"startup: {program} version ended with {os.waitstatus_to_exitcode(status)}")
    return 1000 * (used.ru_utime + used.ru_stime)


def main(arguments):
    rounds = int(arguments.pop(0)) if arguments and arguments[0].isdigit() else ROUNDS
    programs = arguments or [str(REPOSITORY / "build/release/bin/hyperscale")]
    taken = {program: [] for program in programs}
    for _ in range(rounds):
        for program in programs:
            taken[program].append(cpu_ms(program))
    print("| program | CPU ms, median | least |\n|---|---|---|")
    for program, times in taken.items():
        print(f"| {program} | {statistics.median(times):.1f} | {min(times):.1f} |")


if __name__ == "__main__":
    main(sys.argv[1:])
