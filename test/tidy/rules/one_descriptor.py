"""One type owns descriptors: base/owned_fd.h. Who else may call ::close() stands in closes_allowed.txt with a reason."""

import re

from exceptions import check_except

ALLOWED = "test/tidy/closes_allowed.txt"
# Not the definition of a member (void Log::close(...)) nor a call of one.
CLOSE = re.compile(r"(?<![\w>])::\s*close\s*\(")


def check(tree):
    return check_except(tree, ALLOWED, ("src", "sim", "apps"), CLOSE,
                        lambda match: "closes a descriptor by hand: hold it in an OwnedFd (base/owned_fd.h)",
                        "closes no descriptor")
