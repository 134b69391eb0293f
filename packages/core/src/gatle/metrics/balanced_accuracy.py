"""Balanced accuracy."""

from __future__ import annotations

from gatle.metrics.class_counts import ClassCounts


class BalancedAccuracy(ClassCounts):
    """The mean over classes of the share of a class's samples that were predicted as it.

    Every class that occurs among the targets weighs the same, however many samples it has; a
    class without samples has no recall and is left out, as scikit-learn leaves it out
    (Brodersen et al., 2010, https://doi.org/10.1109/ICPR.2010.764; the convention:
    https://scikit-learn.org/stable/modules/generated/sklearn.metrics.balanced_accuracy_score.html).
    """

    higher_is_better = True
    name = "balanced-accuracy"
    score_name = "balanced_accuracy"

    def compute(self) -> dict[str, float]:
        """Return the mean recall; NaN if no class occurred."""
        hits, targets, _ = self.totals()
        occurs = targets > 0
        return {self.score_name: (hits[occurs] / targets[occurs]).mean().item()}
