"""A real terminal to run a program on: a tmux server of its own with one window, whose cells can be read."""

import os
import shlex
import shutil
import subprocess
import tempfile

from harness.waiting import until


class Tmux:
    """Runs a shell without start files in a window of the size. Use as a context."""

    def __init__(self, columns, rows):
        self._size = (columns, rows)
        self._folder = tempfile.mkdtemp(prefix="hyperscale-tmux-")
        self._socket = os.path.join(self._folder, "socket")

    def __enter__(self):
        columns, rows = self._size
        environment = {**os.environ, "LC_ALL": "C.UTF-8", "TERM": "xterm-256color"}
        environment.pop("TMUX", None)
        self._call("-f", "/dev/null", "new-session", "-d", "-x", str(columns), "-y", str(rows), "sh", environment=environment)
        self._call("set-option", "-g", "status", "off")
        self._call("set-option", "-g", "remain-on-exit", "on")
        self._call("set-window-option", "-g", "window-size", "manual")
        self._call("resize-window", "-x", str(columns), "-y", str(rows))
        until(lambda: self.asked("pane_width,pane_height") == f"{columns},{rows}", "the window has its size")
        return self

    def __exit__(self, *_):
        self._call("kill-server", check=False)
        shutil.rmtree(self._folder, ignore_errors=True)

    def type(self, *keys):
        """Keys by their tmux names, or text."""
        self._call("send-keys", *keys)

    def run(self, *command):
        self.type("-l", shlex.join(command))
        self.type("Enter")

    def resize(self, columns, rows):
        self._call("resize-window", "-x", str(columns), "-y", str(rows))

    def text(self):
        """What the window shows, as golden files have it: no blanks at the ends of rows."""
        rows = self._call("capture-pane", "-p").split("\n")[:-1]
        return "".join(row.rstrip(" ") + "\n" for row in rows)

    def history(self):
        """All rows there were, also those that have left the window."""
        return self._call("capture-pane", "-p", "-S", "-")

    def asked(self, variables):
        """Format variables of tmux, joined by commas: alternate_on, cursor_flag, pane_current_command, ..."""
        wanted = ",".join("#{" + name + "}" for name in variables.split(","))
        return self._call("display-message", "-p", wanted).strip()

    def settings(self):
        """The words of `stty -a` for the window's terminal."""
        tty = self.asked("pane_tty")
        listed = subprocess.run(["stty", "-a", "-F", tty], capture_output=True, text=True, check=True)
        return set(listed.stdout.replace(";", " ").split())

    def child(self, name):
        """The process id of the program of that name that the shell has started."""

        def found():
            shell = self.asked("pane_pid")
            listed = subprocess.run(["pgrep", "-P", shell, "-x", name[:15]], capture_output=True, text=True, check=False)
            return listed.stdout.split()

        return int(until(found, f"{name} runs")[0])

    def _call(self, *arguments, check=True, environment=None):
        command = ["tmux", "-u", "-S", self._socket, *arguments]
        ended = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
        if check and ended.returncode != 0:
            raise AssertionError(f"tmux {' '.join(arguments)}: {ended.stderr}")
        return ended.stdout
