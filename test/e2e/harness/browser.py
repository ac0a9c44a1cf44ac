"""A real browser (Debian's chromium, headless) on a page that a test serves, and a name that is bound to another server."""

import contextlib
import http.server
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading

REPORT_TIMEOUT_S = 60
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage")


def chromium():
    """The program; None where it is not installed."""
    return shutil.which("chromium")


class Page:
    """Serves one HTML page on a free port of loopback and keeps what its script reports (POST /report, JSON)."""

    def __init__(self):
        page = self
        self.html = ""
        self.reported = threading.Event()
        self.report = None
        self.on_switch = lambda: None

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self._answer(page.html.encode())

            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                if self.path == "/switch":
                    page.on_switch()
                else:
                    page.report = json.loads(body)
                    page.reported.set()
                self._answer(b"{}")

            def _answer(self, body):
                self.send_response(200)
                self.send_header("content-type", "text/html; charset=utf-8")
                self.send_header("content-length", str(len(body)))
                self.send_header("access-control-allow-origin", "*")
                self.send_header("connection", "close")
                self.end_headers()
                self.wfile.write(body)

            def do_OPTIONS(self):
                self.send_response(204)
                self.send_header("access-control-allow-origin", "*")
                self.send_header("access-control-allow-headers", "*")
                self.send_header("connection", "close")
                self.end_headers()

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()


class Rebound:
    """A port whose connections go to `port` now: what a DNS name does that is bound to another address later."""

    def __init__(self, port):
        self.target = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.create_connection(("127.0.0.1", self.target))
                threading.Thread(target=self._join, args=(client, server), daemon=True).start()

    def _join(self, client, server):
        with client, server:
            back = threading.Thread(target=self._copy, args=(server, client), daemon=True)
            back.start()
            self._copy(client, server)
            back.join()

    @staticmethod
    def _copy(source, sink):
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                sink.sendall(data)
        with contextlib.suppress(OSError):
            sink.shutdown(socket.SHUT_WR)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._listener.close()


def visit(page, url, *flags):
    """Opens the URL in a new profile and returns what the page reported."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        environment = {**os.environ, "HOME": folder, "XDG_CONFIG_HOME": folder, "XDG_CACHE_HOME": folder}
        browser = subprocess.Popen([chromium(), *FLAGS, f"--user-data-dir={folder}/profile", *flags, url], env=environment,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)
        try:
            if not page.reported.wait(REPORT_TIMEOUT_S):
                os.killpg(browser.pid, signal.SIGKILL)
                raise AssertionError(f"the page did not report: {browser.stderr.read()[-2000:]}")
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(browser.pid, signal.SIGKILL)
            browser.wait()
            browser.stderr.close()
    return page.report
