"""What data a run was of: the size of every split, and a digest where it can be had cheaply."""

from __future__ import annotations

from typing import Any

import xxhash
from torch.utils.data import TensorDataset

from gatle.data.splits import Splits


def fingerprint(splits: Splits) -> dict[str, dict[str, Any]]:
    """Return samples per split, with an xxh3-128 digest of splits that are tensors in memory."""
    return {name: _part(splits[name]) for name in splits.sizes}


def _part(dataset: Any) -> dict[str, Any]:
    facts: dict[str, Any] = {"samples": len(dataset)}
    if type(dataset) is TensorDataset:
        digest = xxhash.xxh3_128()
        for tensor in dataset.tensors:
            digest.update(f"{tensor.dtype} {tuple(tensor.shape)}".encode())
            digest.update(tensor.detach().cpu().numpy().tobytes())
        facts["xxh3_128"] = digest.hexdigest()
    return facts
