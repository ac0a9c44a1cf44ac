"""`hyperscale run` and its relatives as processes, and `hyperscale target` to aim them at."""

import http.client
import json
import os
import signal
import ssl
import subprocess
import tempfile
import threading

from .node import binary, clean_environment
from .waiting import until

END_TIMEOUT_S = 30


def anything_goes():
    """A TLS context for servers whose certificate is not what a test is about."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


class Target:
    """hyperscale target on a free port. take_count() also begins a new count."""

    def __init__(self, *arguments):
        self._process = subprocess.Popen(
            [binary(), "target", "--json", *arguments], env=clean_environment(), stdout=subprocess.PIPE, text=True
        )
        line = self._process.stdout.readline()
        if not line:
            raise AssertionError(f"the target ended with {self._process.wait()} before it listened")
        where = json.loads(line)
        self.url, self.port = where["url"], where["port"]
        self.tcp, self.udp = where.get("tcp"), where.get("udp")  # URLs of --tcp and --udp

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self._process.kill()
        self._process.wait()
        self._process.stdout.close()

    def _ask(self, method, path):
        host = self.url.split("://")[1].rsplit(":", 1)[0].strip("[]")
        if self.url.startswith("https"):
            connection = http.client.HTTPSConnection(host, self.port, timeout=15, context=anything_goes())
        else:
            connection = http.client.HTTPConnection(host, self.port, timeout=15)
        try:
            connection.request(method, path)
            return json.loads(connection.getresponse().read())
        finally:
            connection.close()

    def count(self):
        return self._ask("GET", "/count")

    def take_count(self):
        return self._ask("POST", "/reset-count")


class Ended:
    """What a process left: exit code, both streams, and the result file when there is one."""

    def __init__(self, code, out, err, result=None):
        self.code = code
        self.out = out
        self.err = err
        self.result = result

    @property
    def totals(self):
        return self.result["totals"]

    def __repr__(self):
        return f"exit code {self.code}\n{self.out}{self.err}"


def invoke(*arguments, environment=None, timeout_s=END_TIMEOUT_S, **options):
    """Any command of the program, to its end."""
    done = subprocess.run(
        [binary(), *arguments], env=clean_environment(environment), capture_output=True, text=True, timeout=timeout_s,
        stdin=subprocess.DEVNULL, **options,
    )
    return Ended(done.returncode, done.stdout, done.stderr)


def run(*arguments, **options):
    """hyperscale run to its end, with its result."""
    with LoadRun(*arguments, **options) as load:
        return load.wait()


def process_state(pid):
    """The letter of /proc, or None when there is no such process."""
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return None


def children(pid):
    """Process ids; each belongs to the thread that started it."""
    found = []
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/children", encoding="ascii") as listed:
            found += map(int, listed.read().split())
    return found


def command_line(pid):
    """The words that the process was started with; none when it has ended."""
    try:
        with open(f"/proc/{pid}/cmdline", encoding="utf-8", errors="replace") as words:
            return words.read().split("\0")
    except (FileNotFoundError, ProcessLookupError):
        return []


def is_alive(pid):
    return process_state(pid) not in (None, "Z", "X")


class LoadRun:
    """hyperscale run in a process group and with a control folder of its own."""

    def __init__(self, *arguments, environment=None, **options):
        self._folder = tempfile.TemporaryDirectory()
        self.runtime_folder = self._folder.name
        self._json = os.path.join(self._folder.name, "result.json")
        self.environment = {"XDG_RUNTIME_DIR": self._folder.name, **(environment or {})}
        self.process = subprocess.Popen(
            [binary(), "run", *arguments, "--out", f"json={self._json}"], env=clean_environment(self.environment),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True, **options,
        )
        self._out, self._err = [], []
        self._readers = [
            threading.Thread(target=into.extend, args=(stream,), daemon=True)
            for into, stream in ((self._out, self.process.stdout), (self._err, self.process.stderr))
        ]
        for reader in self._readers:
            reader.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self._finish_reading()
        self.process.stdout.close()
        self.process.stderr.close()
        self._folder.cleanup()

    def _finish_reading(self):
        for reader in self._readers:
            reader.join(5)

    def err(self):
        return "".join(list(self._err))

    def executors(self):
        """Process ids, the longest running one first."""
        try:
            return sorted(pid for pid in children(self.process.pid) if is_alive(pid) and "--keep-streams" not in command_line(pid))
        except FileNotFoundError:
            return []

    def await_load(self, target, requests=1):
        def sent():
            if self.process.poll() is not None:
                raise AssertionError(f"the run ended with {self.process.returncode}:\n{self.err()}")
            return target.count()["requests"] >= requests

        until(sent, f"the target has {requests} requests")

    def await_err(self, text):
        until(lambda: text in self.err(), f"{text!r} on standard error")

    def interrupt(self, number=signal.SIGINT):
        """As Ctrl-C does it: every process of the group gets the signal."""
        os.killpg(self.process.pid, number)

    def ctl(self, *arguments):
        return invoke("ctl", *arguments, environment=self.environment)

    def wait(self, timeout_s=END_TIMEOUT_S):
        code = self.process.wait(timeout_s)
        self._finish_reading()
        result = None
        if os.path.exists(self._json) and os.path.getsize(self._json) > 0:
            with open(self._json) as file:
                result = json.load(file)
        return Ended(code, "".join(self._out), self.err(), result)
