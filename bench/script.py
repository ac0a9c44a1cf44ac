#!/usr/bin/env python3
"""What a script costs: the same request as a URL, as a declarative workflow and as a scripted one, beside wrk with an equivalent
Lua script and, with --k6 PATH, beside k6. One nginx on one core, the generator on the other, rounds in turn; and the memory
of 10,000 scripted users beside that of 10,000 plain ones. `--old PROGRAM` compares each case with another hyperscale in alternating
pairs instead, and leaves peers and memory out."""

import argparse
import os
import pathlib
import resource
import shutil
import statistics
import tempfile

from peers import Nginx, hyperscale, measure, print_pairs

DECLARATIVE = """import {{ Workflow, http, step }} from 'hyperscale';
export class Home extends Workflow {{
  home = step(http.get('{url}'));
}}
"""
SCRIPTED = """import {{ Workflow, http, step }} from 'hyperscale';
export class Home extends Workflow {{
  home = step(http, ({{ client }}) => client.http.get('{url}'));
}}
"""
ASYNC = """import {{ Workflow, http, step }} from 'hyperscale';
export class Home extends Workflow {{
  home = step(http, async ({{ client }}) => {{
    const answer = await client.http.get('{url}');
    if (answer.status !== 200) throw new Error(`status ${{answer.status}}`);
    return answer;
  }});
}}
"""
LUA = """request = function() return wrk.format("GET", "/") end
response = function(status, headers, body) if status ~= 200 then errors = (errors or 0) + 1 end end
"""
K6 = """import http from 'k6/http';
export default function () {{ http.get('{url}'); }}
"""


def commands_of(folder, url, seconds, k6):
    def file(name, text):
        path = pathlib.Path(folder, name)
        path.write_text(text.format(url=url) if name != "home.lua" else text)
        return str(path)

    commands = {
        "run URL": hyperscale(url, seconds, 50),
        "declarative workflow": hyperscale(file("declarative.js", DECLARATIVE), seconds, 50),
        "scripted workflow": hyperscale(file("scripted.js", SCRIPTED), seconds, 50),
        "scripted, async with a look at the answer": hyperscale(file("async.js", ASYNC), seconds, 50),
        "wrk with Lua": ["wrk", "-t1", "-c50", f"-d{seconds}s", "-s", file("home.lua", LUA), url],
    }
    if k6:
        commands["k6"] = [k6, "run", "-q", "--vus", "50", "--duration", f"{seconds}s", file("k6.js", K6)]
    return {who: command for who, command in commands.items() if shutil.which(command[0])}


def compare(nginx, commands, old, core, rounds):
    for name, command in commands.items():
        if name in ("wrk with Lua", "k6"):
            continue
        readings = {"hyperscale": [], "old": []}
        for turn in range(rounds):
            for who in ("hyperscale", "old") if turn % 2 == 0 else ("old", "hyperscale"):
                readings[who].append(measure(nginx, command if who == "hyperscale" else [old, *command[1:]], core))
        print(f"\n### {name}")
        print_pairs(readings)


def print_speed(readings):
    middle = {who: {key: statistics.median(each[key] for each in rows) for key in rows[0]} for who, rows in readings.items()}
    url = middle["run URL"]
    print("\n| generator | requests/s (min-max) | of run URL | CPU µs per request | per CPU second, of run URL |")
    print("|---|---|---|---|---|")
    for who, each in middle.items():
        rates = [row["rate"] for row in readings[who]]
        print(f"| {who} | {each['rate']:,.0f} ({min(rates):,.0f}-{max(rates):,.0f}) | {each['rate'] / url['rate']:.2f} x | "
              f"{each['cpu']:.2f} | {url['cpu'] / each['cpu']:.2f} x |", flush=True)


def print_memory(nginx, folder, url, core, users):
    scripted = str(pathlib.Path(folder, "scripted.js"))
    plain = measure(nginx, hyperscale(url, 8, users), core)["rss"]
    with_script = measure(nginx, hyperscale(scripted, 8, users), core)["rss"]
    one = measure(nginx, hyperscale(scripted, 4, 10), core)["rss"] - measure(nginx, hyperscale(url, 4, 10), core)["rss"]
    print(f"\n| {users:,} users | largest process, MB |\n|---|---|\n| run URL | {plain:.1f} |\n| scripted workflow | {with_script:.1f} |")
    print(f"| engine with 10 users | {one:.1f} |")
    print(f"| script memory of one user | {(with_script - plain - one) * 1024 / users:.1f} KB |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--users", type=int, default=10000, help="for the memory; 0: leave it out")
    parser.add_argument("--k6", help="path of a k6 binary")
    parser.add_argument("--old", help="another hyperscale to compare with in pairs; leaves peers and memory out")
    options = parser.parse_args()
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2:
        raise SystemExit("script: needs two cores")
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    nginx = Nginx(cores[0])
    try:
        with tempfile.TemporaryDirectory() as folder:
            url = f"http://127.0.0.1:{nginx.h1}/"
            commands = commands_of(folder, url, options.seconds, options.k6)
            if options.old:
                compare(nginx, commands, options.old, cores[1], options.rounds)
                return
            readings = {who: [] for who in commands}
            for _ in range(options.rounds):
                for who, command in commands.items():
                    readings[who].append(measure(nginx, command, cores[1]))
            print_speed(readings)
            if options.users:
                print_memory(nginx, folder, url, cores[1], options.users)
    finally:
        nginx.stop()


if __name__ == "__main__":
    main()
