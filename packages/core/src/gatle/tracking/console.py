"""What a run says in plain lines, for `console.log` and for terminals that are none."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TextIO

from gatle.run import Run, error_text


class Console:
    """Writes one line per log record, evaluation and checkpoint.

    Args:
        target: A file that is appended to, or an open stream.
        every_s: Seconds between two progress lines; 0 writes all of them.
    """

    def __init__(self, target: Path | TextIO = sys.stderr, *, every_s: float = 0.0) -> None:
        self._own = isinstance(target, Path)
        self._stream = target.open("a", encoding="utf-8") if isinstance(target, Path) else target
        self._every_s = every_s
        self._last = time.monotonic()

    def on_run_start(self, run: Run) -> None:
        """Say what starts."""
        self._say(f"run {run.name}: {run.total_steps} steps on {run.device}, in {run.folder}")

    def on_log(self, run: Run) -> None:
        """Say where training stands."""
        now = time.monotonic()
        if now - self._last >= self._every_s:
            self._last = now
            self._say(progress_line(run))

    def on_epoch_end(self, run: Run) -> None:
        """Say what the epoch came to."""
        numbers = "  ".join(f"{name} {value:.4f}" for name, value in run.metrics.items())
        best = "  (best)" if run.best and run.best.step == run.step else ""
        self._say(f"epoch {run.epoch}/{run.config.loop.max_epochs}  {numbers}{best}")

    def on_run_end(self, run: Run) -> None:
        """Say how it ended."""
        self._say(ending_line(run))
        if self._own:
            self._stream.close()

    def _say(self, text: str) -> None:
        self._stream.write(f"{text}\n")
        self._stream.flush()


def ending_line(run: Run) -> str:
    """Return how a run ended, why, and what is left of it if it did not finish."""
    begins = f"run {run.name!r} failed at step {run.step}: "
    error = None if run.status == "stopped" else error_text(run.error)
    reason = (error or run.stop_reason).removeprefix(begins).rstrip(".")
    line = f"run {run.name} {run.status} at step {run.step}{f': {reason}' if reason else ''}"
    if run.status == "finished":
        return line
    return f"{line}; the newest checkpoint is {run.checkpoint or 'none'}"


def progress_line(run: Run) -> str:
    """Return step, loss, learning rate and throughput in one line."""
    logs = run.logs
    return (
        f"step {run.step}/{run.total_steps}  loss {logs['train/loss']:.4f}  "
        f"lr {logs['lr']:.2e}  {logs['samples_per_s']:,.0f} samples/s"
    )
