"""A cluster of real processes: it finds itself, elects, and survives what is done to it."""

import json
import os
import re
import signal
import socket
import struct
import subprocess
import tempfile
import time
import unittest

from harness.fleet import SETTLE_S, Fleet
from harness.node import binary, clean_environment
from harness.runs import children, invoke, is_alive
from harness.waiting import until


class Cluster(unittest.TestCase):
    def fleet(self, **shape):
        return self.enterContext(Fleet(**shape))

    def test_gates_managers_and_workers_find_each_other_and_elect(self):
        fleet = self.fleet(gates=2, dcs=2, managers=2, workers=1)
        fleet.await_alive()
        fleet.settled("gate")
        fleet.settled("dc1-manager")
        fleet.settled("dc2-manager")
        worker = fleet.ask("dc1-worker-1")
        self.assertEqual(worker["leadership"], "non-voter")
        seen = {member["name"] for member in worker["members"]}
        self.assertEqual(seen, {"dc1-manager-1", "dc1-manager-2"}, "a worker knows its datacenter")
        table = fleet.do("status").out
        self.assertRegex(table, r"dc2-manager-1 +manager +dc2 +127\.0\.0\.1:\d+ +running +alive")
        self.assertEqual(len(re.findall(r" leads ", table)), 3, table)
        self.assertIn("converg", str(fleet.ask("gate-1", "/debug/vivaldi/coordinate")))

    # proves: LEAD-8, SWIM-5
    def test_a_killed_leader_is_replaced_and_known_dead_to_all(self):
        fleet = self.fleet(managers=3)
        first = fleet.settled()
        term = fleet.ask(first)["term"]
        fleet.do("kill", first)
        rest = [name for name in fleet.group("dc1-manager") if name != first]
        second = fleet.settled(names=rest)
        self.assertGreater(fleet.ask(second)["term"], term)
        until(lambda: fleet.states_of(first, rest) == {"dead"}, "all know it dead", timeout_s=SETTLE_S)
        for name in rest:
            events = [row["event"] for row in fleet.ask(name, "/api/v1/cluster/audit")
                      if row["subject"] == fleet.nodes[first]["address"]]
            self.assertEqual([event for event in events if event in ("PEER_CONFIRMED", "DIED")], ["PEER_CONFIRMED", "DIED"])
            self.assertIn("SUSPECTED", events)
            self.assertGreater(fleet.metrics(name)["probes_sent_total"], 0)
        found = {reason: sum(fleet.ask(name)["stats"][reason] for name in rest)
                 for reason in ("suspicions_started", "suspicions_of_refused", "probes_refused")}
        # A probe that was on its way when it died was met with silence; any other one was refused.
        self.assertLessEqual(found["suspicions_started"], 1)
        self.assertGreater(found["suspicions_started"] + found["suspicions_of_refused"], 0)
        self.assertGreater(found["probes_refused"], 0, "its machine said so, and nobody had to wait for silence")
        fleet.do("start", first)
        fleet.await_alive()
        self.assertEqual(fleet.settled(), second, "a leader that works is not replaced")

    # proves: AD31-9
    def test_a_worker_whose_primary_manager_is_killed_turns_to_another_and_learns_the_leader(self):
        fleet = self.fleet(managers=3, workers=1)
        fleet.await_alive()
        leader = fleet.settled()

        def primary():
            rows = fleet.ask("dc1-worker-1")["primaries"]
            return rows[0] if rows else {"primary": None, "leader": None}

        until(lambda: primary()["primary"] and primary()["leader"] == leader, "it has a manager", timeout_s=SETTLE_S)
        first = primary()["primary"]
        self.assertRegex(fleet.do("status").out, rf"dc1-worker-1 +worker .* {first} ")
        fleet.do("kill", first)
        rest = [name for name in fleet.group("dc1-manager") if name != first]
        until(lambda: primary()["primary"] in rest, "it turned to another", timeout_s=SETTLE_S)
        second = fleet.settled(names=rest)
        until(lambda: primary()["leader"] == second, "it knows who leads now", timeout_s=SETTLE_S)
        self.assertRegex(fleet.log("dc1-worker-1"), rf"primary manager of dc1 is {primary()['primary']}: ")
        if leader == first:
            self.assertRegex(fleet.log("dc1-worker-1"), rf"managers of dc1 are led by {second} in term")

    # proves: AD35-OBS-2
    # proves part: AD35-OBS-1 (names, kinds, log lines, most counts; not: success counted only where it was asked)
    # proves part: AD35-OBS-4 (that the route answers)
    # proves part: AD35-OBS-3 (every field; measured_rtt_samples has the last one only)
    def test_a_node_tells_of_distances_and_of_those_that_never_answered(self):
        fleet = self.fleet(managers=3)
        fleet.settled()
        own = until(lambda: (fleet.ask("dc1-manager-1", "/debug/vivaldi/coordinate") or {}).get("position")
                    and fleet.ask("dc1-manager-1", "/debug/vivaldi/coordinate"), "it has a place", timeout_s=SETTLE_S)
        self.assertEqual(set(own), {"position", "height", "error", "peer_count", "convergence_status"})
        self.assertEqual(len(own["position"]), 4)
        self.assertGreater(fleet.metrics("dc1-manager-1")["vivaldi_coordinate_updates"], 0)
        self.assertRegex(fleet.log("dc1-manager-1"), r"PeerConfirmed peer=\S+ role=manager rtt_ms=\S+ error_ms=\S+ samples=")
        self.assertIn(own["convergence_status"], ("converging", "converged"))
        peers = fleet.ask("dc1-manager-1", "/debug/vivaldi/peers")
        self.assertEqual(len(peers), own["peer_count"])
        self.assertTrue(all(row["adaptive_timeout_s"] > 0 for row in peers), peers)
        fleet.do("kill", "dc1-manager-1", "dc1-manager-2", "dc1-manager-3")
        fleet.do("start", "dc1-manager-1")
        rows = fleet.ask("dc1-manager-1", "/debug/peers/unconfirmed")
        self.assertEqual({row["role"] for row in rows}, {"manager"}, "of those it was told of, nobody answers")
        for row in rows:
            self.assertRegex(row["discovered_at"], r"^\d{4}-\d\d-\d\dT.*Z$")
            self.assertEqual(row["confirmation_attempts"], 0)
            self.assertGreater(row["passive_timeout_remaining"], 0)

    # proves part: LEAD-6 (rising tokens of the term; not that who leads again asks with its newer one)
    # proves part: AD10-1 (a token of each leadership's term; not that who leads again asks with its newer one)
    def test_a_paused_leader_does_not_act_when_it_wakes(self):
        fleet = self.fleet(managers=3)
        first = fleet.settled()
        old = fleet.ask(first)
        fleet.do("pause", first)
        rest = [name for name in fleet.group("dc1-manager") if name != first]
        second = fleet.settled(names=rest)
        new = fleet.ask(second)
        self.assertGreater(new["fence"], old["fence"], "what the old leader still sends is refused by its token")
        fleet.do("resume", first)
        woken = fleet.ask(first)
        self.assertFalse(woken["leads"], woken)
        self.assertEqual(woken["fence"], 0)
        self.assertEqual(fleet.settled(), second)

    # proves: AD3-1, AD3-3, AD6-3
    def test_the_smaller_side_of_a_partition_has_no_leader_and_heals(self):
        fleet = self.fleet(managers=3)
        first = fleet.settled()
        fleet.do("partition", first)
        rest = [name for name in fleet.group("dc1-manager") if name != first]
        second = fleet.settled(names=rest)
        until(lambda: not fleet.ask(first)["leads"], "the old one knows that it leads nobody", timeout_s=SETTLE_S)
        until(lambda: not fleet.ask(first)["quorum_available"], "it sees no majority", timeout_s=SETTLE_S)
        until(lambda: "1 of 3 voters are alive, 2 are needed: no quorum" in fleet.log(first), "its log says so")
        self.assertEqual(fleet.leaders(), {second})
        until(lambda: fleet.states_of(first, rest) == {"dead"}, "it is dead to the others", timeout_s=SETTLE_S)
        fleet.do("heal")
        fleet.await_alive()
        fleet.settled()

    def test_a_rolling_restart_always_has_a_majority(self):
        fleet = self.fleet(managers=3)
        fleet.settled()
        for name in fleet.group("dc1-manager"):
            os.kill(fleet.nodes[name]["pid"], signal.SIGTERM)
            until(lambda: fleet.ask(name) is None, f"{name} is gone")
            rest = [other for other in fleet.group("dc1-manager") if other != name]
            fleet.settled(names=rest)
            self.assertEqual(fleet.states_of(name, rest), {"left"}, "it said goodbye")
            until(lambda: f"{name} is running" not in invoke("cluster", "start", "--state-dir", fleet.folder, name).err,
                  f"{name} starts again")
            fleet.nodes = {row["name"]: row for row in json.loads(fleet.do("status", "--json").out)}
            fleet.settled()

    # proves part: SEC-3 (not datagrams of workers once a node has read its secrets anew)
    def test_keys_rotate_without_downtime(self):
        fleet = self.fleet(managers=3)
        leader = fleet.settled()
        secret = os.path.join(fleet.folder, "secret")
        previous = os.path.join(fleet.folder, "previous")
        with open(secret) as file:
            old = file.read()
        new = "a-wholly-other-Secret-8172\n"
        for name in fleet.nodes:
            self.edit_toml(fleet, name, "[cluster]\n", f'[cluster]\nprevious_secret_file = "{previous}"\n')
        for current, other in ((old, new), (new, old)):  # known to all before anyone speaks it
            for path, text in ((secret, current), (previous, other)):
                with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
                    file.write(text)
            for name in fleet.nodes:
                self.reload(fleet, name)
        for name in fleet.nodes:
            self.edit_toml(fleet, name, f'previous_secret_file = "{previous}"\n', "")
            self.reload(fleet, name)
        with open(secret, "w") as file:
            file.write("and-a-third-One-that-only-one-has-77\n")
        fleet.await_alive()
        self.assertEqual(fleet.settled(), leader)
        for standing in fleet.standings().values():
            self.assertEqual((standing["stats"]["deaths_detected"], standing["stats"]["refused_unsealed"]), (0, 0))
        stranger = next(name for name in fleet.nodes if name != leader)
        self.reload(fleet, stranger)
        until(lambda: fleet.states_of(stranger, [leader]) == {"dead"}, "who has another secret is out", timeout_s=SETTLE_S)
        self.assertGreater(fleet.ask(leader)["stats"]["refused_unsealed"], 0)

    def edit_toml(self, fleet, name, old, new):
        path = os.path.join(fleet.folder, name, "node.toml")
        with open(path) as file:
            text = file.read()
        with open(path, "w") as file:
            file.write(text.replace(old, new))

    def reload(self, fleet, name):
        """SIGHUP, and until the secrets have been read and the others were heard with them."""
        reads = fleet.log(name).count("read the secrets")
        os.kill(fleet.nodes[name]["pid"], signal.SIGHUP)
        until(lambda: fleet.log(name).count("read the secrets") > reads, f"{name} has read them")
        heard = fleet.ask(name)["stats"]["datagrams_in"]
        until(lambda: fleet.ask(name)["stats"]["datagrams_in"] > heard + 10, "it hears others")

    # proves: SEC-2
    # proves part: SEC-3 (not datagrams of workers once a node has read its secrets anew)
    def test_without_a_strong_secret_nothing_starts(self):
        environment = {"HYPERSCALE_CLUSTER_GROUP_SIZE": "1", "HYPERSCALE_CLUSTER_STATE_DIR": "/tmp/never-made"}
        missing = invoke("manager", "--check", environment=environment)
        self.assertEqual(missing.code, 2)
        self.assertIn("needs a secret of at least 16 characters", missing.err)
        for weak in ("short", "aaaaaaaaaaaaaaaaaaaaaaaa", "passwordpassword"):
            refused = invoke("manager", "--check", environment={**environment, "HYPERSCALE_AUTH_SECRET": weak})
            self.assertEqual(refused.code, 2, weak)
            self.assertNotIn(weak, refused.err + refused.out)
        both = invoke("manager", "--check", environment={**environment, "HYPERSCALE_AUTH_SECRET": "kT9#vLq2@xRw7!mZ",
                                                         "HYPERSCALE_AUTH_SECRET_PREVIOUS": "passwordpassword"})
        self.assertEqual(both.code, 2)
        self.assertIn("the previous cluster secret", both.err)

    def test_a_stranger_changes_nothing(self):
        """Another secret, another cluster's packets, garbage, replayed and bit-flipped packets, a flood."""
        fleet = self.fleet(managers=3)
        leader = fleet.settled()
        others = self.fleet(managers=1)
        taken = self.sniffed_packets(others)
        victim = fleet.nodes[leader]
        port = int(victim["address"].rsplit(":", 1)[1])
        stranger = self.enterContext(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        for packet in [b"", b"\0", b"x" * 1400, os.urandom(700), *taken]:
            stranger.sendto(packet, ("127.0.0.1", port))
        for _ in range(20000):
            stranger.sendto(os.urandom(200), ("127.0.0.1", port))
        until(lambda: fleet.ask(leader)["stats"]["refused_malformed"] > 1000, "the flood is turned away")
        self.assertEqual(fleet.settled(), leader)
        deaths = sum(standing["stats"]["deaths_detected"] for standing in fleet.standings().values())
        self.assertEqual(deaths, 0, "nobody was taken for dead")

    @unittest.skipUnless(os.geteuid() == 0, "forging a sender's address needs a raw socket: run as root")
    def test_forged_senders_silence_nobody(self):
        """A stranger floods every pair of managers in the names of both, half of it with the head of true packets."""
        fleet = self.fleet(managers=3)
        leader = fleet.settled()
        names = fleet.group("dc1-manager")
        ports = [int(fleet.nodes[name]["address"].rsplit(":", 1)[1]) for name in names]
        term = fleet.ask(leader)["term"]
        heard = self.packet_between(ports)
        forger = self.enterContext(socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_UDP))
        pairs = [(a, b) for a in ports for b in ports if a != b]
        sent = 0
        end = time.monotonic() + 15
        while time.monotonic() < end:
            for source, to in pairs:
                for _ in range(20):
                    noise = os.urandom(120)
                    body = noise if sent % 2 else heard[:33] + noise
                    head = struct.pack("!HHHH", source, to, 8 + len(body), 0)
                    forger.sendto(head + body, ("127.0.0.1", 0))
                    sent += 1
            time.sleep(0.01)
        self.assertGreater(sent / 15 / len(pairs), 300, "packets a second for each pair")
        self.assertEqual(fleet.settled(), leader)
        for name, standing in fleet.standings().items():
            self.assertEqual(standing["term"], term, name)
            self.assertEqual(standing["stats"]["deaths_detected"], 0, name)
            self.assertGreater(standing["stats"]["refused_forged"], 100, name)

    def test_a_workers_secret_makes_no_manager(self):
        """Whoever has broken into a worker starts a manager with all that the worker has."""
        fleet = self.fleet(managers=3, workers=1)
        leader = fleet.settled()
        worker = fleet.group("dc1-worker")[0]
        with open(os.path.join(fleet.folder, worker, "node.toml")) as file:
            stolen = re.search(r'^secret_file = "(.*)"', file.read(), re.M).group(1)
        with open(os.path.join(fleet.folder, leader, "node.toml")) as file:
            text = file.read()
        folder = self.enterContext(tempfile.TemporaryDirectory())
        text = re.sub(r'^secret_file = ".*"', f'secret_file = "{stolen}"', text, flags=re.M)
        text = re.sub(r'^worker_secret_file = ".*"', f'worker_secret_file = "{stolen}"', text, flags=re.M)
        text = re.sub(r'^state_dir = ".*"', f'state_dir = "{folder}/state"', text, flags=re.M)
        text = re.sub(r'^listen = ".*"', 'listen = "127.0.0.1:0"', text, flags=re.M)
        text = re.sub(r'^seeds = ".*"', f'seeds = "{fleet.nodes[leader]["address"]}"', text, flags=re.M)
        text = re.sub(r'^voters = ".*"\n', "", text, flags=re.M)
        text = text.replace(f'name = "{leader}"', 'name = "rogue"')
        path = os.path.join(folder, "rogue.toml")
        with open(path, "w") as file:
            file.write(text)
        rogue = subprocess.Popen([os.environ["HYPERSCALE_BIN"], "manager", "-c", path], stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL, env={"PATH": os.environ["PATH"]})
        self.addCleanup(rogue.wait)
        self.addCleanup(rogue.kill)
        until(lambda: fleet.ask(leader)["stats"]["refused_unsealed"] > 3, "its packets are refused")
        for name, standing in fleet.standings().items():
            self.assertNotIn("rogue", [member["name"] for member in standing["members"]], name)
        self.assertEqual(fleet.settled(), leader)

    def packet_between(self, ports):
        """The payload of one packet that one of the nodes sends to another."""
        tap = self.enterContext(socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(0x0800)))
        tap.bind(("lo", 0x0800))
        tap.settimeout(20)
        while True:
            packet = tap.recv(2000)
            at = (packet[0] & 15) * 4
            if packet[9] == socket.IPPROTO_UDP and len(packet) > at + 8 + 57:
                source, to = struct.unpack_from("!HH", packet, at)
                if source in ports and to in ports:
                    return packet[at + 8:]

    def sniffed_packets(self, fleet):
        """What a node of another cluster sends to an address that it was told to knock at."""
        listener = self.enterContext(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        listener.bind(("127.0.0.1", 0))
        listener.settimeout(20)
        name, node = next(iter(fleet.nodes.items()))
        fleet.do("kill", name)
        toml = os.path.join(fleet.folder, name, "node.toml")
        with open(toml) as file:
            text = file.read()
        with open(toml, "w") as file:
            file.write(re.sub(r'seeds = ".*"', f'seeds = "127.0.0.1:{listener.getsockname()[1]}"', text))
        fleet.do("start", name)
        packet = listener.recv(2000)
        flipped = bytearray(packet)
        flipped[len(flipped) // 2] ^= 1
        return [packet, packet, bytes(flipped), packet[:-1]]

    def test_down_leaves_nothing_behind(self):
        with tempfile.TemporaryDirectory() as folder:
            state = os.path.join(folder, "cluster")
            self.assertEqual(invoke("cluster", "up", "--state-dir", state, "--gates", "0", "--managers", "1",
                                    "--workers", "1", timeout_s=60).code, 0)
            again = invoke("cluster", "up", "--state-dir", state)
            self.assertEqual(again.code, 1)
            self.assertIn("there is a cluster", again.err)
            self.assertEqual(invoke("cluster", "down", "--state-dir", state, timeout_s=60).code, 0)
            self.assertFalse(os.path.exists(state))
            left = invoke("cluster", "status", "--state-dir", state)
            self.assertEqual(left.code, 1)
            self.assertIn("cluster up", left.err)

    def test_an_interrupted_up_can_be_taken_down(self):
        with tempfile.TemporaryDirectory() as folder:
            state = os.path.join(folder, "cluster")
            size = ("--state-dir", state, "--gates", "0", "--managers", "3", "--workers", "0")
            # Nodes with a token of their own do not answer it, so it waits for them.
            environment = clean_environment({"HYPERSCALE_ADMIN_TOKEN": "another-Token-4711-8172"})
            up = subprocess.Popen([binary(), "cluster", "up", *size], stdout=subprocess.DEVNULL, env=environment)
            self.addCleanup(up.wait)
            self.addCleanup(up.kill)
            log = os.path.join(state, "dc1-manager-3", "log")
            until(lambda: os.path.exists(log) and os.path.getsize(log) > 0, "the last one is launched")
            nodes = children(up.pid)
            self.addCleanup(lambda: [os.kill(pid, signal.SIGKILL) for pid in nodes if is_alive(pid)])
            self.assertEqual((len(nodes), up.poll()), (3, None), "it waits for them")
            up.kill()
            up.wait()
            again = invoke("cluster", "up", *size)
            self.assertEqual(again.code, 1)
            self.assertIn("'hyperscale cluster down' takes it away", again.err)
            down = invoke("cluster", "down", "--state-dir", state, timeout_s=60)
            self.assertEqual(down.code, 0, down)
            self.assertEqual([pid for pid in nodes if is_alive(pid)], [])
            self.assertFalse(os.path.exists(state))
            self.assertEqual(invoke("cluster", "up", *size, timeout_s=60).code, 0)
            self.assertEqual(invoke("cluster", "down", "--state-dir", state, timeout_s=60).code, 0)

    def test_a_folder_with_other_files_is_left_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            thesis = os.path.join(folder, "thesis.txt")
            with open(thesis, "w") as file:
                file.write("years of work")
            refused = invoke("cluster", "up", "--state-dir", folder)
            self.assertNotEqual(refused.code, 0)
            self.assertIn("has other files in it", refused.err)
            self.assertEqual(os.listdir(folder), ["thesis.txt"])

    def test_two_nodes_cannot_share_a_state_folder(self):
        fleet = self.fleet(managers=1)
        name = next(iter(fleet.nodes))
        toml = os.path.join(fleet.folder, name, "node.toml")
        second = invoke("manager", "-c", toml, "--api", "127.0.0.1:0", "--metrics", "127.0.0.1:0", "--transport",
                        "127.0.0.1:0", "--listen", "127.0.0.1:0")
        self.assertEqual(second.code, 1)
        self.assertIn("another node uses", second.err)

    def test_a_full_disk_silences_a_voter_and_the_others_go_on(self):
        """A vote that cannot be saved must not be given."""
        fleet = self.fleet(managers=3)
        first = fleet.settled()
        rest = [name for name in fleet.group("dc1-manager") if name != first]
        victim = rest[0]
        state = os.path.join(fleet.folder, victim, "state")
        os.rename(state, state + ".gone")  # as a disk that went away
        with open(state, "w"):
            pass
        fleet.do("kill", first)
        until(lambda: fleet.ask(victim) is None, "it ends rather than vote without a memory", timeout_s=SETTLE_S)
        self.assertIn("can no longer keep its votes", fleet.log(victim))


if __name__ == "__main__":
    unittest.main()
