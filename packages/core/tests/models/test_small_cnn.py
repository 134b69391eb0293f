from __future__ import annotations

import pytest
import torch

from gatle.models import SmallCNN


@pytest.mark.parametrize("size", [4, 8, 33])
def test_pictures_of_any_size_give_one_score_per_class(size):
    model = SmallCNN(num_classes=7, in_channels=3, width=4)
    assert model(torch.zeros(2, 3, size, size)).shape == (2, 7)


def test_dropout_acts_in_training_alone():
    model = SmallCNN(num_classes=7, width=4, dropout=0.5)
    images = torch.rand(4, 1, 8, 8)
    assert not torch.equal(model(images), model(images))
    model.eval()
    assert torch.equal(model(images), model(images))
