"""The records of one kind, found by bare or qualified name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gatle.errors import ConfigError
from gatle.plugins.suggest import did_you_mean
from gatle.records import Record


@dataclass(frozen=True, slots=True, kw_only=True)
class Provided:
    """A record and the plugin that provides it."""

    record: Record
    plugin: str
    distribution: str
    first_party: bool = False

    @property
    def qualified(self) -> str:
        """The spelling that always works: `plugin/name`."""
        return f"{self.plugin}/{self.record.name}"


class Registry:
    """Records of one kind by name.

    A bare name belongs to gatle's own record if there is one, so that installing a plugin cannot
    change what a config means; a name offered by two plugins must be qualified.
    """

    def __init__(self, kind: str, provided: Iterable[Provided]) -> None:
        self.kind = kind
        self._by_qualified: dict[str, Provided] = {}
        self._by_name: dict[str, list[Provided]] = defaultdict(list)
        for item in sorted(provided, key=lambda p: (p.record.name, not p.first_party, p.plugin)):
            self._by_qualified[item.qualified] = item
            self._by_name[item.record.name].append(item)

    def __iter__(self) -> Iterator[Provided]:
        return iter(self._by_qualified.values())

    def __contains__(self, name: str) -> bool:
        return name in self._by_qualified or name in self._by_name

    @property
    def names(self) -> list[str]:
        """The spellings to show: bare where that is enough, qualified where it is not."""
        return [self._shown(item) for item in self]

    @property
    def clashes(self) -> list[list[Provided]]:
        """The groups of records that share a bare name, the owner of the name first."""
        return [items for items in self._by_name.values() if len(items) > 1]

    def get(self, name: str) -> Provided:
        """Return the record called `name`.

        Raises:
            ConfigError: If no record or more than one has that name.
        """
        if name in self._by_qualified:
            return self._by_qualified[name]
        items = self._by_name.get(name, [])
        if not items:
            raise self._unknown(name)
        if len(items) > 1 and not items[0].first_party:
            raise self._ambiguous(name, items)
        return items[0]

    def _shown(self, item: Provided) -> str:
        owner = self._by_name[item.record.name][0]
        alone = len(self._by_name[item.record.name]) == 1 or (owner is item and item.first_party)
        return item.record.name if alone else item.qualified

    def _unknown(self, name: str) -> ConfigError:
        known = sorted(set(self._by_name) | set(self._by_qualified))
        what = f"no {_singular(self.kind)} is called {name!r}{did_you_mean(name, known)}"
        fix = f"choose one of {', '.join(self.names) or 'none (no plugin offers any)'}"
        return ConfigError(what, fix=fix)

    def _ambiguous(self, name: str, items: list[Provided]) -> ConfigError:
        owners = " and ".join(f"{i.plugin!r} ({i.distribution})" for i in items)
        what = f"{_singular(self.kind)} {name!r} is offered by {owners}"
        return ConfigError(what, fix=f"write {' or '.join(i.qualified for i in items)}")


def _singular(kind: str) -> str:
    words = kind.replace("_", " ")
    return words[:-2] if words.endswith("sses") else words[:-1]
