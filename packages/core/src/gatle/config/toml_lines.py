"""The line on which each key of a TOML text stands, which the standard parser does not tell."""

from __future__ import annotations

import re
from collections import Counter

_HEADER = re.compile(r"\s*(\[\[?)\s*([^\[\]]+?)\s*\]\]?\s*(#.*)?$")
_KEY = re.compile(
    r"\s*((?:[\w-]+|\"[^\"]*\"|'[^']*')(?:\s*\.\s*(?:[\w-]+|\"[^\"]*\"|'[^']*'))*)\s*="
)
_TRIPLE = re.compile(r'"""|\'\'\'')


def key_lines(text: str) -> dict[str, int]:
    """Map dotted paths to line numbers, counted from 1, for a text that is valid TOML.

    Keys inside inline tables and arrays are not listed: their nearest listed parent is their line.
    """
    lines: dict[str, int] = {}
    tables: Counter[str] = Counter()
    prefix, depth, quote = "", 0, ""
    for number, line in enumerate(text.splitlines(), start=1):
        if quote or depth:
            quote, depth = _after(line, quote, depth)
            continue
        if header := _HEADER.match(line):
            prefix = _table(header, tables)
            lines.setdefault(prefix, number)
        elif key := _KEY.match(line):
            lines[_join(prefix, _dotted(key[1]))] = number
            quote, depth = _after(line[key.end() :], "", 0)
    return lines


def _table(header: re.Match[str], tables: Counter[str]) -> str:
    name = _dotted(header[2])
    if header[1] == "[":
        return name
    tables[name] += 1
    return f"{name}.{tables[name] - 1}"


def _after(text: str, quote: str, depth: int) -> tuple[str, int]:
    """Return the open triple quote and the bracket depth at the end of a piece of a value."""
    for mark in _TRIPLE.findall(text):
        quote = "" if quote == mark else quote or mark
    if quote:
        return quote, depth
    bare = re.sub(r"\"(?:\\.|[^\"\\])*\"|'[^']*'|#.*", "", text)
    return "", depth + sum(map(bare.count, "[{")) - sum(map(bare.count, "]}"))


def _dotted(key: str) -> str:
    return ".".join(part.strip().strip("\"'") for part in key.split("."))


def _join(prefix: str, key: str) -> str:
    return f"{prefix}.{key}" if prefix else key
