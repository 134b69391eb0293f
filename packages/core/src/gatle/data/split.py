"""Cutting rows into disjoint splits."""

from __future__ import annotations

from collections.abc import Sequence

import torch


def stratified(
    labels: torch.Tensor, *, shares: Sequence[float], seed: int
) -> tuple[torch.Tensor, ...]:
    """Cut rows into disjoint parts that all hold every class in proportion.

    Args:
        labels: The class of every row, `labels[N]`.
        shares: The share of each part; they add up to 1.
        seed: Decides which rows go where.

    Returns:
        For each share the sorted row numbers of its part; together every row exactly once.
    """
    generator = torch.Generator().manual_seed(seed)
    parts: list[list[torch.Tensor]] = [[] for _ in shares]
    for label in torch.unique(labels):
        rows = (labels == label).nonzero().squeeze(1)
        rows = rows[torch.randperm(len(rows), generator=generator)]
        for part, chunk in zip(parts, rows.tensor_split(_cuts(len(rows), shares)), strict=True):
            part.append(chunk)
    return tuple(torch.cat(part).sort().values for part in parts)


def _cuts(size: int, shares: Sequence[float]) -> list[int]:
    total, cuts = 0.0, []
    for share in shares[:-1]:
        total += share
        cuts.append(round(total * size))
    return cuts
