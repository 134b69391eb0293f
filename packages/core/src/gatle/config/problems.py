"""Everything that is wrong with a config, collected and reported at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gatle.errors import ConfigError


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where a value comes from: `default`, `photos.toml:12`, `-o`, `plugin 'hello'`."""

    place: str

    def __str__(self) -> str:
        return self.place


DEFAULT = Origin(place="default")


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing wrong with a config.

    Attributes:
        origin: The file and line, or the option, that holds the value.
        path: The dotted path of the value.
        text: What was got, what is valid, and the nearest valid name.
    """

    origin: Origin
    path: str
    text: str

    def __str__(self) -> str:
        if self.origin == Origin(place=f"-o {self.path}"):
            return f"{self.origin}: {self.text}"
        place = f"{self.origin}: " if self.origin != DEFAULT else ""
        return f"{place}{self.path}: {self.text}" if self.path else f"{place}{self.text}"


class ConfigProblems(ConfigError):
    """A config with one or more problems."""

    def __init__(self, problems: Sequence[Problem], *, source: str) -> None:
        self.problems = tuple(problems)
        count = len(self.problems)
        lines = "".join(f"\n  {problem}" for problem in self.problems)
        noun = "problem" if count == 1 else "problems"
        super().__init__(f"{source} has {count} {noun}:{lines}\n")

    def __str__(self) -> str:
        return self.what.rstrip("\n")
