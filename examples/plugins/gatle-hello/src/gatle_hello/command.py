"""The command `gatle hello`."""

from __future__ import annotations

import json
from typing import Any

import click

from gatle.plugin import CommandContext
from gatle_hello.config import Hello

SCHEMA = "gatle-hello.hello/1"


@click.command("hello")
@click.option("--name", default="world", show_default=True, help="Whom to greet.")
@click.pass_obj
def hello(context: CommandContext, name: str) -> None:
    """Greet somebody, and count the runs."""
    facts = _facts(context, name)
    if context.json:
        click.echo(json.dumps(facts))
    else:
        click.echo(
            f"{facts['greeting']}, {name}! There are {facts['runs']} runs in {context.runs}."
        )


def _facts(context: CommandContext, name: str) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "greeting": Hello().greeting,
        "name": name,
        "folder": str(context.runs),
        "runs": sum(1 for _ in context.runs.glob("*/run.json")),
    }
