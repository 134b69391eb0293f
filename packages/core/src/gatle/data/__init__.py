"""Data sets, their splits and how they become batches."""

from __future__ import annotations

from gatle.data.fingerprint import fingerprint
from gatle.data.loaders import Loader, make_loader
from gatle.data.order import derived_seed, permutation
from gatle.data.overlap import refuse_shared_rows
from gatle.data.split import stratified
from gatle.data.splits import Splits, as_splits

__all__ = [
    "Loader",
    "Splits",
    "as_splits",
    "derived_seed",
    "fingerprint",
    "make_loader",
    "permutation",
    "refuse_shared_rows",
    "stratified",
]
