"""The options that every command has, before or after the verb."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import rich_click as click

from gatle.plugin import CommandContext


def common_options() -> list[click.Option]:
    """Return fresh options that set the fields of the `CommandContext`.

    Their own names begin with `common_`, so that a command may call an argument `runs` or `json`.
    """
    return [
        click.Option(
            ["common_runs", "--runs"],
            type=click.Path(path_type=Path, file_okay=False),
            help="The folder that keeps runs (default: $GATLE_RUNS, else ./runs).",
            expose_value=False,
            callback=_setter("runs"),
        ),
        click.Option(
            ["common_json", "--json"],
            is_flag=True,
            help="Print one JSON object.",
            expose_value=False,
            callback=_setter("json"),
        ),
        click.Option(
            ["common_plugin", "-p", "--plugin"],
            multiple=True,
            metavar="[no:]NAME",
            help="Leave out a plugin (no:NAME), or load a module.",
            expose_value=False,
        ),
        click.Option(
            ["common_verbose", "-v", "--verbose"],
            count=True,
            help="Say more; with failed plugins, their tracebacks.",
            expose_value=False,
            callback=_setter("verbose"),
        ),
        click.Option(
            ["common_debug", "--debug"],
            is_flag=True,
            help="Show the traceback of an error.",
            expose_value=False,
            callback=_setter("debug"),
        ),
    ]


def with_common_options(command: click.Command) -> click.Command:
    """Add the common options that a command does not define itself."""
    taken = {name for parameter in command.params for name in parameter.opts}
    added = [option for option in common_options() if not taken & set(option.opts)]
    command.params = [*command.params, *added]
    return command


def _setter(field: str) -> Callable[[click.Context, click.Parameter, Any], None]:
    def set_field(context: click.Context, _parameter: click.Parameter, value: Any) -> None:
        if value:
            assert isinstance(context.obj, CommandContext)
            context.obj = replace(context.obj, **{field: value})

    return set_field
