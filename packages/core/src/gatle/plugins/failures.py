"""What can go wrong with a plugin, as a value that is reported once and never swallowed."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from gatle.errors import PluginError

Phase = Literal["discovery", "import", "registration", "collection", "name"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """One defect of one plugin.

    Attributes:
        plugin: The entry-point name, as in `-p no:NAME`.
        distribution: Name and version of the distribution, or `-` for a module loaded by path.
        phase: When it happened; `name` means a clash over a name, which leaves the plugin active.
        place: The hook or module concerned.
        reason: What is wrong, in one line.
        traceback: The traceback of the exception, if there was one.
    """

    plugin: str
    distribution: str
    phase: Phase
    place: str
    reason: str
    traceback: str = field(default="", compare=False, repr=False)

    @classmethod
    def of(
        cls, error: BaseException, *, plugin: str, distribution: str, phase: Phase, place: str
    ) -> Failure:
        """Make a failure of an exception, keeping what it says as text."""
        return cls(
            plugin=plugin,
            distribution=distribution,
            phase=phase,
            place=place,
            reason=_reason(error),
            traceback=_traceback(error),
        )

    def __str__(self) -> str:
        return (
            f"plugin {self.plugin!r} ({self.distribution}) failed at {self.phase} of {self.place}: "
            f"{self.reason} (disable with -p no:{self.plugin})"
        )


def _reason(error: BaseException) -> str:
    if isinstance(error, PluginError):
        return error.what
    try:
        text = " ".join(str(error).split()) or "no message"
    except Exception:  # noqa: BLE001  an exception of a plugin may not even have a text
        text = "its message cannot be read"
    return f"{type(error).__name__}: {text}"


def _traceback(error: BaseException) -> str:
    try:
        lines = traceback.format_exception(type(error), error, error.__traceback__)
    except Exception:  # noqa: BLE001  as above
        return ""
    return "".join(lines)


class FailureLog:
    """All failures so far, each once; runs plugin code so that it cannot end the program."""

    def __init__(self) -> None:
        self._failures: list[Failure] = []

    def __iter__(self) -> Iterator[Failure]:
        return iter(self._failures)

    def __len__(self) -> int:
        return len(self._failures)

    def __getitem__(self, index: int) -> Failure:
        return self._failures[index]

    def add(self, failure: Failure) -> None:
        """Keep a failure, unless it is known."""
        if failure not in self._failures:
            self._failures.append(failure)

    def forget(self, plugin: str) -> None:
        """Drop the failures of a plugin, because it has been disabled."""
        self._failures = [failure for failure in self._failures if failure.plugin != plugin]

    def names(self, *, clashes: bool = False) -> set[str]:
        """Return the plugins that failed; a mere clash over a name counts if `clashes`."""
        return {f.plugin for f in self._failures if clashes or f.phase != "name"}

    def guard(
        self, work: Callable[[], Any], *, plugin: str, distribution: str, phase: Phase, place: str
    ) -> Any:
        """Run a plugin's code; whatever it raises but Ctrl-C becomes a failure, and `None`.

        What it prints goes to stderr: stdout is data. A stream it replaces is put back.
        """
        streams = sys.stdout, sys.stderr
        sys.stdout = sys.stderr
        try:
            return work()
        except KeyboardInterrupt as error:
            error.add_note(f"while plugin {plugin!r} ({distribution}) was at {phase} of {place}")
            raise
        except BaseException as error:  # noqa: BLE001  a plugin may raise SystemExit
            self.add(
                Failure.of(
                    error, plugin=plugin, distribution=distribution, phase=phase, place=place
                )
            )
            return None
        finally:
            sys.stdout, sys.stderr = streams
