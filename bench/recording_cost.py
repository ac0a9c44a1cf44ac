#!/usr/bin/env python3
"""What publishing a sample costs an executor, in instructions: a sample recorded into private memory and one that is published
too, beside all that an executor does for a request to the built-in target. Counts, not times: other load does not change them.

    bench/recording_cost.py [FOLDER]      default: build/release, with the benchmarks built; needs valgrind and binutils"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent
SAMPLES = 100_000
REQUESTS = 20_000
BAR_PERCENT = 2.0


def without_debug_info(program, folder):
    """Debian's valgrind cannot read what the compiler writes about lines, and stops at it."""
    copy = shutil.copy(program, folder)
    subprocess.run(["strip", "--strip-debug", copy], check=True)
    return copy


def counted(out):
    found = re.search(r"^totals: (\d+)$", out.read_text(), re.MULTILINE)
    return int(found.group(1))


def of_samples(program, how, count, folder):
    out = folder / f"{how}.{count}"
    subprocess.run(["valgrind", "-q", "--tool=callgrind", f"--callgrind-out-file={out}", program, how, str(count)],
                   check=True, stdout=subprocess.DEVNULL)
    return counted(out)


def of_requests(program, preload, url, count, folder):
    out = folder / f"executor.{count}"
    environment = os.environ | {"LD_PRELOAD": str(preload), "EXECUTOR_PROGRAM": program,
                                "EXECUTOR_OUT": f"--callgrind-out-file={out}"}
    subprocess.run([program, "run", url, "-n", str(count), "-c", "10", "--cores", "1", "--ui", "ci"], check=True,
                   env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return counted(out)


def each(measure, count):
    """Of one: the start of the process is in both counts."""
    return (measure(2 * count) - measure(count)) / count


def main(build):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        bench = without_debug_info(build / "bin/record_samples", folder)
        program = without_debug_info(build / "bin/hyperscale", folder)
        preload = next(build.glob("**/libexecutor_under_callgrind.so"))
        private = each(lambda count: of_samples(bench, "private", count, folder), SAMPLES)
        published = each(lambda count: of_samples(bench, "published", count, folder), SAMPLES)
        with subprocess.Popen([program, "target", "--json"], stdout=subprocess.PIPE, text=True) as target:
            try:
                url = re.search(r"http://[0-9.:]+", target.stdout.readline()).group(0)
                request = each(lambda count: of_requests(program, preload, url + "/", count, folder), REQUESTS)
            finally:
                target.terminate()
    more = published - private
    percent = 100 * more / (request - more)
    print(f"a sample into private memory {private:.0f}, published too {published:.0f}: {more:.0f} instructions more\n"
          f"a request takes the executor {request:.0f} instructions: {percent:.2f} % more than without publishing")
    return 0 if percent <= BAR_PERCENT else 1


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else REPOSITORY / "build/release"))
