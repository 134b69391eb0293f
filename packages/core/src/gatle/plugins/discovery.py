"""Finding plugins by the entry-point group `gatle`, without importing any of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points

GROUP = "gatle"
FIRST_PARTY = frozenset({"gatle-core", "gatle-quant", "gatle-dist", "gatle-viz", "gatle-cli"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """An entry point and the distribution it belongs to."""

    name: str
    module: str
    distribution: str
    version: str
    entry_point: EntryPoint

    @property
    def label(self) -> str:
        """Distribution and version, for messages."""
        return f"{self.distribution} {self.version}"


def candidates() -> Iterator[Candidate]:
    """Yield every installed plugin, sorted so that installation order cannot be observed.

    Where two distributions use one entry-point name, ours comes first, then by distribution name.
    """
    found = [_candidate(entry_point) for entry_point in entry_points(group=GROUP)]
    yield from sorted(
        found, key=lambda c: (c.name, c.distribution not in FIRST_PARTY, c.distribution)
    )


def _candidate(entry_point: EntryPoint) -> Candidate:
    distribution = entry_point.dist
    return Candidate(
        name=entry_point.name,
        module=entry_point.value,
        distribution=distribution.name if distribution else "-",
        version=distribution.version if distribution else "-",
        entry_point=entry_point,
    )
