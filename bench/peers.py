#!/usr/bin/env python3
"""Runs Hyperscale and its peers against the same nginx, rounds in turn, and prints requests/s and CPU per request as ratios.

nginx has one core, the generators the other, so a machine needs two. Peers that are not installed are left out; others can be
given by path: peers.py --peer 'NAME=COMMAND {connections} {seconds} {url}'. `--old PROGRAM` puts another hyperscale beside this one in
every case, in alternating pairs, and prints the median ratio of the pairs with its spread. "bare io_uring" (bench/load/bare_uring.cpp)
is the limit: it only sends and counts bytes. A peer's count of requests comes from nginx, not
from what the peer says, so all are counted alike. CPU is user + system of the generator and all its processes.

Exit code 1 when a bar of docs/performance.md is missed (only with --check)."""

import argparse
import os
import pathlib
import resource
import select
import shlex
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent
HYPERSCALE = os.environ.get("HYPERSCALE_BIN", str(REPOSITORY / "build/release/bin/hyperscale"))
BARE_RING = str(REPOSITORY / "build/release/bin/bare_uring")

NGINX = """
worker_processes 1; worker_cpu_affinity {mask}; pid {folder}/nginx.pid; error_log {folder}/error.log crit; daemon off;
worker_rlimit_nofile 20000;
events {{ worker_connections 15000; }}
http {{
  access_log off; keepalive_requests 1000000000; keepalive_timeout 600s;
  client_body_temp_path {folder}/b; proxy_temp_path {folder}/p; fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
  server {{ listen 127.0.0.1:{h1} backlog=16384; location / {{ return 200 "hello from nginx, 32 bytes long.\\n"; }}
           location = /stub_status {{ stub_status; }} }}
  server {{ listen 127.0.0.1:{h2} http2 backlog=16384; location / {{ return 200 "hello from nginx, 32 bytes long.\\n"; }} }}
  server {{ listen 127.0.0.1:{tls} ssl backlog=16384; ssl_certificate {folder}/cert.pem; ssl_certificate_key {folder}/key.pem;
           location / {{ return 200 "hello from nginx, 32 bytes long.\\n"; }} }}
}}
"""


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


class Nginx:
    def __init__(self, core):
        self.folder = tempfile.mkdtemp(prefix="peers-")
        self.h1, self.h2, self.tls = free_ports(3)
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                        "-keyout", f"{self.folder}/key.pem", "-out", f"{self.folder}/cert.pem"], check=True, capture_output=True)
        config = NGINX.format(folder=self.folder, h1=self.h1, h2=self.h2, tls=self.tls, mask=bin(1 << core)[2:])
        path = pathlib.Path(self.folder, "nginx.conf")
        path.write_text(config)
        self.process = subprocess.Popen(["nginx", "-c", str(path), "-e", f"{self.folder}/error.log"])
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", self.h1), 0.1).close()
                return
            except OSError:
                time.sleep(0.05)
        raise SystemExit("peers: nginx did not start")

    def served(self):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.h1}/stub_status", timeout=30) as answer:
            return int(answer.read().decode().split("\n")[2].split()[2])

    def stop(self):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def processes_below(pid):
    found, waiting = [], [pid]
    while waiting:
        each = waiting.pop()
        found.append(each)
        try:
            waiting += [int(child) for child in pathlib.Path(f"/proc/{each}/task/{each}/children").read_text().split()]
        except OSError:
            pass
    return found


def peak_mb(pid):
    try:
        status = pathlib.Path(f"/proc/{pid}/status").read_text()
        return int(status.split("VmHWM:")[1].split()[0]) / 1024
    except (OSError, IndexError):
        return 0.0


