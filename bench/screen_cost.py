#!/usr/bin/env python3
"""What the live screen costs: the CPU time of the process that runs the 60 Hz engine and draws, from its start to its end, while
its executor loads the built-in target as fast as it can. In a terminal of its own; executors are not counted.

    bench/screen_cost.py [PROGRAM] [SECONDS]      default: build/release/bin/hyperscale, 9 s"""

import fcntl
import os
import pathlib
import pty
import re
import struct
import subprocess
import sys
import termios
import threading
import time

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent
SIZES = ((80, 24), (120, 40), (200, 60))
BAR_PERCENT = 5.0


def drain(terminal, seen):
    try:
        while data := os.read(terminal, 65536):
            seen.append(len(data))
    except OSError:
        pass  # the other end is closed


def own_cpu_seconds(pid):
    """Of a process that has ended and was not waited for: without that of its children."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure(program, url, seconds, size):
    columns, rows = size
    terminal, end = pty.openpty()
    fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    seen = []
    reader = threading.Thread(target=drain, args=(terminal, seen))
    reader.start()
    start = time.monotonic()
    run = subprocess.Popen([program, "run", url, "-d", f"{seconds}s", "-c", "50", "--cores", "1", "--ui", "full"],
                           stdin=end, stdout=end, stderr=end, start_new_session=True,
                           env=os.environ | {"TERM": "xterm-256color", "LANG": "C.UTF-8"})
    os.close(end)
    os.waitid(os.P_PID, run.pid, os.WEXITED | os.WNOWAIT)
    took, used = time.monotonic() - start, own_cpu_seconds(run.pid)
    if run.wait() != 0:
        sys.exit(f"screen_cost: the run ended with {run.returncode}")
    reader.join()
    os.close(terminal)
    return 100 * used / took, sum(seen) / took


def main(arguments):
    program = arguments[0] if arguments else str(REPOSITORY / "build/release/bin/hyperscale")
    seconds = int(arguments[1]) if len(arguments) > 1 else 9
    worst = 0.0
    with subprocess.Popen([program, "target", "--json"], stdout=subprocess.PIPE, text=True) as target:
        try:
            url = re.search(r"http://[0-9.:]+", target.stdout.readline()).group(0) + "/"
            for size in SIZES:
                percent, rate = measure(program, url, seconds, size)
                worst = max(worst, percent)
                print(f"{size[0]} x {size[1]}: {percent:.1f} % of a core, {rate / 1000:.1f} kB/s to the terminal")
        finally:
            target.terminate()
    return 0 if worst <= BAR_PERCENT else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
