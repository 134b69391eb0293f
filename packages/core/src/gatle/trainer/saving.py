"""When a checkpoint is written, what goes into it, and which one is the best."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gatle.checkpoint import commit, point, prune
from gatle.run import Best, Run
from gatle.trainer.assemble import TrainingParts


class Saver:
    """Writes the checkpoints of one run."""

    def __init__(self, parts: TrainingParts, run: Run) -> None:
        self._parts = parts
        self._root = run.folder / "checkpoints"

    def save(self, run: Run) -> Path:
        """Write a checkpoint, point `latest` and perhaps `best` to it, and drop old ones."""
        facts = {
            "epoch": run.epoch,
            "metrics": run.metrics,
            "format": run.config.checkpoint.format,
        }
        best = self._improved(run)
        folder = commit(
            self._root,
            step=run.step,
            facts=facts,
            write=lambda target: self._parts.evaluation.format.write(
                target, self._state(run, best)
            ),
        )
        point(self._root, "latest", folder)
        if best is not run.best:
            point(self._root, "best", folder)
        run.checkpoint, run.best = folder, best
        prune(self._root)
        return folder

    def is_best(self, run: Run) -> bool:
        """Whether the newest evaluation beats the best checkpoint."""
        score = self._parts.score
        if score is None or score.name not in run.metrics:
            return False
        return score.improves(run.metrics[score.name], run.best.value if run.best else None)

    def _improved(self, run: Run) -> Best | None:
        """Return the best evaluation, this one included."""
        score = self._parts.score
        if score is None or not self.is_best(run):
            return run.best
        value = run.metrics[score.name]
        return Best(metric=score.name, value=value, step=run.step, epoch=run.epoch)

    def _state(self, run: Run, best: Best | None) -> dict[str, dict[str, Any]]:
        scaler = self._parts.evaluation.precision.scaler
        return {
            "model": self._parts.evaluation.trainer.model.state_dict(),
            "training": {
                "optimizer": self._parts.optimizer.state_dict(),
                "scaler": scaler.state_dict() if scaler else None,
                "step": run.step,
                "epoch": run.epoch,
                "samples": run.samples,
                "best": best and {"value": best.value, "step": best.step, "epoch": best.epoch},
                "stateful": {key: item.state_dict() for key, item in run.stateful.items()},
            },
        }
