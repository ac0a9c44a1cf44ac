"""Reads an strace log (-f -y) and says which regular files were created, opened for writing or written to.

With -y strace writes the file behind each descriptor: write(2</dev/pts/0>, ...), so pipes, sockets, terminals and event
descriptors can be told from files."""

import re

CALLS = (
    "openat,open,creat,write,pwrite64,pwritev,pwritev2,writev,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,"
    "ftruncate,truncate,fallocate,sendfile,copy_file_range,link,linkat,symlink,symlinkat,mknod,mknodat"
)
CALL = re.compile(r"^(?:\[pid +\d+\] |\d+ +)?(?P<name>[a-z_0-9]+)\((?P<arguments>.*)$")
OPENS = {"open", "openat", "creat"}
WRITES = {"write", "pwrite64", "pwritev", "pwritev2", "writev", "sendfile", "ftruncate", "fallocate", "copy_file_range"}
FIRST_DESCRIPTOR = re.compile(r"^\d+<(?P<file>[^>]*)>")
OPEN_TO_WRITE = re.compile(r"\bO_(?:WRONLY|RDWR|CREAT|TRUNC|APPEND|TMPFILE)\b")
# Not on a disk: devices, kernel interfaces, and descriptors that are no files at all.
HARMLESS = re.compile(r"^(?:/dev/(?:null|zero|tty|pts/|u?random)|/proc/|/sys/|pipe:|socket:|anon_inode:|(?:TCP|UDP|UNIX|NETLINK)[\w-]*:)")


def command(log_path):
    return ("strace", "-f", "-y", "-s", "0", "-e", f"trace={CALLS}", "-e", "signal=none", "-o", log_path)


def is_harmless(file):
    return HARMLESS.match(file) is not None


def disk_changes(trace):
    """The lines of the trace that change a disk."""
    return [line for line in trace.splitlines() if _changes_disk(line)]


def _changes_disk(line):
    match = CALL.match(line)
    if not match or match["name"].startswith("resumed"):
        return False
    name, arguments = match["name"], match["arguments"]
    if " = -1 E" in line:
        return False  # nothing came of it
    if name in OPENS:
        path = re.search(r'"([^"]*)"', arguments)
        return (name == "creat" or OPEN_TO_WRITE.search(arguments) is not None) and not is_harmless(path[1] if path else "?")
    if name in WRITES:
        written = FIRST_DESCRIPTOR.match(arguments)
        return written is None or not is_harmless(written["file"])
    return True  # every other traced call changes a directory
