"""`gatle config`."""

from __future__ import annotations

import contextlib
import sys

import rich_click as click

from gatle.plugin import CommandContext
from gatle_cli.output import print_json, print_table
from gatle_cli.target import parse_options, read_target


@click.command()
@click.argument("target")
@click.option("-o", "--option", "options", multiple=True, metavar="KEY=VALUE", help="Set a value.")
@click.option("--origin", is_flag=True, help="Show where each value comes from.")
@click.pass_obj
def config(context: CommandContext, *, target: str, options: tuple[str, ...], origin: bool) -> None:
    """Check TARGET from end to end and print what it resolves to, as TOML.

    Every name is looked up and every parameter compared with its component's signature.
    """
    tree, taken = read_target(target, manager=context.manager, options=parse_options(options))
    from gatle.config import dump, resolve

    with contextlib.redirect_stdout(sys.stderr):  # what user code prints is no data
        resolved = resolve(tree, manager=context.manager)
    origins = dump.origins(resolved)
    if context.json:
        print_json("gatle.config/1", target=taken, config=dump.to_tree(resolved), origins=origins)
    elif origin:
        values = dump.leaves(dump.to_tree(resolved))
        print_table(["key", "value", "from"], [(k, repr(v), origins[k]) for k, v in values])
    else:
        click.echo(dump.to_toml(resolved), nl=False)
    sys.stderr.write(f"gatle: {taken} is valid\n")