def measure(nginx, command, core):
    """One run: requests that nginx counted, CPU of the generator, peak resident memory of its largest process."""
    before = nginx.served()
    started = time.monotonic()
    child = subprocess.Popen(["taskset", "-c", str(core), *command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    largest = 0.0
    ended = os.pidfd_open(child.pid)
    while not select.select([ended], [], [], 0.25)[0]:
        largest = max([largest, *map(peak_mb, processes_below(child.pid))])
    os.close(ended)
    elapsed = time.monotonic() - started
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    requests = nginx.served() - before - 1
    if child.returncode not in (0, 1) or requests < 100:
        raise SystemExit(f"peers: {shlex.join(command)} ended with {child.returncode}: {child.stderr.read().decode()[-500:]}")
    cpu = usage.ru_utime + usage.ru_stime
    return {"rate": requests / elapsed, "cpu": cpu / requests * 1e6, "rss": largest, "requests": requests}


def hyperscale(url, seconds, connections, *more):
    return [HYPERSCALE, "run", url, "--vus", str(connections), "--duration", f"{seconds}s", "--ui", "none", *more]


def cases(nginx, seconds):
    h1, h2, tls = (f"http://127.0.0.1:{nginx.h1}/", f"http://127.0.0.1:{nginx.h2}/", f"https://127.0.0.1:{nginx.tls}/")
    d = str(seconds)
    return {
        "HTTP/1.1, 50 connections": {
            "hyperscale": hyperscale(h1, d, 50), "hyperscale epoll": hyperscale(h1, d, 50, "--loop", "epoll"),
            "bare io_uring": [BARE_RING, "50", d, "127.0.0.1", str(nginx.h1)],
            "wrk": ["wrk", "-t1", "-c50", f"-d{d}s", h1], "ab": ["ab", "-q", "-k", "-c50", f"-t{d}", "-n100000000", h1],
            "h2load": ["h2load", "--h1", "-c50", "-t1", f"-D{d}", h1], "hey": ["hey", "-c", "50", "-z", f"{d}s", h1]},
        "HTTP/1.1 pipelined by 10": {
            "hyperscale": hyperscale(h1, d, 50, "--pipeline", "10"), "h2load": ["h2load", "--h1", "-c50", "-m10", "-t1", f"-D{d}", h1]},
        "h2c, 1 stream": {
            "hyperscale": hyperscale(h2, d, 50, "--http2"), "h2load": ["h2load", "-c50", "-m1", "-t1", f"-D{d}", h2]},
        "h2c, 10 streams": {
            "hyperscale": hyperscale(h2, d, 50, "--http2", "--streams", "10"), "h2load": ["h2load", "-c50", "-m10", "-t1", f"-D{d}", h2]},
        "HTTPS, 50 connections": {
            "hyperscale": hyperscale(tls, d, 50, "--insecure", "--http1"), "wrk": ["wrk", "-t1", "-c50", f"-d{d}s", tls]},
        "HTTP/1.1, 10,000 connections": {
            "hyperscale": hyperscale(h1, d, 10000), "wrk": ["wrk", "-t1", "-c10000", f"-d{d}s", h1]},
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--case", action="append", help="only cases whose name contains this")
    parser.add_argument("--old", help="another hyperscale to compare with in pairs; leaves the other peers out")
    parser.add_argument("--peer", action="append", default=[], help="NAME=COMMAND with {connections} {seconds} {url}")
    options = parser.parse_args()
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2:
        raise SystemExit("peers: needs two cores")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    nginx = Nginx(cores[0])
    try:
        for name, commands in cases(nginx, options.seconds).items():
            if options.case and not any(wanted in name for wanted in options.case):
                continue
            for peer in options.peer:
                peer_name, _, text = peer.partition("=")
                commands[peer_name] = shlex.split(text.format(connections=50, seconds=options.seconds, url=commands["hyperscale"][2]))
            if options.old:
                commands = {"hyperscale": commands["hyperscale"], "old": [options.old, *commands["hyperscale"][1:]]}
            commands = {who: command for who, command in commands.items() if shutil.which(command[0])}
            readings = {who: [] for who in commands}
            for turn in range(options.rounds):
                # Neither always goes first: a machine that warms up or slows down favours none.
                for who, command in (list(commands.items()) if turn % 2 == 0 else reversed(commands.items())):
                    readings[who].append(measure(nginx, command, cores[1]))
            print_table(name, readings)
            if options.old:
                print_pairs(readings)
    finally:
        nginx.stop()


def print_table(name, readings):
    middle = {who: {key: statistics.median(each[key] for each in rows) for key in rows[0]} for who, rows in readings.items()}
    ours = middle["hyperscale"]
    print(f"\n### {name}\n")
    print("| generator | requests/s (min-max) | hyperscale is | CPU µs per request | hyperscale does per CPU second | largest process, MB |")
    print("|---|---|---|---|---|---|")
    for who, each in middle.items():
        rates = [row["rate"] for row in readings[who]]
        print(f"| {who} | {each['rate']:,.0f} ({min(rates):,.0f}-{max(rates):,.0f}) | {ours['rate'] / each['rate']:.2f} x | "
              f"{each['cpu']:.2f} | {each['cpu'] / ours['cpu']:.2f} x | {each['rss']:.1f} |", flush=True)


def print_pairs(readings):
    pairs = list(zip(readings["hyperscale"], readings["old"]))
    for what, ratios in (("per CPU second", [old["cpu"] / new["cpu"] for new, old in pairs]),
                         ("requests/s", [new["rate"] / old["rate"] for new, old in pairs])):
        print(f"\n{what}: median {statistics.median(ratios):.3f} x of the old one, {min(ratios):.3f} to {max(ratios):.3f} "
              f"in {len(ratios)} pairs", flush=True)


if __name__ == "__main__":
    main()
