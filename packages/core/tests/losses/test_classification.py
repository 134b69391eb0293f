from __future__ import annotations

import pytest
import torch
from torch.nn import functional

from gatle.errors import ConfigError
from gatle.losses import cross_entropy

LOGITS = torch.tensor([[2.0, 0.0], [0.0, 0.0]])
TARGETS = torch.tensor([0, 1])


def test_the_mean_over_samples_as_computed_by_hand():
    expected = (torch.tensor(1 + torch.e**-2).log() + torch.tensor(2.0).log()) / 2
    assert torch.isclose(cross_entropy(LOGITS, TARGETS), expected)


def test_it_is_torchs_own_with_and_without_smoothing():
    for smoothing in (0.0, 0.1):
        expected = functional.cross_entropy(LOGITS, TARGETS, label_smoothing=smoothing)
        assert torch.equal(cross_entropy(LOGITS, TARGETS, label_smoothing=smoothing), expected)


def test_small_labels_are_taken():
    assert torch.equal(
        cross_entropy(LOGITS, TARGETS.to(torch.uint8)), cross_entropy(LOGITS, TARGETS)
    )


@pytest.mark.parametrize(("logits", "targets"), [((2,), (2,)), ((2, 3), (2, 1)), ((2, 3), (3,))])
def test_shapes_that_do_not_fit_are_named(logits, targets):
    with pytest.raises(ConfigError) as caught:
        cross_entropy(torch.zeros(logits), torch.zeros(targets))
    assert str(caught.value) == (
        f"cross-entropy expects logits[N, C] and targets[N], got {logits} and {targets}. "
        "Fix: check what the model returns and what prep_batch gives it."
    )
