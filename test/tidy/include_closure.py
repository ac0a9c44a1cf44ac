"""The project files that a file reaches through its includes: what has to be looked at again when one of them changes."""

from cpp_text import includes


def closure(tree, path):
    """The path itself and every file below src that it includes, directly or through others."""
    seen, waiting = {path}, [path]
    while waiting:
        for _, target, quoted in includes(tree.text(waiting.pop())):
            included = "src/" + target
            if quoted and included not in seen and tree.exists(included):
                seen.add(included)
                waiting.append(included)
    return seen
