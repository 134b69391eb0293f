"""What can go wrong with a plugin, as a value that is reported once and never swallowed."""

from __future__ import annotations

import traceback
from dataclasses import dataclass, field
from typing import Literal

Phase = Literal["discovery", "import", "registration", "collection", "name"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """One defect of one plugin.

    Attributes:
        plugin: The entry-point name, as in `-p no:NAME`.
        distribution: Name and version of the distribution, or `-` for a module loaded by path.
        phase: When it happened; `name` means a clash over a name, which leaves the plugin active.
        place: The hook or module concerned.
        error: The exception, or the sentence that says what is wrong.
    """

    plugin: str
    distribution: str
    phase: Phase
    place: str
    error: BaseException | str
    traceback: str = field(default="", compare=False, repr=False)

    @classmethod
    def of(
        cls, error: BaseException, *, plugin: str, distribution: str, phase: Phase, place: str
    ) -> Failure:
        """Make a failure of an exception, keeping its traceback as text."""
        lines = traceback.format_exception(type(error), error, error.__traceback__)
        return cls(
            plugin=plugin,
            distribution=distribution,
            phase=phase,
            place=place,
            error=error,
            traceback="".join(lines),
        )

    @property
    def reason(self) -> str:
        """The error in one line."""
        if isinstance(self.error, str):
            return self.error
        text = " ".join(str(self.error).split()) or "no message"
        return f"{type(self.error).__name__}: {text}"

    def __str__(self) -> str:
        return (
            f"plugin {self.plugin!r} ({self.distribution}) failed at {self.phase} of {self.place}: "
            f"{self.reason} (disable with -p no:{self.plugin})"
        )
