"""What nodes say to each other over TCP: certificates, sealed frames, and the state that a new leader asks for."""

import contextlib
import os
import socket
import ssl
import tempfile
import unittest

from harness import frames
from harness.certificates import Authority
from harness.fleet import SETTLE_S, Fleet
from harness.runs import invoke
from harness.waiting import until

UNAUTHORIZED = 10
OURS = {"role": "manager", "cluster": "local", "env": "local", "dc": "dc1"}


def alternatives(address="127.0.0.1", **changed):
    uris = {**OURS, **changed}
    return ",".join([f"IP:{address}", *(f"URI:hyperscale://{part}/{value}" for part, value in uris.items())])


@contextlib.contextmanager
def one_core():
    """What is started meanwhile may use one core only."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


class ClusterTls(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())

    def fleet(self, **shape):
        return self.enterContext(Fleet(**shape))

    def authority_of(self, fleet):
        pem, key = (os.path.join(fleet.folder, name) for name in ("ca.pem", "ca-key.pem"))
        return Authority(self.folder, "fleet", existing=(pem, key))

    def await_synced(self, fleet, name, expected):
        until(lambda: set(fleet.synced(name)) == set(expected), f"{name} knows the state of {expected}", timeout_s=SETTLE_S)
        until(lambda: fleet.ask(name)["sync_pending"] == 0, "it waits for nobody", timeout_s=SETTLE_S)

    # proves: MSG-TCP-15
    # proves part: OV-5 (what the leader asks of the others; no jobs yet, and followers synchronise nothing)
    def test_a_cluster_with_certificates_elects_and_its_leaders_learn_the_state_of_others(self):
        fleet = self.fleet(gates=1, managers=3, workers=2, tls=True)
        fleet.await_alive()
        leader = fleet.settled()
        managers = fleet.group("dc1-manager")
        self.await_synced(fleet, leader, set(managers + fleet.group("dc1-worker")) - {leader})
        row = fleet.synced(leader)["dc1-worker-1"]
        self.assertEqual((row["role"], row["cores"]), ("worker", len(os.sched_getaffinity(0))))
        self.assertGreater(row["version"], 0)
        self.assertLess(row["age_s"], SETTLE_S)
        self.await_synced(fleet, "gate-1", managers)
        for name, standing in fleet.standings().items():
            self.assertTrue(standing["tls"], name)
            self.assertNotIn("turned away", fleet.log(name))
        for name in managers:
            if name != leader:
                self.assertEqual(fleet.synced(name), {}, "who does not lead asks nobody")
        self.assertRegex(fleet.do("status").out, rf"{leader} .* leads .* 4 of 4 ")

    # proves: LEAD-11
    def test_the_next_leader_learns_it_too_and_who_comes_back_is_asked_again(self):
        fleet = self.fleet(managers=3, workers=1, tls=True)
        fleet.await_alive()
        first = fleet.settled()
        self.await_synced(fleet, first, set(fleet.nodes) - {first})
        fleet.do("kill", first)
        rest = [name for name in fleet.group("dc1-manager") if name != first]
        second = fleet.settled(names=rest)
        self.await_synced(fleet, second, {*rest, "dc1-worker-1"} - {second})
        fleet.do("kill", "dc1-worker-1")
        until(lambda: "dc1-worker-1" not in fleet.synced(second), "the dead are forgotten", timeout_s=SETTLE_S)
        # What a worker offers are the cores of its affinity mask, however large another pool of it is.
        fleet.edit("dc1-worker-1", "\nworkers = 1\n", "\nworkers = 7\n")
        with one_core():
            fleet.do("start", "dc1-worker-1")
        until(lambda: "dc1-worker-1" in fleet.synced(second), "it is asked when it is back", timeout_s=SETTLE_S)
        self.assertEqual(fleet.synced(second)["dc1-worker-1"]["cores"], 1)
        fleet.restart("dc1-worker-1")
        until(lambda: fleet.synced(second).get("dc1-worker-1", {}).get("cores") == len(os.sched_getaffinity(0)),
              "a restart that nobody missed is found out", timeout_s=SETTLE_S)

    def knock(self, fleet, name, context):
        """What a peer with these certificates gets for a ping: None when it is shown the door."""
        port = fleet.nodes[name]["transport_port"]
        try:
            with socket.create_connection(("127.0.0.1", port), 15) as plain, context.wrap_socket(plain) as link:
                link.sendall(frames.encode(frames.PING, 7, b"knock"))
                return link.recv(1000) or None
        except (ssl.SSLError, ConnectionError):
            return None

    @staticmethod
    def rest_of(link):
        data = b""
        try:
            while received := link.recv(1000):
                data += received
        except ConnectionResetError:
            pass
        return data

    @staticmethod
    def client(cert=None):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        if cert:
            context.load_cert_chain(*cert)
        return context

    # proves part: AD28-SEC-3 (of who connects, and a node's own; not that it asks nobody whose certificate lacks them)
    # proves part: AD28-SEC-5 (by certificates; not the whole sentence where state sync refuses a role)
    # proves part: AD28-SEC-4 (a manager refuses clients, a worker refuses workers)
    # proves part: AD28-SEC-2 (in certificates; there is no registration message yet)
    # proves part: SEC-9 (not settings for local and production)
    def test_who_has_no_right_certificate_is_turned_away_and_the_cluster_goes_on(self):
        fleet = self.fleet(managers=3, workers=1, tls=True)
        fleet.await_alive()
        leader = fleet.settled()
        ours = self.authority_of(fleet)
        others = Authority(self.folder, "others")
        self.assertIsNotNone(self.knock(fleet, leader, self.client(ours.issue("right", alternatives()))))

        strangers = {
            "none": (None, "peer did not return a certificate"),
            "other authority": (others.issue("stranger", alternatives()), "certificate verify failed"),
            "other cluster": (ours.issue("cluster", alternatives(cluster="other")), "cluster_id mismatch, expected: local"),
            "other environment": (ours.issue("env", alternatives(env="other")), "environment_id mismatch, expected: local"),
            "client": (ours.issue("client", alternatives(role="client")),
                       "Connection denied: role 'client' cannot connect to 'manager'"),
            "no datacenter": (ours.issue("nodc", alternatives().rpartition(",")[0]), "has no URI hyperscale://dc/"),
        }
        for what, (cert, why) in strangers.items():
            with self.subTest(what):
                for _ in range(3):
                    self.assertIsNone(self.knock(fleet, leader, self.client(cert)))
                until(lambda: why in fleet.log(leader), f"the log says {why}")
                self.assertEqual(fleet.log(leader).count(why), 1, "said once")
        worker = self.client(ours.issue("worker", alternatives(role="worker")))
        self.assertIsNone(self.knock(fleet, "dc1-worker-1", worker), "workers do not talk to workers")
        until(lambda: "role 'worker' cannot connect to 'worker'" in fleet.log("dc1-worker-1"), "the log says so")
        with frames.Client(("127.0.0.1", fleet.nodes[leader]["transport_port"])) as plain:
            plain.send(frames.encode(frames.PING, 7))
            self.assertNotIn(frames.encode(frames.PONG, 7), self.rest_of(plain.socket), "no answer to plain text")

        refused = fleet.metrics(leader)
        self.assertEqual(refused["connections_refused_total", "certificate"], 12)
        self.assertGreaterEqual(refused["handshakes_dropped_total", "failed"], 7)
        self.assertEqual(fleet.settled(), leader)
        deaths = sum(standing["stats"]["deaths_detected"] for standing in fleet.standings().values())
        self.assertEqual(deaths, 0)
        self.await_synced(fleet, leader, set(fleet.nodes) - {leader})

    # proves part: SEC-9 (not settings for local and production)
    def test_the_address_in_a_certificate_is_checked_unless_that_is_switched_off(self):
        fleet = self.fleet(managers=1, workers=1, tls=True)
        manager, worker = "dc1-manager-1", "dc1-worker-1"
        self.await_synced(fleet, manager, {worker})
        cert, key = self.authority_of(fleet).issue("moved", alternatives("10.9.8.7", role="worker"))
        for made, name in ((cert, "cert.pem"), (key, "key.pem")):
            os.replace(made, os.path.join(fleet.folder, worker, name))
        fleet.restart(worker, missed_by=manager)
        until(lambda: "IP address mismatch" in fleet.log(manager), "the leader says why it has no state", timeout_s=SETTLE_S)
        fleet.await_alive()
        self.assertEqual(fleet.synced(manager), {})
        fleet.edit(manager, "tls_cert_file", "tls_verify_hostname = false\ntls_cert_file")
        fleet.restart(manager)
        self.await_synced(fleet, manager, {worker})

    def test_certificates_that_cannot_work_are_refused_at_the_start(self):
        fleet = self.fleet(managers=1, tls=True)
        toml = os.path.join(fleet.folder, "dc1-manager-1", "node.toml")

        def check(**keys):
            sets = [part for key, value in keys.items() for part in ("--set", f"cluster.{key}={value}")]
            return invoke("manager", "-c", toml, *sets, "--check")
        self.assertEqual(check().code, 0)
        half = check(tls_key_file="")
        self.assertEqual(half.code, 2)
        self.assertIn("cluster.tls_key_file is empty", half.err)
        for change, why in (({"name": "other"}, "cluster_id mismatch, expected: other"),
                            ({"environment": "other"}, "environment_id mismatch, expected: other"),
                            ({"tls_ca_file": "/nowhere.pem"}, "cannot read CA file /nowhere.pem")):
            refused = check(**change)
            self.assertEqual(refused.code, 2, change)
            self.assertIn(why, refused.err)
        role = invoke("worker", "-c", toml, "--set", "cluster.worker_secret_file=", "--check")
        self.assertEqual(role.code, 2)
        self.assertIn("the certificate is of a manager and this node is a worker", role.err)


class SealedFrames(unittest.TestCase):
    def cluster(self):
        """A leader and a worker whose framed transport is not where the leader looks for it."""
        fleet = self.enterContext(Fleet(managers=1, workers=1))
        port = fleet.nodes["dc1-worker-1"]["transport_port"]
        until(lambda: "dc1-worker-1" in fleet.synced("dc1-manager-1"), "synced", timeout_s=SETTLE_S)
        self.assertFalse(fleet.ask("dc1-manager-1")["tls"])
        fleet.edit("dc1-worker-1", f'"127.0.0.1:{port}"', f'"127.0.0.2:{port}"')
        fleet.restart("dc1-worker-1", missed_by="dc1-manager-1")
        return fleet, port

    def listen(self, port):
        listener = self.enterContext(socket.create_server(("127.0.0.1", port)))
        listener.settimeout(SETTLE_S)
        return listener

    @staticmethod
    def captured(listener):
        """The next question that comes, as the bytes of its frame."""
        link, _ = listener.accept()
        with link:
            link.settimeout(SETTLE_S)
            data = b""
            while frames.decode(data)[0] is None:
                data += link.recv(65536)
            return data

    def answer_to(self, address, question):
        with frames.Client(address) as client:
            client.send(question)
            return client.receive()

    # proves: ARCH-FRAME-1
    # proves part: SEC-4 (duplicates and stale ones are refused; no setting of a node gives the window)
    # proves part: ARCH-5 (state sync; not job, progress and quorum data)
    def test_state_travels_sealed_and_over_tcp_only(self):
        fleet, port = self.cluster()
        fleet.await_alive()  # by UDP all is well
        worker = ("127.0.0.2", port)
        until(lambda: "no state of dc1-worker-1 yet" in fleet.log("dc1-manager-1"), "and by TCP it is not", timeout_s=SETTLE_S)
        self.assertEqual(fleet.synced("dc1-manager-1"), {})
        self.assertIn("others look for this node's framed transport at 127.0.0.1", fleet.log("dc1-worker-1"))

        listener = self.listen(port)
        question = self.captured(listener)
        for told in (b"state-sync", b"dc1-manager-1", b"MANAGER"):
            self.assertNotIn(told, question)
        answer = self.answer_to(worker, question)
        self.assertEqual(answer.kind, frames.RESPONSE, "the question was a good one")
        self.assertNotIn(b"dc1-worker-1", answer.payload)
        again = self.answer_to(worker, question)
        self.assertEqual((again.kind, again.code), (frames.ERROR, UNAUTHORIZED), "nobody asks twice with the same words")

        question = self.captured(listener)
        changed = bytearray(frames.decode(question)[0].payload)
        changed[-1] ^= 1
        forged = frames.encode(frames.REQUEST, 9, bytes(changed))
        refused = self.answer_to(worker, forged)
        self.assertEqual((refused.kind, refused.code), (frames.ERROR, UNAUTHORIZED))
        self.assertIn("refused a frame", fleet.log("dc1-worker-1"))

    # proves part: SEC-8 (handlers that throw, frames that do not open; not other errors of state sync)
    def test_another_secret_is_refused(self):
        fleet, _ = self.cluster()
        other, port = self.cluster()
        question = self.captured(self.listen(port))
        node = ("127.0.0.1", fleet.nodes["dc1-manager-1"]["transport_port"])
        refused = self.answer_to(node, question)
        self.assertEqual((refused.kind, refused.code), (frames.ERROR, UNAUTHORIZED))
        self.assertNotIn(b"secret", refused.payload)
        until(lambda: "another cluster, environment or secret" in fleet.log("dc1-manager-1"), "the log says why")

    def test_a_transport_that_others_can_reach_without_tls_is_warned_about(self):
        fleet = self.enterContext(Fleet(managers=1))
        self.assertNotIn("without TLS", fleet.log("dc1-manager-1"))
        port = fleet.nodes["dc1-manager-1"]["transport_port"]
        fleet.edit("dc1-manager-1", f'"127.0.0.1:{port}"', f'"0.0.0.0:{port}"')
        fleet.restart("dc1-manager-1")
        self.assertIn(f"transport.listen 0.0.0.0:{port} is reachable by others and without TLS", fleet.log("dc1-manager-1"))


if __name__ == "__main__":
    unittest.main()
