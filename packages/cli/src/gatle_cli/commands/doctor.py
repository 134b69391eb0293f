"""`gatle doctor`."""

from __future__ import annotations

import sys

import rich_click as click

from gatle.doctor import Result, run_checks
from gatle.plugin import CommandContext
from gatle_cli.output import print_json, print_table


@click.command()
@click.pass_context
def doctor(context: click.Context) -> None:
    """Check this machine and installation; exit 1 if a check finds an error."""
    obj: CommandContext = context.obj
    results: list[Result] = []
    for result in run_checks(obj.manager):
        results.append(result)
        if sys.stderr.isatty() and obj.verbose:
            sys.stderr.write(f"{result.check.record.name}: {result.seconds:.2f} s\n")
    failures = [str(failure) for failure in obj.manager.failures]
    if obj.json:
        _print_json(results, failures)
    else:
        rows = [
            (r.finding.status, r.check.record.name, r.finding.detail, r.finding.remedy)
            for r in results
        ]
        rows += [("error", "plugins", text, "") for text in failures]
        print_table(["status", "check", "found", "remedy"], rows)
    if failures or any(r.finding.status == "error" for r in results):
        context.exit(1)


def _print_json(results: list[Result], failures: list[str]) -> None:
    checks = [
        {
            "name": r.check.record.name,
            "plugin": r.check.plugin,
            "status": r.finding.status,
            "detail": r.finding.detail,
            "remedy": r.finding.remedy,
            "data": r.finding.data,
            "seconds": round(r.seconds, 3),
        }
        for r in results
    ]
    print_json("gatle.doctor/1", checks=checks, plugin_failures=failures)
