"""How a run shows its progress on a terminal, and in plain lines off one."""

from __future__ import annotations

import time
from typing import Any, TextIO

from gatle.run import Run
from gatle.tracking import Console, ending_line, progress_line

PLAIN_EVERY_S = 10.0
WIDE = 100
"""Columns below which the bar is left out, so that the numbers fit."""


def make_progress(stream: TextIO) -> Any:
    """Return the observer for a stream: a live line on a terminal, plain lines elsewhere."""
    return LiveProgress(stream) if stream.isatty() else Console(stream, every_s=PLAIN_EVERY_S)


class LiveProgress:
    """One moving line below a line per epoch.

    The line is drawn by a timer that reads the run's counters: a step costs nothing.
    """

    def __init__(self, stream: TextIO) -> None:
        from rich.console import Console as RichConsole
        from rich.live import Live

        self._run: Run | None = None
        self._started_s = 0.0
        self._console = RichConsole(file=stream, highlight=False)
        self._live = Live(
            console=self._console,
            get_renderable=self._render,
            refresh_per_second=8,
            transient=True,
            redirect_stdout=False,
        )

    def on_run_start(self, run: Run) -> None:
        """Start drawing."""
        self._run, self._started_s = run, time.monotonic()
        self._console.print(f"run {run.name} on {run.device}, in {run.folder}", markup=False)
        self._live.start()

    def on_epoch_end(self, run: Run) -> None:
        """Leave a line for the epoch above the moving one."""
        numbers = "  ".join(f"{name} {value:.4f}" for name, value in run.metrics.items())
        best = "  *" if run.best and run.best.step == run.step else ""
        line = f"epoch {run.epoch:>3}/{run.config.loop.max_epochs}  {numbers}{best}"
        self._console.print(line, markup=False)

    def on_run_end(self, run: Run) -> None:
        """Give the terminal back."""
        self._live.stop()
        if run.status != "finished" or run.stop_reason:
            self._console.print(ending_line(run), markup=False, soft_wrap=True)

    def _render(self) -> Any:
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        run = self._run
        if run is None:
            return Text("")
        text = f"{run.phase:<5} {progress_line(run) if run.logs else ''}  {self._eta(run)}"
        line = Text(text, no_wrap=True, overflow="ellipsis")
        if self._console.width < WIDE:
            return line
        row = Table.grid(padding=(0, 1))
        row.add_row(ProgressBar(total=run.total_steps, completed=run.step, width=24), line)
        return row

    def _eta(self, run: Run) -> str:
        if not run.step:
            return ""
        left_s = (time.monotonic() - self._started_s) / run.step * (run.total_steps - run.step)
        minutes, seconds = divmod(round(left_s), 60)
        hours, minutes = divmod(minutes, 60)
        return f"{hours}:{minutes:02}:{seconds:02} left"
