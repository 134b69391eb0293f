"""What `import gatle` offers to train and to evaluate."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from gatle.checkpoint import find_whole, read_manifest
from gatle.config import Config, Resolved, Tree, load_file, load_object, override, resolve
from gatle.config.recorder import Recorder
from gatle.errors import CheckpointError
from gatle.launch import LaunchRequest, launch
from gatle.plugins import PluginManager, discover
from gatle.run import Run, default_root, find_folder, read_metadata
from gatle.trainer.assemble import EvaluationParts, assemble_evaluation
from gatle.trainer.evaluate import evaluate_split
from gatle.trainer.training import choose_device, train_resolved


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


def train(
    config: Config | Recorder | Mapping[str, Any] | str | Path,
    *,
    runs: str | Path | None = None,
    name: str | None = None,
    observers: Iterable[Any] = (),
    manager: PluginManager | None = None,
) -> Run:
    """Train a config and return the finished run.

    Args:
        config: A `gatle.Config`, a dict, or the path of a config file.
        runs: The folder that keeps runs; by default `$GATLE_RUNS`, else `./runs`.
        name: The run's name; by default one that is unique by itself.
        observers: Objects with methods `on_<event>(run)`, called as plugins' events are.
        manager: The plugin manager; by default a new one.

    Raises:
        GatleError: If the config is wrong or the run fails or diverges.
    """
    manager = manager or discover()
    if isinstance(config, str | Path):
        tree, prefix = load_file(Path(config)), Path(config).stem
    else:
        tree, prefix = load_object(cast("Recorder", config), source="the config"), "run"
    return start(
        resolve(tree, manager=manager),
        manager=manager,
        root=Path(runs) if runs is not None else default_root(),
        name=name,
        prefix=prefix,
        observers=observers,
    )


def start(
    resolved: Resolved,
    *,
    manager: PluginManager,
    root: Path,
    name: str | None = None,
    prefix: str = "run",
    observers: Iterable[Any] = (),
    command: Sequence[str] | None = None,
) -> Run:
    """Train a resolved config through the launcher it names."""

    def work() -> Run:
        return train_resolved(
            resolved,
            manager=manager,
            root=root,
            name=name,
            prefix=prefix,
            observers=observers,
            command=command,
        )

    section = resolved.config.launch
    request = LaunchRequest(function=work, device=section.device)
    run: Run = launch(request, launcher=section.launcher, manager=manager)
    return run


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
    notices: list[str] = []
    chosen = find_whole(folder / "checkpoints", checkpoint, say=notices.append)
    parts = assemble_evaluation(resolved, device=choose_device(resolved.config.launch.device))
    load_model(parts, chosen)
    split = split or ("test" if "test" in parts.splits.sizes else "valid")
    numbers, samples = evaluate_split(
        parts.trainer, parts.loader(split), parts.metrics, split=split, precision=parts.precision
    )
    return Evaluation(
        run=folder,
        checkpoint=chosen,
        step=read_manifest(chosen)["step"],
        split=split,
        samples=samples,
        metrics={key.removeprefix(f"{split}/"): value for key, value in numbers.items()},
        notices=tuple(notices),
    )


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
    """Return a run's own config, with paths resolved where they were when it was trained."""
    tree = load_file(folder / "config.toml")
    config_folder = Path(read_metadata(folder)["config_folder"])
    return Tree(values=tree.values, origins=tree.origins, source=tree.source, folder=config_folder)
