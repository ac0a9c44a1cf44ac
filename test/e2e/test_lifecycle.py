"""From the first log line to the exit code: start, serve, drain, abort, refuse to start."""

import os
import signal
import socket
import tempfile
import threading
import time
import unittest

from harness import frames, http1
from harness.node import LOOPBACK, Node, run_to_end
from harness.waiting import until

DRAIN_DEADLINE_S = 1.0
# What a node may take beyond its drain deadline to give up on threads that never come back.
ABORT_GRACE_S = 2.0


class Serving(unittest.TestCase):
    def test_a_fresh_node_answers_on_all_three_listeners(self):
        with Node() as node:
            self.assertEqual(node.observe("/healthz").json(), {"ok": True, "checks": {"clock": "ok", "event_loop": "ok"}})
            ready = node.observe("/readyz")
            self.assertEqual((ready.status, ready.json()["state"]), (200, "ready"))
            self.assertEqual(node.metrics()["readyz_state", "worker_pool"], 2)
            self.assertEqual(node.observe("/version").json()["service"], "hyperscale")
            self.assertEqual(node.compute(job="echo", data="hi").body, b"hi")
            with frames.Client(node.transport) as client:
                self.assertEqual(client.call("echo", b"hi").payload, b"hi")
                self.assertEqual(client.call("nope").code, frames.NOT_FOUND)
                self.assertEqual(client.call("compute", b'{"job":"echo","data":"framed"}').payload, b"framed")

    def test_an_accepted_job_can_be_fetched_later(self):
        with Node() as node:
            accepted = node.compute("?mode=async", job="delay", ms=300)
            self.assertEqual(accepted.status, 202)
            path = accepted.headers["location"]
            self.assertEqual(node.get(path).status, 202)
            until(lambda: node.get(path).status == 200, "the accepted job is done")
            self.assertEqual(node.get(path).json(), {"job": "delay"})
            self.assertEqual(node.terminate(), 0, node.log())


