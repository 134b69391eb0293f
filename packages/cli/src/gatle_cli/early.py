"""Options that must be known before any plugin is imported."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_BUNDLE = re.compile(r"-v*p(.*)")  # -p NAME, -pNAME, -vp NAME


@dataclass(frozen=True, slots=True, kw_only=True)
class Early:
    """What the command line says about plugins and errors.

    Attributes:
        disabled: Plugins named by `-p no:NAME`.
        modules: Modules named by `-p MODULE`.
        debug: Whether errors show their traceback.
    """

    disabled: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    debug: bool = False


def read_early(arguments: Sequence[str]) -> Early:
    """Read `-p` and `--debug` wherever they stand before a `--`."""
    before = list(arguments)
    if "--" in before:
        before = before[: before.index("--")]
    names = _values(before)
    return Early(
        disabled=tuple(n.removeprefix("no:") for n in names if n.startswith("no:")),
        modules=tuple(n for n in names if not n.startswith("no:")),
        debug="--debug" in before,
    )


def _values(arguments: list[str]) -> list[str]:
    found = []
    for index, argument in enumerate(arguments):
        if argument == "--plugin":
            found += arguments[index + 1 : index + 2]
        elif argument.startswith("--plugin="):
            found.append(argument.removeprefix("--plugin="))
        elif bundle := _BUNDLE.fullmatch(argument):
            found += [bundle[1]] if bundle[1] else arguments[index + 1 : index + 2]
    return found
