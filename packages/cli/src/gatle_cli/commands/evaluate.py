"""`gatle eval`."""

from __future__ import annotations

import contextlib
import sys

import rich_click as click

from gatle.plugin import CommandContext
from gatle_cli.errors import warn
from gatle_cli.output import print_json, print_table


@click.command(name="eval")
@click.argument("run")
@click.option(
    "--checkpoint", default="best", show_default=True, help="best, latest, a step or a folder."
)
@click.option("--split", help="The split (default: test if there is one, else valid).")
@click.option("--device", help="The device (default: the one the config names).")
@click.pass_obj
def evaluate(
    context: CommandContext, *, run: str, checkpoint: str, split: str | None, device: str | None
) -> None:
    """Measure a checkpoint of RUN, a run's folder or its name; nothing is written."""
    from gatle.trainer import evaluate as evaluate_run

    with contextlib.redirect_stdout(sys.stderr):  # what user code prints is no data
        result = evaluate_run(
            run,
            checkpoint=checkpoint,
            split=split,
            runs=context.runs,
            device=device,
            manager=context.manager,
        )
    for notice in result.notices:
        warn(notice)
    if context.json:
        print_json(
            "gatle.eval/1",
            run=str(result.run),
            checkpoint={"step": result.step, "path": str(result.checkpoint)},
            split=result.split,
            samples=result.samples,
            metrics=dict(result.metrics),
        )
        return
    click.echo(f"{result.run.name}  step {result.step}  {result.split}  {result.samples} samples")
    print_table(["metric", "value"], [(k, f"{v:.6g}") for k, v in result.metrics.items()])
