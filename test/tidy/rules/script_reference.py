"""The JavaScript reference documents what the type file of workflow files declares, and nothing else.

An export has a heading with its name in backticks, or a row under "Types". What belongs to an export (static fields,
options, members) has a row in a table under its heading, with the name in backticks first.
"""

import dataclasses
import re

from violation import Violation

TYPES = "src/workflow/script/hyperscale.d.ts"
REFERENCE = "docs/reference/javascript.md"

EXPORT = re.compile(r"^  export (?:class|function|const|interface|type) (\w+)")
MEMBER = re.compile(r"^    (?:static |readonly )*(\w+)\??(?:<[^(]*>)?[:(]")
FOR_THE_COMPILER = re.compile(r"^    readonly kind: '")  # tells types apart

HEADING = re.compile(r"^#+ (.*)")
FENCE = re.compile(r"^\s*```")
FIRST_CELL = re.compile(r"^\|((?:[^|`]|`[^`]*`)*)\|")
CODE = re.compile(r"`([^`]+)`")
NAME = re.compile(r"^(?:(\w+)\.)?(\w+)(?![\w'])")


@dataclasses.dataclass
class Section:
    title: str
    line: int
    exports: list
    rows: dict = dataclasses.field(default_factory=dict)  # name to line


def check(tree):
    if not tree.exists(TYPES):
        return
    if not tree.exists(REFERENCE):
        yield Violation(REFERENCE, 1, f"missing, but there is {TYPES}")
        return
    exports = _declared(tree.lines(TYPES))
    sections = _sections(tree.lines(REFERENCE))
    yield from _missing(exports, sections)
    yield from _unknown(exports, sections)


def _declared(lines):
    """From each export to the names of what belongs to it."""
    exports, current = {}, None
    for line in lines:
        if match := EXPORT.match(line):
            current = exports.setdefault(match[1], set())
        elif line == "}":
            current = None
        elif current is not None and (match := MEMBER.match(line)) and not FOR_THE_COMPILER.match(line):
            current.add(match[1])
    return exports


def _sections(lines):
    sections, fenced = [Section("", 1, [])], False
    for number, line in enumerate(lines, 1):
        if FENCE.match(line):
            fenced = not fenced
        elif fenced:
            continue
        elif match := HEADING.match(line):
            sections.append(Section(match[1], number, _names(match[1], ())))
        elif match := FIRST_CELL.match(line):
            section = sections[-1]
            section.rows.update((name, number) for name in _names(match[1], section.exports))
    return sections


def _names(text, owners):
    """Names in backticks; `owner.name(...)` is a name of its owner."""
    matches = (NAME.match(code) for code in CODE.findall(text))
    return [match[2] if not match[1] or match[1] in owners else match[1] for match in matches if match]


def _missing(exports, sections):
    listed = {name for section in sections if section.title == "Types" for name in section.rows}
    for name, members in exports.items():
        section = next((each for each in sections if name in each.exports), None)
        if section is None:
            if members or name not in listed:
                yield Violation(REFERENCE, 1, f"{name} of {TYPES} has no heading{'' if members else ' and no row under Types'}")
            continue
        for member in sorted(members - section.rows.keys()):
            yield Violation(REFERENCE, section.line, f"{name}.{member} of {TYPES} has no row here")


def _unknown(exports, sections):
    for section in sections:
        for name in section.exports:
            if name not in exports:
                yield Violation(REFERENCE, section.line, f"{TYPES} exports no {name}")
        if section.title == "Types":
            known = exports.keys()
        elif section.exports:
            known = set(section.exports).union(*(exports.get(name, ()) for name in section.exports))
        else:
            continue
        for name, line in section.rows.items():
            if name not in known:
                yield Violation(REFERENCE, line, f"{TYPES} has no {name} here")
