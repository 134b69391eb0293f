"""The order of an epoch: a function of the seed and the epoch, and of nothing else."""

from __future__ import annotations

from collections.abc import Iterator

import torch
import xxhash
from torch.utils.data import Sampler


def permutation(size: int, *, seed: int, epoch: int) -> torch.Tensor:
    """Return the row order `[size]` of an epoch, from a generator of its own."""
    generator = torch.Generator().manual_seed(derived_seed(seed, "order", epoch))
    return torch.randperm(size, generator=generator)


def derived_seed(seed: int, *parts: object) -> int:
    """Return a seed of 63 bits for one purpose, from the run's seed and what tells it apart."""
    text = "/".join(map(str, (seed, *parts)))
    return xxhash.xxh3_64_intdigest(text.encode()) >> 1


class EpochSampler(Sampler[int]):
    """Row numbers for torch's DataLoader in the order of the epoch that is set."""

    def __init__(self, size: int, *, seed: int) -> None:
        self.size = size
        self.seed = seed
        self.epoch = 0

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[int]:
        return iter(permutation(self.size, seed=self.seed, epoch=self.epoch).tolist())
