"""Managers in network namespaces of their own, joined by a bridge: partitions that no node has to help with. Needs root."""

import itertools
import json
import os
import shutil
import subprocess
import tempfile

from .node import binary, clean_environment
from .waiting import until

SETTLE_S = 40.0


def usable():
    """Whether this process may make namespaces."""
    if os.geteuid() != 0 or not shutil.which("ip") or not shutil.which("iptables"):
        return False
    probe = f"hs-probe-{os.getpid()}"
    made = subprocess.run(["ip", "netns", "add", probe], capture_output=True).returncode == 0
    subprocess.run(["ip", "netns", "del", probe], capture_output=True)
    return made


def ip(*words):
    subprocess.run(["ip", *words], check=True, capture_output=True)


GROUPS = itertools.count()


class SeparateManagers:
    def __init__(self, count=3):
        self.folder = tempfile.TemporaryDirectory()
        # The kernel takes namespaces and their devices away some time after they were deleted: no name twice.
        self.tag = f"h{os.getpid() % 10000}{chr(ord('a') + next(GROUPS) % 26)}"
        self.subnet = f"10.{77 + os.getpid() % 100}.{os.getpid() % 250}"
        self.names = [f"manager-{i}" for i in range(1, count + 1)]
        self.processes = {}
        secret = os.path.join(self.folder.name, "secret")
        with open(os.open(secret, os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
            file.write("apart-But-together-4711\n")
        try:
            self.build(secret, count)
        except BaseException:
            self.__exit__()
            raise

    def build(self, secret, count):
        ip("link", "add", f"{self.tag}br", "type", "bridge")
        ip("addr", "add", f"{self.subnet}.254/24", "dev", f"{self.tag}br")
        ip("link", "set", f"{self.tag}br", "up")
        for number, name in enumerate(self.names, 1):
            self.join(number)
            self.start(number, name, secret, count)

    def join(self, number):
        space, outside = f"{self.tag}n{number}", f"{self.tag}v{number}"
        ip("netns", "add", space)
        ip("link", "add", outside, "type", "veth", "peer", "name", "eth0", "netns", space)
        ip("link", "set", outside, "master", f"{self.tag}br", "up")
        ip("-n", space, "addr", "add", f"{self.subnet}.{number}/24", "dev", "eth0")
        ip("-n", space, "link", "set", "eth0", "up")
        ip("-n", space, "link", "set", "lo", "up")

    def start(self, number, name, secret, count):
        path = os.path.join(self.folder.name, f"{name}.toml")
        seeds = ",".join(f"{self.subnet}.{other}:7700" for other in range(1, count + 1))
        with open(path, "w") as file:
            file.write(f'[node]\nname = "{name}"\nthreads = 1\nworkers = 1\n'
                       f'[cluster]\nlisten = "{self.subnet}.{number}:7700"\nseeds = "{seeds}"\ngroup_size = {count}\n'
                       f'voters = "{",".join(self.names)}"\nprobe_interval = "100ms"\nsecret_file = "{secret}"\n'
                       f'state_dir = "{self.folder.name}/{name}"\n')
        log = open(os.path.join(self.folder.name, f"{name}.log"), "w")
        self.processes[name] = subprocess.Popen(
            ["ip", "netns", "exec", f"{self.tag}n{number}", binary(), "manager", "-c", path], env=clean_environment(),
            stdout=log, stderr=log)
        log.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.processes.values():
            process.kill()
            process.wait()
        for number in range(1, len(self.names) + 1):
            subprocess.run(["ip", "netns", "del", f"{self.tag}n{number}"], capture_output=True)
        subprocess.run(["ip", "link", "del", f"{self.tag}br"], capture_output=True)
        self.folder.cleanup()

    def drop(self, name, *chains):
        """UDP of this node no longer gets in (INPUT) or out (OUTPUT)."""
        for chain in chains:
            self.iptables(name, "-A", chain, "-p", "udp", "-j", "DROP")

    def heal(self, name):
        self.iptables(name, "-F")

    def iptables(self, name, *words):
        space = f"{self.tag}n{self.names.index(name) + 1}"
        subprocess.run(["ip", "netns", "exec", space, "iptables", *words], check=True, capture_output=True)

    def standing(self, name):
        """Asked from within the namespace: without TLS the API answers on loopback only."""
        space = f"{self.tag}n{self.names.index(name) + 1}"
        try:
            with open(os.path.join(self.folder.name, name, "api.token")) as file:
                token = file.read().strip()
        except OSError:
            return None
        asked = subprocess.run(["ip", "netns", "exec", space, "curl", "-sf", "--max-time", "2", "-H", f"Authorization: Bearer {token}",
                                "http://127.0.0.1:8080/api/v1/cluster"], capture_output=True)
        return json.loads(asked.stdout) if asked.returncode == 0 else None

    def settled(self, names=None):
        names = names or self.names

        def agreed():
            standings = [self.standing(name) for name in names]
            if None in standings:
                return None
            leads = [standing["name"] for standing in standings if standing["leads"]]
            return leads[0] if len(leads) == 1 and {standing["leader"] for standing in standings} == set(leads) else None

        return until(agreed, f"{names} agree on a leader", timeout_s=SETTLE_S)
