"""A local cluster of real nodes through `hyperscale cluster`, in a folder of its own."""

import http.client
import json
import os
import tempfile
import urllib.request

from .metrics_text import parse
from .runs import invoke
from .waiting import until

SETTLE_S = 40.0


class Fleet:
    def __init__(self, gates=0, dcs=1, managers=3, workers=0, probe_interval="100ms", tls=False):
        self._folder = tempfile.TemporaryDirectory()
        self.folder = os.path.join(self._folder.name, "cluster")
        self.size = gates + dcs * (managers + workers)
        started = self.do("up", "--gates", str(gates), "--dcs", str(dcs), "--managers", str(managers), "--workers",
                          str(workers), "--probe-interval", probe_interval, "--json", *(["--tls"] if tls else []),
                          timeout_s=90)
        self.nodes = {row["name"]: row for row in json.loads(started.out)}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        invoke("cluster", "down", "--state-dir", self.folder, timeout_s=60)
        self._folder.cleanup()

    def do(self, action, *arguments, timeout_s=30):
        done = invoke("cluster", action, "--state-dir", self.folder, *arguments, timeout_s=timeout_s)
        if done.code != 0:
            raise AssertionError(f"cluster {action}: {done}")
        return done

    def ask(self, name, path="/api/v1/cluster"):
        """What the API of a node answers; None when it does not."""
        with open(os.path.join(self.folder, "token")) as file:
            token = file.read().strip()
        connection = http.client.HTTPConnection("127.0.0.1", self.nodes[name]["api_port"], timeout=2)
        try:
            connection.request("GET", path, headers={"authorization": f"Bearer {token}"})
            return json.loads(connection.getresponse().read())
        except OSError:
            return None
        finally:
            connection.close()

    def metrics(self, name):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.nodes[name]['metrics_port']}/metrics", timeout=5) as answer:
            return parse(answer.read().decode())

    def edit(self, name, old, new):
        """In the configuration of a node; in force when it is started again."""
        path = os.path.join(self.folder, name, "node.toml")
        with open(path) as file:
            text = file.read()
        if old not in text:
            raise AssertionError(f"{path} has no {old}")
        with open(path, "w") as file:
            file.write(text.replace(old, new))

    def restart(self, name, missed_by=None):
        """Kills and starts a node; with `missed_by` only when that node knows it to be dead."""
        self.do("kill", name)
        until(lambda: self.ask(name) is None, f"{name} is gone")
        if missed_by:
            until(lambda: self.states_of(name, [missed_by]) == {"dead"}, f"{missed_by} misses {name}", timeout_s=SETTLE_S)
        self.do("start", name)

    def synced(self, name):
        """Names of those that have told a node their state."""
        standing = self.ask(name)
        return {row["name"]: row for row in standing["synced"]} if standing else {}

    def log(self, name):
        with open(os.path.join(self.folder, name, "log")) as file:
            return file.read()

    def standings(self, names=None):
        asked = {name: self.ask(name) for name in names or self.nodes}
        return {name: standing for name, standing in asked.items() if standing}

    def states_of(self, subject, names=None):
        """How those that know the node see it."""
        return {member["state"] for name, standing in self.standings(names).items() if name != subject
                for member in standing["members"] if member["name"] == subject}

    def leaders(self, names=None):
        return {name for name, standing in self.standings(names).items() if standing["leads"]}

    def group(self, prefix):
        return [name for name in self.nodes if name.startswith(prefix)]

    def settled(self, prefix="dc1-manager", names=None):
        """The one leader of a group that all of it follow."""
        names = names or self.group(prefix)

        def agreed():
            standings = self.standings(names)
            leads = [name for name, standing in standings.items() if standing["leads"]]
            follow = {standing["leader"] for standing in standings.values()}
            return leads[0] if len(standings) == len(names) and len(leads) == 1 and follow == {leads[0]} else None

        return until(agreed, f"{names} agree on a leader", timeout_s=SETTLE_S)

    def await_alive(self):
        """Everybody answers, knows somebody, and sees everybody it knows alive."""
        def all_alive():
            standings = self.standings()
            return len(standings) == self.size and all(
                {member["state"] for member in standing["members"]} == {"alive"} for standing in standings.values())
        until(all_alive, "all nodes see each other alive", timeout_s=SETTLE_S)
