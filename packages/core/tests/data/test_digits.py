from __future__ import annotations

import pytest
import torch

from gatle.data import fingerprint
from gatle.data.digits import digits
from gatle.errors import ConfigError


@pytest.fixture(scope="module")
def splits():
    return digits()


def rows(dataset):
    """What each picture looks like."""
    return [image.numpy().tobytes() for image in dataset.tensors[0]]


def test_the_splits_hold_all_1797_pictures_in_known_shares(splits):
    assert splits.sizes == {"train": 1258, "valid": 270, "test": 269}
    images, labels = splits.train.tensors
    assert (images.shape[1:], images.dtype, labels.dtype) == ((1, 8, 8), torch.float32, torch.int64)
    assert (float(images.min()), float(images.max())) == (0.0, 1.0)
    assert splits.classes == tuple("0123456789")


def test_no_picture_is_in_two_splits(splits):
    train, valid, test = (set(rows(splits[name])) for name in ("train", "valid", "test"))
    assert not train & valid
    assert not train & test
    assert not valid & test


def test_every_split_holds_every_class_in_proportion(splits):
    whole = sum(splits[name].tensors[1].bincount(minlength=10) for name in splits.sizes)
    for name, size in splits.sizes.items():
        counts = splits[name].tensors[1].bincount(minlength=10)
        assert (counts - whole * size / 1797).abs().max() <= 1


def test_the_split_depends_on_its_own_seed_alone(splits):
    torch.manual_seed(1)
    assert fingerprint(digits()) == fingerprint(splits)
    assert fingerprint(digits(split_seed=1)) != fingerprint(splits)


def test_a_share_of_nothing_is_no_split():
    assert digits(valid=0.0, test=0.2).sizes == {"train": 1438, "test": 359}


def test_shares_that_leave_nothing_to_train_on_are_refused():
    with pytest.raises(ConfigError) as caught:
        digits(valid=0.5, test=0.5)
    assert str(caught.value) == (
        "digits needs shares with valid + test below 1, got 0.5 and 0.5. "
        "Fix: set data.params.valid and data.params.test."
    )
