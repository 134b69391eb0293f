"""`gatle plugins`."""

from __future__ import annotations

import sys

import rich_click as click

from gatle.hookspecs import PROVIDERS
from gatle.plugin import CommandContext
from gatle.plugins import PluginInfo, PluginManager
from gatle_cli.output import print_json, print_table

SLOW_IMPORT_MS = 100.0


@click.command()
@click.option(
    "--kind", type=click.Choice(sorted(PROVIDERS)), help="List the records of one kind instead."
)
@click.pass_obj
def plugins(context: CommandContext, *, kind: str | None) -> None:
    """Show every plugin: active, disabled and by whom, or failed and why."""
    manager: PluginManager = context.manager
    if kind:
        _print_kind(context, manager, kind)
        return
    counts = _counts(manager)
    if context.json:
        _print_json(manager, counts)
        return
    columns = ["plugin", "distribution", "state", "import", "records", "hooks"]
    print_table(columns, [_row(info, counts.get(info.name, 0)) for info in manager.plugins])
    for failure in manager.failures:
        click.echo(f"\n{failure}")
        if context.verbose and failure.traceback:
            click.echo(failure.traceback, nl=False)
    sys.stdout.flush()


def _print_kind(context: CommandContext, manager: PluginManager, kind: str) -> None:
    registry = manager.registry(kind)
    rows = [
        (name, registry.get(name).plugin, registry.get(name).record.summary)
        for name in registry.names
    ]
    if context.json:
        records = [{"name": n, "plugin": p, "summary": s} for n, p, s in rows]
        print_json("gatle.records/1", kind=kind, records=records)
    else:
        print_table(["name", "plugin", "summary"], rows)


def _print_json(manager: PluginManager, counts: dict[str, int]) -> None:
    rows = [
        {
            "name": info.name,
            "distribution": info.distribution,
            "version": info.version,
            "state": info.state,
            "disabled_by": info.disabled_by or None,
            "import_ms": round(info.import_ms, 1),
            "slow": info.import_ms > SLOW_IMPORT_MS,
            "hooks": list(info.hooks),
            "records": counts.get(info.name, 0),
            "failures": [
                {"phase": f.phase, "place": f.place, "reason": f.reason}
                for f in manager.failures
                if f.plugin == info.name
            ],
        }
        for info in manager.plugins
    ]
    print_json("gatle.plugins/1", plugins=rows)


def _counts(manager: PluginManager) -> dict[str, int]:
    counts: dict[str, int] = {}
    for kind in PROVIDERS:
        for item in manager.registry(kind):
            counts[item.plugin] = counts.get(item.plugin, 0) + 1
    return counts


def _row(info: PluginInfo, records: int) -> tuple[object, ...]:
    state = f"disabled by {info.disabled_by}" if info.state == "disabled" else info.state
    slow = " (slow)" if info.import_ms > SLOW_IMPORT_MS else ""
    hooks = ", ".join(name.removeprefix("gatle_") for name in info.hooks)
    return info.name, info.label, state, f"{info.import_ms:.1f} ms{slow}", records, hooks
