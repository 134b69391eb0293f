"""Printing data on stdout: one JSON object, or a table."""

from __future__ import annotations

import io
import json
import math
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import rich_click as click


def print_json(schema: str, **values: Any) -> None:
    """Print one JSON object with its schema; numbers that JSON lacks are spelled as text."""
    click.echo(json.dumps({"schema": schema, **_spelled(values)}, indent=2, allow_nan=False))


def print_table(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print rows under column heads, wrapped to the terminal or in full where there is none."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(*columns, box=None, pad_edge=False, header_style="bold")
    for row in rows:
        table.add_row(*(Text(_printable(str(cell))) for cell in row))
    if sys.stdout.isatty():
        Console().print(table)
        return
    buffer = Console(file=io.StringIO(), width=10_000)
    with buffer.capture() as capture:
        buffer.print(table)
    click.echo("\n".join(line.rstrip() for line in capture.get().splitlines()))


def _printable(text: str) -> str:
    """Make control characters of foreign text harmless."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def _spelled(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else ("Infinity" if value > 0 else "-Infinity")
    if isinstance(value, Mapping):
        return {str(key): _spelled(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_spelled(item) for item in value]
    return value
