"""Nothing runs on its own: background work is a task of the supervisor or an errand of one, so that it is seen while it
runs and none is left behind. Who owns threads or connections stands in detached_allowed.txt with a reason."""

import re

from exceptions import check_except

ALLOWED = "test/tidy/detached_allowed.txt"
# A coroutine that is spawned and waited for in one statement belongs to who waits.
DETACHED = re.compile(r"\bco_spawn\s*\((?![^;]*\b(?:kAwait\w*|use_awaitable|use_future)\b)|\bstd::(?:jthread|async)\b|"
                      r"\bstd::thread\b(?!::)|\bpthread_create\b|\b\w*thread\w*\.detach\s*\(")


# proves part: AD2-1 (everywhere but in the files that the rule's list allows)
def check(tree):
    return check_except(tree, ALLOWED, ("src", "apps"), DETACHED,
                        lambda match: f"{match.group().rstrip('( ')} runs on its own: start it with Supervisor or Errands",
                        "starts nothing on its own")
