"""A certificate authority in a folder, with the openssl command: certificates that are right, expired, or for another host."""

import os
import subprocess

KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
SETTINGS = """[ca]
default_ca = here
[here]
new_certs_dir = {folder}
database = {folder}/index
serial = {folder}/serial
default_md = sha256
policy = policy
copy_extensions = copy
[policy]
commonName = supplied
"""


def self_signed(folder):
    """Paths of a certificate for this machine and its key."""
    cert, key = os.path.join(folder, "cert.pem"), os.path.join(folder, "key.pem")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-keyout", key, "-out", cert, "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"],
        check=True, capture_output=True,
    )
    os.chmod(key, 0o600)
    return cert, key


class Authority:
    """A new one, or with the certificate and key of one that there is."""

    def __init__(self, folder, name, existing=None):
        self._folder = os.path.join(folder, name)
        os.mkdir(self._folder)
        self.cert, self._key = existing or (self._path("ca.pem"), self._path("ca.key"))
        self._write("settings", SETTINGS.format(folder=self._folder))
        self._write("index", "")
        self._write("serial", "01\n")
        if existing:
            return
        self._openssl("req", "-x509", *KEY, "-days", "2", "-keyout", self._key, "-out", self.cert, "-subj", f"/CN={name}")

    def _path(self, name):
        return os.path.join(self._folder, name)

    def _write(self, name, text):
        with open(self._path(name), "w") as file:
            file.write(text)

    @staticmethod
    def _openssl(*arguments):
        subprocess.run(["openssl", *arguments], check=True, capture_output=True)

    def issue(self, name, alternatives, dates=("-days", "2")):
        """Paths of a certificate and its key."""
        request, cert, key = (self._path(name + end) for end in (".csr", ".pem", ".key"))
        self._openssl("req", *KEY, "-keyout", key, "-out", request, "-subj", f"/CN={name}", "-addext", f"subjectAltName={alternatives}")
        self._openssl("ca", "-config", self._path("settings"), "-batch", "-notext", "-cert", self.cert, "-keyfile", self._key,
                      "-in", request, "-out", cert, *dates)
        os.chmod(key, 0o600)
        return cert, key
