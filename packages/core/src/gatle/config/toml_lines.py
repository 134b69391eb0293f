"""The line on which each key of a TOML text stands, which the standard parser does not tell."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator

_TEXT_OR_COMMENT = re.compile(
    r'"""(?:\\.|[^\\])*?"""+'
    r"|'''.*?'''+"
    r'|"(?:\\.|[^"\\\n])*"'
    r"|'[^'\n]*'"
    r"|#[^\n]*",
    re.DOTALL,
)
_HEADER = re.compile(r"\s*(\[\[?)([^\[\]]+)\]")
_KEY = re.compile(r"\s*([\w-]+(?:\s*\.\s*[\w-]+)*)\s*=", re.ASCII)


def key_lines(text: str) -> dict[str, int]:
    """Map dotted paths to line numbers, counted from 1, for a text that is valid TOML.

    A table that no line names, as `a` in `[a.b]`, has the line of its first key. Keys inside inline
    tables and arrays are not listed: their nearest listed parent is their line.
    """
    lines: dict[str, int] = {}
    tables: Counter[str] = Counter()
    prefix, depth = "", 0
    for number, (line, masked) in enumerate(_lines(text), start=1):
        if depth == 0 and (header := _HEADER.match(masked)):
            keys = _keys(line[slice(*header.span(2))])
            prefix = _table(keys, tables, is_array=header[1] == "[[")
            _note(lines, prefix, number)
            continue
        if depth == 0 and (key := _KEY.match(masked)):
            _note(lines, _join(prefix, *_keys(line[slice(*key.span(1))])), number)
        depth += sum(map(masked.count, "[{")) - sum(map(masked.count, "]}"))
    return lines


def _lines(text: str) -> Iterator[tuple[str, str]]:
    """Yield each line as it is, and with quoted text masked and comments gone."""
    masked = _TEXT_OR_COMMENT.sub(_mask, text)
    yield from zip(text.split("\n"), masked.split("\n"), strict=True)


def _mask(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " " if match[0][0] == "#" else "_", match[0])


def _keys(dotted: str) -> list[str]:
    keys: list[str] = []
    value = tomllib.loads(f"{dotted} = 0")
    while isinstance(value, dict):
        [(key, value)] = value.items()
        keys.append(key)
    return keys


def _table(keys: list[str], tables: Counter[str], *, is_array: bool) -> str:
    """Return the path of a header; a name of an array of tables means its newest item."""
    path = ""
    for index, key in enumerate(keys):
        path = _join(path, key)
        if is_array and index == len(keys) - 1:
            tables[path] += 1
        if path in tables:
            path = f"{path}.{tables[path] - 1}"
    return path


def _note(lines: dict[str, int], path: str, number: int) -> None:
    lines[path] = number
    while path := path.rpartition(".")[0]:
        lines.setdefault(path, number)


def _join(*parts: str) -> str:
    return ".".join(part for part in parts if part)
