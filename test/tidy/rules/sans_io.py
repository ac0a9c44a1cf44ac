"""Folders that decide never touch the world: no clock, thread, socket, file, environment, hash order, free randomness.

Time, randomness and completions come in as arguments; that is what lets a simulator replay a failure exactly.
"""

import re

from cpp_text import code_only, line_of
from violation import Violation

FOLDERS = "test/tidy/sans_io_folders.txt"

# A name that is not a member (x.time(), x->time()) and not qualified by a namespace of ours.
FREE = r"(?<![\w.>:])(?:::|std::)?"
SYSTEM_CALL = r"(?<![\w.>:])::\s*"

BANNED = [
    ("a clock", r"\b\w+_clock\b"),
    ("a clock", FREE + r"time\s*\(\s*(?:nullptr|NULL|0|&)"),
    ("a clock", r"\b(?:gettimeofday|clock_gettime|timespec_get)\b|<(?:ctime|time\.h|sys/time\.h)>"),
    ("a thread", r"\bstd::(?:thread|jthread|mutex|shared_mutex|recursive_mutex|timed_mutex|condition_variable\w*)\b"),
    ("a thread", r"\bstd::(?:async|promise|future|latch|barrier|counting_semaphore|binary_semaphore|this_thread)\b"),
    ("a thread", r"\bpthread_\w+|\bthread_local\b|<(?:thread|mutex|shared_mutex|condition_variable|future|pthread\.h)>"),
    ("a socket", SYSTEM_CALL + r"(?:socket|bind|listen|accept4?|connect|send(?:to|msg)?|recv(?:from|msg)?)\s*\("),
    ("a socket", r"<(?:sys/socket\.h|netinet/\w+\.h|arpa/inet\.h|netdb\.h|sys/un\.h|poll\.h|sys/epoll\.h)>"),
    ("a file", r"\bstd::(?:[io]?fstream|filesystem)\b|<(?:fstream|filesystem|fcntl\.h|unistd\.h|sys/stat\.h)>"),
    ("a file", FREE + r"(?:fopen|freopen|fdopen|opendir)\s*\(|" + SYSTEM_CALL + r"open(?:at)?\s*\("),
    ("a file", r"\bO_(?:RDONLY|WRONLY|RDWR|CREAT)\b"),
    ("the environment", r"\b(?:secure_)?getenv\b|\bsetenv\b|\bputenv\b"),
    ("free randomness", FREE + r"s?rand(?:om)?\s*\(|\brandom_device\b|\bdefault_random_engine\b"),
    ("free randomness", r"\bmt19937(?:_64)?\s+\w+\s*(?:;|\{\s*\}|\(\s*\))|\bmt19937(?:_64)?\s*(?:\{\s*\}|\(\s*\))"),
    ("hash order", r"\bstd::unordered_\w+|<unordered_(?:map|set)>"),
    ("an event loop", r"\bboost::asio\b|\basio::|<boost/asio\b"),
]
BANNED = [(what, re.compile(pattern)) for what, pattern in BANNED]


def check(tree):
    folders = tree.entries(FOLDERS)
    for path in tree.cpp(*folders) if folders else []:
        code = code_only(tree.text(path))
        for what, pattern in BANNED:
            for match in pattern.finditer(code):
                name = match.group().strip()
                yield Violation(path, line_of(code, match.start()), f"{name}: {what} in a folder without I/O")
