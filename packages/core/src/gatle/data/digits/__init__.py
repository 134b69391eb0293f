"""Real handwritten digits in the box: 1,797 pictures of 8 x 8 pixels (see LICENSE.md)."""

from __future__ import annotations

from importlib.resources import files

import numpy as np
import torch
from torch.utils.data import TensorDataset

from gatle.data.split import stratified
from gatle.data.splits import Splits
from gatle.errors import ConfigError


def digits(*, valid: float = 0.15, test: float = 0.15, split_seed: int = 0) -> Splits:
    """Return the digits cut into disjoint, stratified train, valid and test splits.

    Images are `float32[N, 1, 8, 8]` from 0 to 1, labels `int64[N]`.

    Args:
        valid: The share of every class that goes to the valid split.
        test: The share of every class that goes to the test split.
        split_seed: Decides which rows go where.

    Raises:
        ConfigError: If the shares leave nothing to train on.
    """
    if not (valid >= 0 and test >= 0 and valid + test < 1):
        what = f"digits needs shares with valid + test below 1, got {valid} and {test}"
        raise ConfigError(what, fix="set data.params.valid and data.params.test")
    images, labels = _read()
    train_rows, valid_rows, test_rows = stratified(
        labels, shares=(1 - valid - test, valid, test), seed=split_seed
    )

    def part(rows: torch.Tensor) -> TensorDataset | None:
        return TensorDataset(images[rows], labels[rows]) if len(rows) else None

    train = part(train_rows)
    assert train is not None
    return Splits(
        train=train,
        valid=part(valid_rows),
        test=part(test_rows),
        classes=tuple("0123456789"),
        facts={"num_classes": 10, "in_channels": 1, "image_size": 8},
    )


def _read() -> tuple[torch.Tensor, torch.Tensor]:
    with files(__package__).joinpath("digits.npz").open("rb") as file:
        content = np.load(file)
        images, labels = content["images"], content["labels"]
    return (
        torch.from_numpy(images).unsqueeze(1).float() / 16,
        torch.from_numpy(labels.astype(np.int64)),
    )
