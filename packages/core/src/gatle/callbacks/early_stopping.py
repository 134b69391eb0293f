"""Ending a run whose score no longer improves."""

from __future__ import annotations

import math
from typing import Any

from gatle.callbacks import Training
from gatle.errors import ConfigError
from gatle.run import Run


class EarlyStopping:
    """Ends the run after so many evaluations without a better score.

    The score is the one that chooses the best checkpoint, and so is its direction. A score that is
    not finite never improves. The epoch that stops still writes its checkpoint.

    Args:
        patience: Evaluations without improvement that are waited for.
        min_delta: What counts as improvement, in units of the score.
        after_epochs: Epochs before anything is counted.
    """

    def __init__(self, *, patience: int = 5, min_delta: float = 0.0, after_epochs: int = 0) -> None:
        if patience < 1:
            what = f"early-stopping needs a patience of at least 1, got {patience}"
            raise ConfigError(what, fix="set patience to the evaluations to wait for")
        self.patience = patience
        self.min_delta = min_delta
        self.after_epochs = after_epochs
        self._best = math.nan
        self._waited = 0
        self._name, self._sign = "", 1.0

    def attach(self, training: Training) -> None:
        """Take the score and its direction.

        Raises:
            ConfigError: If the run has no score.
        """
        if not training.score_name:
            what = "early-stopping needs a score, and there is no valid split to give one"
            raise ConfigError(what, fix="give the data set a valid split, or leave it out")
        self._name = training.score_name
        self._sign = 1.0 if training.score_higher_is_better else -1.0

    def on_evaluate_end(self, run: Run) -> None:
        """Count the evaluation, and ask for the end when it is one too many."""
        if run.phase != self._name.partition("/")[0] or run.epoch <= self.after_epochs:
            return
        score = run.metrics[self._name]
        if self._improves(score):
            self._best, self._waited = score, 0
            return
        self._waited += 1
        if self._waited >= self.patience:
            count = f"{self._waited} evaluation{'s' if self._waited > 1 else ''}"
            run.stop_reason = f"{self._name} has not improved for {count}"

    def state_dict(self) -> dict[str, Any]:
        """Return the best score and the evaluations waited since."""
        return {"best": self._best, "waited": self._waited}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Take them back."""
        self._best, self._waited = float(state["best"]), int(state["waited"])

    def _improves(self, score: float) -> bool:
        if not math.isfinite(score):
            return False
        gain = (score - self._best) * self._sign
        return math.isnan(self._best) or gain > self.min_delta
