"""C++ text without its comments and strings. Line numbers survive: what is removed becomes blanks."""

import re

# Numbers come first so that a digit separator (1'000) does not open a character literal.
TOKEN = re.compile(
    r"""(?P<number>(?<!\w)\d(?:'?[\w.])*)
      |(?P<comment>//[^\n]*|/\*.*?\*/)
      |(?P<include>^[ \t]*\#[ \t]*include[^\n]*)
      |(?P<string>R"(?P<mark>[^\s()\\]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+(["<])([^">]+)[">]', re.MULTILINE)


def _blank(match):
    return re.sub(r"[^\n]", " ", match.group())


def without_comments(text):
    return TOKEN.sub(lambda m: _blank(m) if m.group("comment") else m.group(), text)


def code_only(text):
    """Neither comments nor strings; what remains is what the compiler acts on. Include lines stay."""
    return TOKEN.sub(lambda m: _blank(m) if m.group("comment") or m.group("string") else m.group(), text)


def includes(text):
    """(line, path, quoted) of each include directive."""
    plain = without_comments(text)
    return [(line_of(plain, m.start(2)), m.group(2), m.group(1) == '"') for m in INCLUDE.finditer(plain)]


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1
