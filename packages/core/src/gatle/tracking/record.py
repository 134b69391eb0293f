"""Core's own observers: the log of record and `run.json`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gatle.run import Recorder, Run, error_text, write_status


class RecordWriter:
    """Writes the log of record of rank 0."""

    def __init__(self, folder: Path) -> None:
        self._recorder = Recorder(folder / "events" / "rank0-0001.jsonl")

    def on_run_start(self, run: Run) -> None:
        """Record the start."""
        self._write(run, "start", device=run.device, total_steps=run.total_steps)

    def on_log(self, run: Run) -> None:
        """Record the training numbers."""
        self._write(run, "log", metrics=run.logs)

    def on_evaluate_end(self, run: Run) -> None:
        """Record the numbers of the split that was evaluated."""
        split = run.phase
        numbers = {k: v for k, v in run.metrics.items() if k.startswith(f"{split}/")}
        self._write(run, "evaluation", split=split, metrics=numbers)

    def on_checkpoint_saved(self, run: Run) -> None:
        """Record the checkpoint."""
        name = run.checkpoint.name if run.checkpoint else ""
        is_best = bool(run.best and run.best.step == run.step)
        self._write(run, "checkpoint", checkpoint=name, best=is_best)

    def on_epoch_end(self, run: Run) -> None:
        """Record the epoch's mean training loss."""
        self._write(run, "epoch", metrics={"train/loss": run.metrics["train/loss"]})

    def on_run_end(self, run: Run) -> None:
        """Record the end."""
        reason = error_text(run.error)
        self._write(
            run, "end", status=run.status, error=reason, stop_reason=run.stop_reason or None
        )
        self._recorder.close()

    def _write(self, run: Run, kind: str, **values: Any) -> None:
        self._recorder.write(kind, step=run.step, epoch=run.epoch, **values)


class StatusWriter:
    """Keeps `run.json` true."""

    def __init__(self, facts: dict[str, Any]) -> None:
        self._facts = facts

    def on_run_start(self, run: Run) -> None:
        """Say that it runs."""
        write_status(run, self._facts)

    def on_checkpoint_saved(self, run: Run) -> None:
        """Say where it stands and what is best."""
        write_status(run, self._facts)
