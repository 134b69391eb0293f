"""Rows that two splits share, where that can be told."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch.utils.data import Subset, TensorDataset

from gatle.data.splits import Splits
from gatle.errors import DataError


def refuse_shared_rows(splits: Splits) -> None:
    """Refuse splits that hold rows of the training split: their numbers would not be true.

    Rows are compared by content where splits are tensors in memory, and by index where they are
    subsets of one data set. Of other data sets nothing can be told here.

    Raises:
        DataError: Naming the splits and the number of rows.
    """
    for split in ("valid", "test"):
        count = shared_rows(splits.train, splits[split])
        if count:
            what = f"{count:,} rows of the {split} split are in the train split too"
            fix = "take them out of one, or set data.allow_shared_rows = true"
            raise DataError(what, fix=fix)


def shared_rows(train: Any, other: Any) -> int:
    """Return how many rows of a split are in the training split, 0 where that cannot be told."""
    if isinstance(train, Subset) and isinstance(other, Subset) and train.dataset is other.dataset:
        return len(set(map(int, train.indices)) & set(map(int, other.indices)))
    if type(train) is TensorDataset and type(other) is TensorDataset:
        first, second = train.tensors[0], other.tensors[0]
        if first.dtype == second.dtype and first.shape[1:] == second.shape[1:]:
            return int(np.isin(_as_bytes(second), np.unique(_as_bytes(first))).sum())
    return 0


def _as_bytes(rows: torch.Tensor) -> np.ndarray[Any, Any]:
    """Return one opaque item per row of `rows[N, ...]`."""
    flat = np.ascontiguousarray(rows.detach().cpu().reshape(len(rows), -1).numpy())
    return flat.view(np.dtype((np.void, flat.dtype.itemsize * flat.shape[1]))).reshape(-1)
