"""Prints the ten longest files and functions. Never fails: length is a question, not a fault."""

import re

from cpp_text import code_only, line_of

SHOWN = 10
NOT_A_FUNCTION = re.compile(r"^\s*(?:if|for|while|switch|else|do|try|catch|namespace|class|struct|enum|union|extern|return)\b")
STATEMENT_END = re.compile(r"[;{}]|^\s*#[^\n]*$|^\s*(?:public|private|protected):", re.MULTILINE)


def check(tree):
    files = [(len(tree.lines(path)), path) for path in tree.cpp()]
    functions = [found for path in tree.cpp("src", "apps") for found in longest_functions(tree, path)]
    _print("longest files", files)
    _print("longest functions", functions)
    return []


def longest_functions(tree, path):
    """(lines, place) of each outermost function body, found by matching braces in formatted code."""
    code = code_only(tree.text(path))
    position = 0
    while (position := code.find("{", position)) >= 0:
        signature = _statement_before(code, position)
        end = _matching_brace(code, position)
        if "(" in signature and not NOT_A_FUNCTION.match(signature) and code[position + 1 : position + 2] in ("\n", " "):
            first, last = line_of(code, position), line_of(code, end)
            name = re.sub(r"\s+", " ", signature).strip().partition("(")[0]
            yield last - first + 1, f"{path}:{first} {name.split(' ')[-1]}"
            position = end
        position += 1


def _statement_before(code, position):
    start = 0
    for match in STATEMENT_END.finditer(code, 0, position):
        start = match.end()
    return code[start:position]


def _matching_brace(code, position):
    depth = 0
    for offset in range(position, len(code)):
        depth += {"{": 1, "}": -1}.get(code[offset], 0)
        if depth == 0:
            return offset
    return len(code)


def _print(title, rows):
    print(title)
    for length, place in sorted(rows, reverse=True)[:SHOWN]:
        print(f"  {length:5} lines  {place}")
