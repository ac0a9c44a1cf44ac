"""With amnesia on, a node under full load leaves no trace on disk."""

import asyncio
import os
import signal
import tempfile
import unittest

from harness import frames, fs_spy
from harness.load import closed_loop, compute_request
from harness.node import Node, run_to_end
from harness.waiting import until

CONNECTIONS = 20
LOAD_S = 3.0
STOP_TIMEOUT_S = 60  # strace makes everything slow


class SpiedNode(Node):
    """A node under strace; signals go to the node itself, the exit code comes from it through strace."""

    def __init__(self, trace_path, *arguments, **options):
        super().__init__(*arguments, wrapper=fs_spy.command(trace_path), **options)

    @property
    def pid(self):
        with open(f"/proc/{self.process.pid}/task/{self.process.pid}/children") as children:
            return int(children.read().split()[0])

    def signal(self, number):
        os.kill(self.pid, number)

    def kill(self):
        """A killed strace would leave the node running."""
        if self.process.poll() is None:
            try:
                os.kill(self.pid, signal.SIGKILL)
            except (ProcessLookupError, IndexError):
                self.process.kill()
        super().kill()


def work_hard(node):
    samples = []
    requests = [compute_request(job="echo", data="secret of the caller"), compute_request("?facet=index", job="hash", data="x", rounds=5000)]
    for request in requests:
        asyncio.run(closed_loop(node.api, request, CONNECTIONS, LOAD_S / len(requests), samples, 0.05))
    accepted = node.compute("?mode=async", job="hash", data="later", rounds=10)
    until(lambda: node.get(accepted.headers["location"]).status == 200, "the accepted job is done")
    with frames.Client(node.transport) as client:
        client.call("echo", b"secret of the peer")
    node.post("/api/v1/reload")
    node.observe("/metrics")
    return samples


class Amnesia(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.trace = os.path.join(folder.name, "trace")

    def changes_of(self, *arguments, **options):
        with SpiedNode(self.trace, *arguments, **options) as node:
            samples = work_hard(node)
            self.assertGreater(sum(s.status == 200 for s in samples), 20, "the node was not under load")
            self.assertEqual(node.terminate(STOP_TIMEOUT_S), 0, node.log())
        with open(self.trace) as file:
            return fs_spy.disk_changes(file.read())

    # proves part: NODE-AMN-3 (a node outside of a cluster; the admin token and cached results, not keys of TLS)
    # proves part: NODE-TEST-12 (a node outside of a cluster; the admin token and cached results, not keys of TLS)
    # proves part: NODE-GATE-9 (a node outside of a cluster; not a worker that has a state_dir)
    # proves part: NODE-AMN-1 (no writes; the admin token and cached results are wiped; not keys of TLS)
    def test_a_node_with_amnesia_writes_nothing(self):
        config = os.path.join(self.folder, "node.toml")
        with open(config, "w") as file:
            file.write('[api]\ndeadline = "5s"\n')
        self.assertEqual(self.changes_of("-c", config, environment={"AMNESIA": "1"}), [])

    # Without amnesia a node that is given no token writes one into the runtime folder of its user.
    # proves part: NODE-AMN-3 (a node outside of a cluster; the admin token and cached results, not keys of TLS)
    # proves part: NODE-TEST-12 (a node outside of a cluster; the admin token and cached results, not keys of TLS)
    def test_a_node_with_amnesia_makes_no_token_file(self):
        home = os.path.join(self.folder, "home")
        os.mkdir(home, 0o700)
        with SpiedNode(self.trace, made_token=True, environment={"AMNESIA": "1", "XDG_RUNTIME_DIR": home}) as node:
            self.assertEqual(node.terminate(STOP_TIMEOUT_S), 0, node.log())
        with open(self.trace) as file:
            self.assertEqual(fs_spy.disk_changes(file.read()), [])
        self.assertEqual(os.listdir(home), [])

    def test_the_spy_sees_a_log_file(self):
        log = os.path.join(self.folder, "node.log")
        changes = self.changes_of(log__file=log)
        self.assertTrue([line for line in changes if "open" in line and log in line], changes[:5])
        self.assertTrue([line for line in changes if "write" in line and log in line], changes[:5])

    # proves part: NODE-GATE-9 (a node outside of a cluster; not a worker that has a state_dir)
    def test_amnesia_and_a_log_file_are_refused(self):
        code, said = run_to_end("--set", f"log.file={self.folder}/node.log", environment={"AMNESIA": "1"})
        self.assertEqual(code, 2)
        self.assertIn("log.file", said)
        self.assertEqual(os.listdir(self.folder), [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
