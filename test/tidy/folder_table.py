"""Reads dependencies.txt: which folder may include which."""

PATH = "test/tidy/dependencies.txt"


class FolderTable:
    def __init__(self, tree):
        self.allowed = {}
        for entry in tree.entries(PATH):
            folder, _, others = entry.partition(":")
            self.allowed[folder.strip()] = others.split()

    def folder_of(self, path):
        """The row that rules a path below src (or apps/...): the longest folder that contains it, or None."""
        parts = path.split("/")
        for length in range(len(parts), 0, -1):
            candidate = "/".join(parts[:length])
            if candidate in self.allowed:
                return candidate
        return None

    def may_include(self, folder, target):
        return any(self._covers(entry, target) for entry in [folder, *self.allowed[folder]])

    def may_reach(self, folder, target):
        """May include it, or may include a folder whose headers reach it."""
        seen, waiting = set(), [folder]
        while waiting:
            current = waiting.pop()
            if self.may_include(current, target):
                return True
            seen.add(current)
            waiting += [row for row in self.allowed if row not in seen and self.may_include(current, row)]
        return False

    @staticmethod
    def _covers(entry, target):
        return entry == "all" or target == entry or target.startswith(entry + "/")


def path_below_src(path):
    """How a file is named in dependencies.txt: src/base/x.h is base/x.h, apps/... stays."""
    return path.removeprefix("src/")
