"""One node process: started on free ports, always killed at the end, its log kept for the assertions."""

import os
import re
import signal
import subprocess
import threading

from . import http1, metrics_text
from .waiting import until

UP = re.compile(r"up: api=(\S+) metrics=(\S+) transport=(\S+)")
LOOPBACK = ("--api", "127.0.0.1:0", "--metrics", "127.0.0.1:0", "--transport", "127.0.0.1:0")
EXIT_TIMEOUT_S = 20


def binary():
    repository = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
    return os.environ.get("HYPERSCALE_BIN", os.path.join(repository, "build/release/bin/hyperscale"))


def address(text):
    host, _, port = text.rpartition(":")
    return host.strip("[]"), int(port)


def clean_environment(extra=None):
    """The variables of the caller that configure a node would make the tests depend on who runs them."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("HYPERSCALE_") and k != "AMNESIA"}
    return {**kept, **(extra or {})}


def flavour_arguments():
    return ("--single-thread",) if os.environ.get("HYPERSCALE_FLAVOUR") == "single" else ()


def sets(**values):
    """sets(api__deadline="1s") is --set api.deadline=1s."""
    arguments = []
    for key, value in values.items():
        text = str(value).lower() if isinstance(value, bool) else str(value)
        arguments += ["--set", f"{key.replace('__', '.')}={text}"]
    return arguments


def run_to_end(*arguments, environment=None, timeout_s=EXIT_TIMEOUT_S):
    """For a node that is expected to refuse to start: its exit code and what it wrote to stderr."""
    done = subprocess.run(
        [binary(), "node", *arguments], env=clean_environment(environment), capture_output=True, text=True, timeout=timeout_s
    )
    return done.returncode, done.stderr


class Node:
    def __init__(self, *arguments, environment=None, wrapper=(), listen=LOOPBACK, made_token=False, **settings):
        """`made_token`: the node is given none and makes one."""
        if not made_token and "admin__token_file" not in settings:
            environment = {"HYPERSCALE_ADMIN_TOKEN": http1.TOKEN, **(environment or {})}
        command = [*wrapper, binary(), "node", *listen, *flavour_arguments(), *arguments, *sets(**settings)]
        self.process = subprocess.Popen(
            command, env=clean_environment(environment), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace"
        )
        self._lines = []
        self._log_file = settings.get("log__file")
        self._reader = threading.Thread(target=self._read_log, daemon=True)
        self._reader.start()
        self.api = self.metrics_address = self.transport = None

    def __enter__(self):
        try:
            self.await_up()
        except BaseException:
            self.kill()
            raise
        return self

    def __exit__(self, *_):
        self.kill()

    def _read_log(self):
        for line in self.process.stderr:
            self._lines.append(line.rstrip("\n"))

    def log(self):
        if self._log_file and os.path.exists(self._log_file):
            with open(self._log_file) as file:
                return file.read()
        return "\n".join(list(self._lines))

    def await_up(self):
        def found():
            if self.process.poll() is not None:
                self._reader.join(5)
                raise AssertionError(f"node ended with {self.process.returncode} before it was up:\n{self.log()}")
            return UP.search(self.log())

        up = until(found, "the node is up", 30)
        self.api, self.metrics_address, self.transport = (address(text) for text in up.groups())

    def await_log(self, text, timeout_s=15.0):
        until(lambda: text in self.log(), f"log line with {text!r}; the log is:\n{self.log()}", timeout_s)

    @property
    def pid(self):
        return self.process.pid

    def signal(self, number):
        self.process.send_signal(number)

    def wait(self, timeout_s=EXIT_TIMEOUT_S):
        """Exit code; waits for the log to be complete as well."""
        code = self.process.wait(timeout_s)
        self._reader.join(5)
        return code

    def terminate(self, timeout_s=EXIT_TIMEOUT_S):
        self.signal(signal.SIGTERM)
        return self.wait(timeout_s)

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self._reader.join(5)
        self.process.stderr.close()

    def get(self, path, **options):
        return http1.request(self.api, "GET", path, **options)

    def post(self, path, body=b"", **options):
        return http1.request(self.api, "POST", path, body, **options)

    def compute(self, query="", timeout_s=15.0, headers=(), **job):
        return http1.request(self.api, "POST", "/api/v1/compute" + query, http1.json_body(job), headers=headers, timeout_s=timeout_s)

    def observe(self, path, timeout_s=15.0):
        return http1.request(self.metrics_address, "GET", path, timeout_s=timeout_s)

    def metrics(self):
        return metrics_text.parse(self.observe("/metrics").body.decode())

    def status(self):
        return self.get("/api/v1/status").json()
