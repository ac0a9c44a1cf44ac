"""Servers of others as processes on free ports: nginx, nghttpd, caddy, redis, dnsmasq. Each is torn down with its folder."""

import os
import socket
import subprocess
import tempfile

from .waiting import until

NGINX = """user root;
worker_processes 1;
daemon off;
pid {folder}/pid;
error_log {folder}/error.log;
events {{ worker_connections 512; }}
http {{
  access_log {folder}/access.log;
  client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2; fastcgi_temp_path {folder}/t3;
  uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5;
  keepalive_requests 1000000;
  gzip on; gzip_types text/plain;
  server {{ listen 127.0.0.1:{port} {listen}; {server}
    root {folder}/www;
    location /chunked {{ ssi on; ssi_types text/plain; default_type text/plain; alias {folder}/www/page; }}
    location / {{ default_type text/plain; }} }}
}}
"""
CADDY = """{{
  admin off
  auto_https off
}}
{scheme}://127.0.0.1:{port} {{
  bind 127.0.0.1
  {tls}
  encode gzip
  root * {folder}/www
  file_server
  log {{
    output file {folder}/access.log
  }}
}}
"""
PAGE = "a line of text that compresses well\n" * 200


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Peer:
    """Started with its settings in a folder; up when its port accepts."""

    def __init__(self, tls=None):
        self._folder = tempfile.TemporaryDirectory()
        self.folder = self._folder.name
        os.mkdir(os.path.join(self.folder, "www"))
        for name in ("index.html", "page"):
            with open(os.path.join(self.folder, "www", name), "w") as file:
                file.write(PAGE)
        self.port = free_port()
        self.tls = tls
        self.url = f"{'https' if tls else 'http'}://127.0.0.1:{self.port}"
        self._log = open(os.path.join(self.folder, "output"), "w+")
        home = {"HOME": self.folder, "XDG_DATA_HOME": self.folder, "XDG_CONFIG_HOME": self.folder}
        self.process = subprocess.Popen(
            self.command(), stdin=subprocess.DEVNULL, stdout=self._log, stderr=self._log, env={**os.environ, **home}
        )
        try:
            until(self._accepts, "the server accepts connections")
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.process.terminate()
        self.process.wait()
        self._log.close()
        self._folder.cleanup()

    def _accepts(self):
        if self.process.poll() is not None:
            raise AssertionError(f"{self.process.args[0]} ended: {self.output()}")
        try:
            socket.create_connection(("127.0.0.1", self.port), 5).close()
            return True
        except ConnectionRefusedError:
            return False

    def output(self):
        with open(os.path.join(self.folder, "output")) as file:
            return file.read()

    def _settings(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w") as file:
            file.write(text)
        return path

    def answered(self):
        """Requests in the server's own log."""
        return self.log().count("\n")

    def log(self):
        path = os.path.join(self.folder, "access.log")
        if not os.path.exists(path):
            return ""  # caddy makes it for the first request
        with open(path) as log:
            return log.read()


class Nginx(Peer):
    def __init__(self, tls=None, http2=False, client_ca=None):
        self._http2 = http2
        self._client_ca = client_ca
        super().__init__(tls)

    def command(self):
        server = ""
        if self.tls:
            server = f"ssl_certificate {self.tls[0]}; ssl_certificate_key {self.tls[1]};"
        if self._client_ca:
            server += f" ssl_client_certificate {self._client_ca}; ssl_verify_client on;"
        listen = ("ssl " if self.tls else "") + ("http2" if self._http2 else "")
        settings = NGINX.format(folder=self.folder, port=self.port, listen=listen, server=server)
        return ["nginx", "-p", self.folder, "-e", os.path.join(self.folder, "error.log"), "-c", self._settings("nginx.conf", settings)]


class Caddy(Peer):
    def command(self):
        tls = f"tls {self.tls[0]} {self.tls[1]}" if self.tls else ""
        settings = CADDY.format(folder=self.folder, port=self.port, scheme="https" if self.tls else "http", tls=tls)
        return ["caddy", "run", "--adapter", "caddyfile", "--config", self._settings("Caddyfile", settings)]


class Nghttpd(Peer):
    def command(self):
        options = [] if self.tls else ["--no-tls"]
        files = [self.tls[1], self.tls[0]] if self.tls else []
        return ["nghttpd", "-v", "--address=127.0.0.1", f"--htdocs={self.folder}/www", *options, str(self.port), *files]

    def answered(self):
        return self.output().count("recv HEADERS frame")


class Redis(Peer):
    def command(self):
        return [
            "redis-server", "--bind", "127.0.0.1", "--port", str(self.port), "--dir", self.folder, "--save", "", "--appendonly", "no",
        ]

    def calls(self, command):
        """How often it was called, by the server's own books."""
        with socket.create_connection(("127.0.0.1", self.port), 5) as connection, connection.makefile("rb") as answer:
            connection.sendall(b"INFO commandstats\r\n")
            text = answer.read(int(answer.readline()[1:])).decode()
        lines = [line for line in text.splitlines() if line.startswith(f"cmdstat_{command}:")]
        return int(lines[0].split("calls=")[1].split(",")[0]) if lines else 0


class Dnsmasq(Peer):
    """Names are answered from `records`, all others refused. It listens by UDP and by TCP."""

    def __init__(self, records):
        self._records = records
        super().__init__()

    def command(self):
        return [
            "dnsmasq", "--keep-in-foreground", "--conf-file=/dev/null", "--pid-file=", "--user=root", "--no-resolv", "--no-hosts",
            "--listen-address=127.0.0.1", "--bind-interfaces", f"--port={self.port}",
            *(f"--host-record={name},{address}" for name, address in self._records.items()),
        ]
