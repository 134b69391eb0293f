"""Macro F1."""

from __future__ import annotations

from gatle.metrics.class_counts import ClassCounts


class MacroF1(ClassCounts):
    """The mean over classes of F1, the harmonic mean of a class's precision and recall.

    F1 of a class is `2 hits / (targets + predictions)`. The mean is over the classes that occur
    among the targets or the predictions: a class that is predicted and never right counts as 0,
    one that does not occur at all is left out. This is the mean of harmonic means, not the
    harmonic mean of means (Opitz and Burst, 2019, https://arxiv.org/abs/1911.03347), and the
    classes are those scikit-learn takes when it is given no labels
    (https://scikit-learn.org/stable/modules/generated/sklearn.metrics.f1_score.html).
    """

    higher_is_better = True
    name = "macro-f1"
    score_name = "macro_f1"

    def compute(self) -> dict[str, float]:
        """Return the mean F1; NaN if no class occurred."""
        hits, targets, predictions = self.totals()
        seen = targets + predictions
        occurs = seen > 0
        return {self.score_name: (2 * hits[occurs] / seen[occurs]).mean().item()}
