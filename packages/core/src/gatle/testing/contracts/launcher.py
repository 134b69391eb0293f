"""What gatle expects of a launcher."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from gatle.errors import RunFailedError
from gatle.records import LaunchRequest
from gatle.testing.contracts.base import RecordContract


class LauncherContract(RecordContract):
    """The promises of a launcher, for one process on one node."""

    kind = "launchers"

    def request(self, function: Any) -> LaunchRequest:
        """Return the request that is launched; adapt it if the launcher needs more."""
        return LaunchRequest(function=function, processes_per_node=1, device="cpu")

    def test_returns_the_result(self, tmp_path: Path) -> None:
        """The launcher returns what the function returned.

        If this fails, return `request.function()`, or bring rank 0's result back.
        """
        result = self.target(self.request(_Work(tmp_path / "calls")))
        assert result == 42, f"{self.label} returned {result!r}, the function returned 42"

    def test_runs_the_function_once(self, tmp_path: Path) -> None:
        """One process calls the function once, without arguments.

        If this fails, start exactly `processes_per_node` processes and retry nothing.
        """
        self.target(self.request(_Work(tmp_path / "calls")))
        calls = _calls(tmp_path / "calls")
        assert calls == 1, f"{self.label} called the function {calls} times, expected once"

    def test_failure_is_passed_on(self, tmp_path: Path) -> None:
        """What the function raises ends the launch with its message.

        If this fails, raise the worker's error again in the caller: a failed run must not look
        finished.
        """
        work = _Work(tmp_path / "calls", failure="planted failure of a worker")
        try:
            result = self.target(self.request(work))
        except BaseException as error:  # noqa: BLE001  whatever type it arrives as
            text = repr(error)
        else:
            pytest.fail(f"{self.label} returned {result!r} although the function raised")
        assert work.failure in text, f"{self.label} raised {text}, which hides {work.failure!r}"


@dataclass(frozen=True)
class _Work:
    """Leaves a mark in a file for every call, in whichever process it is made."""

    calls: Path
    failure: str = ""

    def __call__(self) -> int:
        with self.calls.open("a", encoding="utf-8") as file:
            file.write("called\n")
        if self.failure:
            raise RunFailedError(self.failure)
        return 42


def _calls(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines()) if path.is_file() else 0