class Draining(unittest.TestCase):
    # proves part: NODE-SHUT-1 (bus event, signals and API; the watch follows the drain and cannot begin it)
    def test_sigterm_and_sigint_drain_and_exit_0(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            with self.subTest(number), Node() as node:
                self.assertEqual(node.compute(job="echo", data="x").status, 200)
                node.signal(number)
                self.assertEqual(node.wait(), 0, node.log())
                self.assertIn("drained cleanly", node.log())

    def test_the_api_can_ask_for_the_shutdown(self):
        with Node() as node:
            self.assertEqual(node.post("/api/v1/shutdown").status, 202)
            self.assertEqual(node.wait(), 0, node.log())

    # proves: NODE-SHUT-3
    def test_work_in_flight_is_finished_and_answered(self):
        with Node() as node:
            with http1.connect(node.api) as connection, frames.Client(node.transport) as client:
                connection.sendall(http1.render("POST", "/api/v1/compute", b'{"job":"delay","ms":700}'))
                client.send(frames.encode_request(1, "compute", b'{"job":"delay","ms":700}'))
                until(lambda: node.metrics()["semaphore_inflight", "compute"] == 2, "both jobs run")
                node.signal(signal.SIGTERM)
                self.assertEqual(http1.read_answer(connection)[0].status, 200)
                answers = [client.receive(), client.receive()]
                self.assertIn((frames.RESPONSE, 1), [(f.kind, f.correlation) for f in answers if f], node.log())
            self.assertEqual(node.wait(), 0, node.log())

    # proves part: NODE-SHUT-4 (a hung job, end to end; not: how soon after the deadline)
    def test_a_hung_job_is_aborted_at_the_deadline_and_named(self):
        with Node("--drain-deadline", f"{DRAIN_DEADLINE_S:.0f}s", admin__fault_injection=True) as node:
            caller = http1.connect(node.api)
            caller.sendall(http1.render("POST", "/api/v1/compute", b'{"job":"hang"}'))
            until(lambda: node.metrics()["semaphore_inflight", "compute"] == 1, "the job hangs")
            aborted = []
            node.signal(signal.SIGTERM)
            begin = time.monotonic()
            watcher = threading.Thread(target=self._watch_aborts, args=(node, aborted))
            watcher.start()
            code = node.wait()
            took = time.monotonic() - begin
            watcher.join()
            caller.close()
            self.assertEqual(code, 3, node.log())
            self.assertGreater(took, DRAIN_DEADLINE_S * 0.9)
            self.assertLess(took, DRAIN_DEADLINE_S + ABORT_GRACE_S)
            self.assertRegex(node.log(), r"worker-\d+ of worker_pool did not stop in time: aborted")
            self.assertIn("job 'hang' never came back", node.log())
            # The node may be gone before it can be asked once more, so the count is 0 or 1 here; the log has it for certain.
            self.assertLessEqual(max(aborted, default=0), 1, "more than the hung worker was aborted")
            self.assertEqual(node.log().count("did not stop in time"), 1, node.log())

    @staticmethod
    def _watch_aborts(node, aborted):
        try:
            while True:
                aborted.append(node.metrics()["tasks_aborted_total", "worker_pool"])
        except (OSError, http1.ConnectionEnded):
            pass

    def test_a_second_signal_aborts_with_130(self):
        with Node(admin__fault_injection=True) as node:
            caller = http1.connect(node.api)
            caller.sendall(http1.render("POST", "/api/v1/compute", b'{"job":"hang"}'))
            until(lambda: node.metrics()["semaphore_inflight", "compute"] == 1, "the job hangs")
            node.signal(signal.SIGTERM)
            node.await_log("draining, at most")
            begin = time.monotonic()
            node.signal(signal.SIGINT)
            self.assertEqual(node.wait(), 130, node.log())
            self.assertLess(time.monotonic() - begin, ABORT_GRACE_S)
            caller.close()

    def test_idle_connections_do_not_hold_up_a_drain(self):
        with Node() as node:
            with http1.connect(node.api) as idle, frames.Client(node.transport) as framed, http1.connect(node.api) as kept:
                framed.call("echo", b"x")
                kept.sendall(http1.render("GET", "/version"))
                http1.read_answer(kept)
                begin = time.monotonic()
                node.signal(signal.SIGTERM)
                self.assertEqual(node.wait(), 0, node.log())
                self.assertLess(time.monotonic() - begin, 3.0, node.log())
                self.assertEqual(http1.closed_by_peer(idle), b"")


class Refusing(unittest.TestCase):
    def test_a_taken_port_is_exit_1_with_a_readable_message(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            for option in ("--api", "--metrics", "--transport"):
                listen = list(LOOPBACK)
                listen[listen.index(option) + 1] = f"127.0.0.1:{port}"
                code, said = run_to_end(*listen)
                self.assertEqual(code, 1, said)
                self.assertIn(f"cannot listen on 127.0.0.1:{port}: Address already in use", said)

    def test_a_wrong_flag_is_exit_2(self):
        code, said = run_to_end("--bogus")
        self.assertEqual(code, 2)
        self.assertIn("--bogus", said)

    def test_a_wrong_value_is_exit_2_with_the_key_and_the_fix(self):
        for argument, parts in {
            "api.dedline=1s": ["unknown key 'api.dedline'", "did you mean 'api.deadline'"],
            "api.deadline=soon": ["api.deadline", '"soon" is not a duration'],
            "drain.deadline=6s": ["drain.deadline is out of range", "5s"],
        }.items():
            code, said = run_to_end("--set", argument)
            self.assertEqual(code, 2, said)
            for part in parts:
                self.assertIn(part, said)

    def test_a_wrong_file_is_exit_2_with_line_and_nearest_match(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "node.toml")
            with open(path, "w") as file:
                file.write('[api]\ndeadline = "2s"\nbody_bytes = 3\n')
            code, said = run_to_end("-c", path)
            self.assertEqual(code, 2)
            self.assertIn(f"{path}:3", said)
            self.assertIn("did you mean 'api.body_bytes_max'", said)
            code, said = run_to_end("-c", os.path.join(folder, "absent.toml"))
            self.assertEqual(code, 2)
            self.assertIn("absent.toml", said)

    def test_check_starts_nothing(self):
        code, _ = run_to_end("--check")
        self.assertEqual(code, 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
