"""What /proc says about a process."""

import os
import re


def fd_count(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))


def status_bytes(pid, field):
    """A size in /proc/PID/status, such as VmSize."""
    with open(f"/proc/{pid}/status") as status:
        return int(re.search(rf"^{field}:\s+(\d+) kB$", status.read(), re.MULTILINE)[1]) * 1024


def rss_bytes(pid):
    return status_bytes(pid, "VmRSS")


def environment(pid):
    with open(f"/proc/{pid}/environ", "rb") as environ:
        return environ.read()


def thread_count(pid):
    return len(os.listdir(f"/proc/{pid}/task"))
