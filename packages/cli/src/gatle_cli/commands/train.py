"""`gatle train`."""

from __future__ import annotations

import contextlib
import dataclasses
import sys

import rich_click as click

from gatle.config import Tree, resolve
from gatle.environment import runs_root
from gatle.plugin import CommandContext
from gatle.run import Run
from gatle_cli.output import print_json, print_table
from gatle_cli.signals import raise_on_sigterm
from gatle_cli.target import parse_options, read_target
from gatle_cli.tuning import Tuning


@click.command()
@click.argument("target")
@click.option("-o", "--option", "options", multiple=True, metavar="KEY=VALUE", help="Set a value.")
@click.option("--name", help="The run's name (default: unique by itself).")
@click.option("--epochs", type=click.IntRange(min=1), help="Sets loop.max_epochs.")
@click.option("--model", help="Sets model.name.")
@click.option("--device", help="Sets launch.device.")
@click.option("--dry-run", is_flag=True, help="Build everything, use a batch of every split.")
@click.pass_obj
def train(
    context: CommandContext,
    *,
    target: str,
    options: tuple[str, ...],
    name: str | None,
    epochs: int | None,
    model: str | None,
    device: str | None,
    dry_run: bool,
) -> None:
    """Train TARGET: a config file (.toml, .py), else a recipe such as digits.

    Progress and the closing summary go to stderr. stdout gets the run's folder when it is not a
    terminal, or with --json one object.
    """
    raise_on_sigterm()
    overrides = parse_options(options, epochs=epochs, model=model, device=device)
    with Tuning() as tuning:
        tree, taken = read_target(target, manager=context.manager, options=overrides)
        if dry_run:
            _rehearse(context, tree, taken)
            return
        run = _train(context, tree, taken, name=name, prefix=_prefix(target), tuning=tuning)
    _close(context, run)


def _train(
    context: CommandContext,
    tree: Tree,
    taken: str,
    *,
    name: str | None,
    prefix: str,
    tuning: Tuning,
) -> Run:
    sys.stderr.write(f"gatle: training {taken}\n")
    from gatle.trainer import start
    from gatle_cli.progress import make_progress

    with contextlib.redirect_stdout(sys.stderr):  # what user code prints is no data
        return start(
            resolve(tree, manager=context.manager),
            manager=context.manager,
            root=context.runs,
            name=name,
            prefix=prefix,
            observers=[tuning, make_progress(sys.stderr)],
            command=["gatle", *sys.argv[1:]],
        )


def _prefix(target: str) -> str:
    return target.rpartition("/")[2].partition(".")[0]


def _rehearse(context: CommandContext, tree: Tree, taken: str) -> None:
    from gatle.trainer import rehearse

    with contextlib.redirect_stdout(sys.stderr):
        found = rehearse(resolve(tree, manager=context.manager))
    if context.json:
        print_json("gatle.dry-run/1", target=taken, **dataclasses.asdict(found))
        return
    samples = "  ".join(f"{split} {count:,}" for split, count in found.samples.items())
    losses = "  ".join(f"{split} {loss:.4f}" for split, loss in found.losses.items())
    rows = [
        ("target", taken),
        ("device", f"{found.device}, {found.dtype}"),
        ("model", f"{found.parameters:,} parameters, {found.trainable:,} trained"),
        ("samples", samples),
        ("steps", f"{found.total_steps:,}, {found.steps_per_epoch:,} an epoch"),
        ("first losses", losses),
    ]
    print_table(["dry run", "nothing is written"], rows)


def _close(context: CommandContext, run: Run) -> None:
    sys.stderr.write(_summary(context, run))
    if context.json:
        best = run.best
        print_json(
            "gatle.train/1",
            run=str(run.folder),
            status=run.status,
            step=run.step,
            epoch=run.epoch,
            metrics=run.metrics,
            best=best and {"metric": best.metric, "value": best.value, "step": best.step},
        )
    elif not sys.stdout.isatty():
        click.echo(run.folder)


def _summary(context: CommandContext, run: Run) -> str:
    best = run.best
    epochs = "1 epoch" if run.epoch == 1 else f"{run.epoch} epochs"
    lines = ["", f"finished {epochs}, {run.step} steps"]
    if best:
        lines.append(f"best     {best.metric} {best.value:.4f} at epoch {best.epoch}")
    lines.append(f"run      {run.folder}")
    lines.append(f"next     gatle eval {_spelling(context, run)}")
    if "plot" in context.manager.registry("commands"):
        lines.append(f"         gatle plot {_spelling(context, run)}")
    return "\n".join(lines) + "\n"


def _spelling(context: CommandContext, run: Run) -> str:
    """Return what names the run in a next command typed in the same shell."""
    return run.name if context.runs == runs_root() else str(run.folder)
