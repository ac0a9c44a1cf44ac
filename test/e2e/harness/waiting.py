"""Waits for something another process does. Its state can only be asked for, so this asks again and again."""

import time

POLL_S = 0.02


def until(condition, what, timeout_s=15.0):
    """Returns the first true value of condition(); fails with `what` when there is none in time."""
    deadline = time.monotonic() + timeout_s
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {timeout_s} s: {what}")
        time.sleep(POLL_S)
