"""Values written on the command line."""

from __future__ import annotations

import ast
import json
import re
import warnings
from typing import Any

_WORDS = {"true": True, "false": False, "null": None, "none": None}
_INTEGER = re.compile(r"[+-]?\d+(_\d+)*", re.ASCII)
_NUMBER = re.compile(r"[+-]?(\d+(_\d+)*\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_SPECIAL = re.compile(r"[+-]?(inf|nan|infinity)", re.IGNORECASE)


def parse_literal(text: str) -> Any:
    """Return the value a text stands for; a text that stands for nothing else is itself.

    Numbers may be written `1e-3`, `1E3`, `.5`, `1_000` or `inf`; `true`, `false` and `null` in any
    case; lists and mappings as in JSON or in Python.
    """
    stripped = text.strip()
    if stripped.lower() in _WORDS:
        return _WORDS[stripped.lower()]
    if _INTEGER.fullmatch(stripped):
        return int(stripped)
    if _NUMBER.fullmatch(stripped) or _SPECIAL.fullmatch(stripped):
        return float(stripped)
    if stripped[:1] in {"[", "{", "(", '"', "'"}:
        return _structure(stripped, otherwise=text)
    return text


def _structure(text: str, *, otherwise: str) -> Any:
    try:
        return json.loads(text)
    except (json.JSONDecodeError, RecursionError):
        pass
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an unknown escape, as in '\d', is no news here
            value = ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return otherwise
    return otherwise if isinstance(value, set | bytes) else value
