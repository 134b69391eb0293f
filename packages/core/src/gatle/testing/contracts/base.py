"""What all suites share: finding the record, and refusing that a contract test is overridden."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import pytest

from gatle.config.components import KINDS, Component, signature_problems
from gatle.records import Record
from gatle.testing.sandbox import Sandbox


def _overridden(cls: type) -> list[str]:
    """Return the names of the suites' tests that an author's class defines anew."""
    suites = [base for base in cls.__mro__[1:] if base.__module__.startswith("gatle.testing.")]
    names = {name for base in suites for name in vars(base) if name.startswith("test_")}
    return sorted(name for name in names if _definer(cls, name) not in suites)


def _definer(cls: type, name: str) -> type:
    return next(base for base in cls.__mro__ if name in vars(base))


def _excused(test: Any) -> bool:
    marks = getattr(test, "pytestmark", [])
    return any(mark.name == "xfail" and mark.kwargs.get("reason") for mark in marks)


class Contract:
    """The base of every suite.

    A subclass may adapt attributes and the helpers that have no `test_` in front. A contract test
    can be overridden only with `@pytest.mark.xfail(reason=...)`, which shows in every report that
    a promise is not kept, and why.

    Attributes:
        name: The record's name.
        module: The plugin module's dotted path, as in the entry point.
    """

    name: ClassVar[str] = ""
    module: ClassVar[str] = ""

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        for test in _overridden(cls):
            if not _excused(getattr(cls, test)):
                message = (
                    f"{cls.__qualname__} overrides the contract test {test!r}: mark it with "
                    f"@pytest.mark.xfail(reason=...), or adapt an attribute of the suite instead"
                )
                raise TypeError(message)

    def sandbox(self) -> Sandbox:
        """Return a sandbox with the plugin module."""
        if not self.module:
            pytest.fail(f"{type(self).__qualname__}: set module = 'your_package.plugin'")
        return Sandbox(self.module)


class RecordContract(Contract):
    """The base of the suites for one record.

    Attributes:
        kind: The provider hook that offers the record, without `gatle_`.
        params: Parameters as a config would give them.
    """

    kind: ClassVar[str] = ""
    params: ClassVar[Mapping[str, Any]] = {}

    @property
    def label(self) -> str:
        """What messages call the component."""
        return f"{self.name!r} of {self.module}"

    @property
    def record(self) -> Record:
        """The record under test, as the plugin module offers it."""
        sandbox = self.sandbox()
        found = {item.record.name: item.record for item in sandbox.provided(self.kind, self.module)}
        if self.name not in found:
            reasons = "; ".join(map(str, sandbox.failures)) or f"it offers {sorted(found)}"
            pytest.fail(f"{self.module} offers no {self.name!r} in gatle_{self.kind}: {reasons}")
        return found[self.name]

    @property
    def target(self) -> Callable[..., Any]:
        """What the record stands for."""
        target: Callable[..., Any] = self.record.load()
        return target

    def build(self, *arguments: Any, **offered: Any) -> Any:
        """Call the target as gatle does, with `params`."""
        return self.target(*arguments, **offered, **self.params)

    def offered(self, facts: Mapping[str, Any]) -> dict[str, Any]:
        """Return those facts of a data set that the target asks for by name."""
        component = Component(path="", name=self.name, target=self.target, params=self.params)
        return component.offers(facts)

    def test_target_can_be_called(self) -> None:
        """The record's target is found and can be called.

        If this fails, correct `target="module:attribute"` in the record, or what that module
        imports.
        """
        target = self.record.load()
        assert callable(target), f"{self.label} is a {type(target).__name__}, expected a callable"

    def test_params_fit_the_signature(self) -> None:
        """A config that gives `params` is accepted before anything is built.

        If this fails, set the suite's `params` to what the target takes, or give the target's
        parameter a default.
        """
        problems: list[str] = []
        for kind in KINDS.values():
            if kind.registry == self.kind:
                component = Component(
                    path=self.kind, name=self.name, target=self.target, params=self.params
                )
                problems = signature_problems(component, kind)
        assert not problems, f"{self.label}: {'; '.join(problems)}"
