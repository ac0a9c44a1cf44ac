"""The project files that a file reaches through its includes: what has to be looked at again when one of them changes."""

from cpp_text import includes


def closure(tree, path):
    """The path itself and every file of the project that it includes, directly or through others."""
    seen, waiting = {path}, [path]
    while waiting:
        for _, target, quoted in includes(tree.text(waiting.pop())):
            # Includes are written from src, those of the simulator and of tests from the root.
            included = next((name for name in ("src/" + target, target) if quoted and tree.exists(name)), None)
            if included and included not in seen:
                seen.add(included)
                waiting.append(included)
    return seen
