"""One broken rule at one place, printed the way compilers do so that editors can jump to it."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Violation:
    path: str
    line: int  # 1 where the whole file is meant
    message: str

    def __str__(self):
        return f"{self.path}:{self.line}: {self.message}"
