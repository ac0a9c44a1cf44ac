"""The source tree as the rules see it: files that belong to the project, never what a build or an editor left behind."""

import functools
import os
import pathlib
import subprocess

IGNORED_FOLDERS = {".git", "build", "node_modules", "__pycache__"}
CPP_SUFFIXES = (".h", ".cpp")
CPP_FOLDERS = ("src", "apps", "test", "fuzz", "models", "bench", "sim")


class Tree:
    """Paths are strings relative to the root, with forward slashes."""

    def __init__(self, root, build=None):
        self.root = pathlib.Path(root).resolve()
        self.build = pathlib.Path(build).resolve() if build else self.root / "build"

    @functools.cached_property
    def files(self):
        names = self._from_git() or self._from_disk()
        return sorted(name for name in names if self.is_plain_file(name))

    def under(self, *folders, suffixes=()):
        """The files below any of the folders, with one of the suffixes if any are named."""
        prefixes = tuple(folder.rstrip("/") + "/" for folder in folders)
        return [f for f in self.files if f.startswith(prefixes) and (not suffixes or f.endswith(suffixes))]

    def cpp(self, *folders):
        return self.under(*(folders or CPP_FOLDERS), suffixes=CPP_SUFFIXES)

    def headers(self):
        return self.under("src", "sim", suffixes=(".h",))

    @functools.lru_cache(maxsize=None)
    def text(self, path):
        """The file's text, or nothing for a binary file."""
        try:
            return (self.root / path).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            return ""

    def lines(self, path):
        return self.text(path).splitlines()

    def exists(self, path):
        return (self.root / path).exists()

    def is_plain_file(self, path):
        full = self.root / path
        return full.is_file() and not full.is_symlink()

    def entries(self, path):
        """Lines of a data file, without comments and blanks; none if the file does not exist."""
        if not self.exists(path):
            return []
        lines = (line.strip() for line in self.lines(path))
        return [line for line in lines if line and not line.startswith("#")]

    def _from_git(self):
        if not (self.root / ".git").exists():
            return []
        command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
        listing = subprocess.run(command, cwd=self.root, capture_output=True, check=False)
        return [name for name in listing.stdout.decode().split("\0") if name] if listing.returncode == 0 else []

    def _from_disk(self):
        found = []
        for folder, below, names in os.walk(self.root):
            below[:] = [name for name in below if name not in IGNORED_FOLDERS]
            found += [(pathlib.Path(folder) / name).relative_to(self.root).as_posix() for name in names]
        return found
