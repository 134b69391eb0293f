"""Measuring a checkpoint of a run, in a process that need not be the one that trained it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gatle.callbacks import Callback
from gatle.checkpoint import find_whole, read_manifest
from gatle.config import Tree, load_file, override, resolve
from gatle.errors import CheckpointError
from gatle.plugins import PluginManager, discover
from gatle.run import default_root, derived_status, find_folder, read_metadata
from gatle.trainer.assemble import EvaluationParts, assemble_evaluation
from gatle.trainer.callbacks import CallbackScope, build_callbacks, evaluating, load_states
from gatle.trainer.device import choose_device
from gatle.trainer.evaluate import evaluate_split

_TRIES = 5
_NEEDED = ("status", "config_folder", "config_folder_from_run")


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """The numbers of one checkpoint on one split.

    Attributes:
        run: The run's folder.
        checkpoint: The checkpoint's folder.
        step: Optimizer steps the checkpoint has seen.
        split: The split.
        samples: How many samples the numbers are of.
        metrics: The numbers by name, without the split.
        notices: What the caller should be told, in sentences.
    """

    run: Path
    checkpoint: Path
    step: int
    split: str
    samples: int
    metrics: Mapping[str, float]
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Loaded:
    """A checkpoint that was verified and read."""

    checkpoint: Path
    step: int
    callbacks: Mapping[str, Callback]
    notices: tuple[str, ...]


def evaluate(
    run: str | Path,
    *,
    checkpoint: str = "best",
    split: str | None = None,
    runs: str | Path | None = None,
    device: str | None = None,
    manager: PluginManager | None = None,
) -> Evaluation:
    """Evaluate a checkpoint of a run; nothing is written.

    Args:
        run: The run's folder, or its name under `runs`.
        checkpoint: `best`, `latest`, a step, or the path of a checkpoint folder.
        split: By default `test` if there is one, else `valid`.
        runs: The folder that keeps runs; by default `$GATLE_RUNS`, else `./runs`.
        device: By default the one the config names.
        manager: The plugin manager; by default a new one.

    Raises:
        ConfigError: If there is no such run or split, or its config no longer resolves.
        CheckpointError: If no whole checkpoint fits.
    """
    manager = manager or discover()
    folder = find_folder(str(run), root=Path(runs) if runs is not None else default_root())
    options = [("launch.device", device, "--device")] if device else []
    resolved = resolve(override(_stored_tree(folder), options), manager=manager)
    parts = assemble_evaluation(resolved, device=choose_device(resolved.config.launch.device))
    loaded = _load_whole(parts, folder, checkpoint)
    split = split or ("test" if "test" in parts.splits.sizes else "valid")
    loader = parts.loader(split)
    with evaluating(loaded.callbacks):
        numbers, samples = evaluate_split(
            parts.trainer, loader, parts.metrics, split=split, precision=parts.precision
        )
    return Evaluation(
        run=folder,
        checkpoint=loaded.checkpoint,
        step=loaded.step,
        split=split,
        samples=samples,
        metrics={key.removeprefix(f"{split}/"): value for key, value in numbers.items()},
        notices=loaded.notices,
    )


def _load_whole(parts: EvaluationParts, run: Path, which: str) -> _Loaded:
    """Find, verify and read a checkpoint at one go.

    A run that is still training may replace the one it just pointed to; then it is looked up again.
    """
    tries = _TRIES if derived_status(read_metadata(run)) == "running" else 1
    for left in reversed(range(tries)):
        try:
            return _load(parts, run / "checkpoints", which)
        except CheckpointError:
            if not left:
                raise
    raise AssertionError("a range of tries is never empty")


def _load(parts: EvaluationParts, root: Path, which: str) -> _Loaded:
    notices: list[str] = []
    checkpoint = find_whole(root, which, say=notices.append)
    step: int = read_manifest(checkpoint)["step"]
    load_model(parts, checkpoint)
    scope = CallbackScope(model=parts.trainer.model)
    callbacks = build_callbacks(parts.resolved.callbacks, scope, only_evaluating=True)
    if callbacks:
        training = parts.format.read(checkpoint, ["training"])["training"]
        load_states(callbacks, training["stateful"])
    return _Loaded(checkpoint=checkpoint, step=step, callbacks=callbacks, notices=tuple(notices))


def load_model(parts: EvaluationParts, checkpoint: Path) -> None:
    """Put the weights of a checkpoint into the model.

    Raises:
        CheckpointError: If they do not fit it exactly.
    """
    state = parts.format.read(checkpoint, ["model"])["model"]
    try:
        parts.trainer.model.load_state_dict(state)
    except RuntimeError as error:
        reason = " ".join(str(error).split())
        what = f"the weights of {checkpoint} do not fit the model: {reason}"
        raise CheckpointError(what, fix="check that the model's code is the run's") from error


def _stored_tree(folder: Path) -> Tree:
    """Return a run's own config, with paths resolved where they were when it was trained.

    A project that was moved whole is found again beside its runs.
    """
    tree = load_file(folder / "config.toml")
    facts = read_metadata(folder)
    missing = [key for key in _NEEDED if key not in facts]
    if missing:
        what = f"{folder / 'run.json'} is damaged: it lacks {', '.join(missing)}"
        raise CheckpointError(what, fix="take it from a backup, or train again")
    there = Path(facts["config_folder"])
    if not there.is_dir():
        there = (folder / facts["config_folder_from_run"]).resolve()
    return Tree(values=tree.values, origins=tree.origins, source=tree.source, folder=there)
