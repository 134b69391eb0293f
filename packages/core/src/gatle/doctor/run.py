"""Running the checks of all plugins, so that one that raises is a finding and not the end."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

from gatle.plugins import PluginManager, Provided
from gatle.records import Finding


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A check, what it found, and how long it took."""

    check: Provided
    finding: Finding
    seconds: float


def run_checks(manager: PluginManager) -> Iterator[Result]:
    """Run every check and yield its result as soon as it is there."""
    for check in manager.registry("checks"):
        started = time.perf_counter()
        finding = _run(check)
        yield Result(check=check, finding=finding, seconds=time.perf_counter() - started)


def _run(check: Provided) -> Finding:
    try:
        finding = check.record.load()()
    except (Exception, SystemExit) as error:  # noqa: BLE001  a plugin may raise anything
        reason = f"{type(error).__name__}: {error}"
        detail = f"the check itself failed: {reason}"
        remedy = f"report it to {check.distribution}, or disable it with -p no:{check.plugin}"
        return Finding(status="error", detail=detail, remedy=remedy)
    if not isinstance(finding, Finding):
        detail = f"the check returned a {type(finding).__name__}, expected a Finding"
        return Finding(status="error", detail=detail, remedy=f"report it to {check.distribution}")
    return finding
