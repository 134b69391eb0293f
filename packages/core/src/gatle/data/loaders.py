"""Cutting a split into batches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

import torch
from torch.utils.data import DataLoader, TensorDataset

from gatle.data.order import EpochSampler, derived_seed, permutation
from gatle.errors import ConfigError


class Loader(Protocol):
    """Batches of one split, in an order that depends on the epoch that is set."""

    def __len__(self) -> int:
        """The number of batches."""
        ...

    def __iter__(self) -> Iterator[Any]:
        """Yield the batches of the epoch."""
        ...

    def set_epoch(self, epoch: int) -> None:
        """Choose the epoch whose order is used next."""
        ...


class TensorLoader:
    """Batches of tensors held in memory, gathered whole: no per-sample views, no collation."""

    def __init__(
        self,
        tensors: tuple[torch.Tensor, ...],
        *,
        batch_size: int,
        shuffle: bool,
        seed: int,
        drop_last: bool,
    ) -> None:
        self.tensors = tensors
        self.batch_size = batch_size
        self.shuffle = shuffle
        self.seed = seed
        self.drop_last = drop_last
        self.epoch = 0

    def __len__(self) -> int:
        size = len(self.tensors[0])
        return size // self.batch_size if self.drop_last else -(-size // self.batch_size)

    def __iter__(self) -> Iterator[tuple[torch.Tensor, ...]]:
        if not self.shuffle:
            for start in range(0, len(self) * self.batch_size, self.batch_size):
                yield tuple(t[start : start + self.batch_size] for t in self.tensors)
            return
        order = permutation(len(self.tensors[0]), seed=self.seed, epoch=self.epoch)
        for rows in torch.split(order, self.batch_size)[: len(self)]:
            yield tuple(t.index_select(0, rows) for t in self.tensors)

    def set_epoch(self, epoch: int) -> None:
        """Choose the epoch whose order is used next."""
        self.epoch = epoch


class SampleLoader:
    """Batches of any map-style data set, through torch's own DataLoader."""

    def __init__(
        self,
        dataset: Any,
        *,
        batch_size: int,
        shuffle: bool,
        seed: int,
        workers: int,
        drop_last: bool,
    ) -> None:
        self._seed = seed
        self._sampler = EpochSampler(len(dataset), seed=seed) if shuffle else None
        self._generator = torch.Generator()
        self._loader: DataLoader[Any] = DataLoader(
            dataset,
            batch_size=batch_size,
            sampler=self._sampler,
            num_workers=workers,
            drop_last=drop_last,
            pin_memory=torch.cuda.is_available(),
            generator=self._generator,
            persistent_workers=False,
        )
        self.set_epoch(0)

    def __len__(self) -> int:
        return len(self._loader)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._loader)

    def set_epoch(self, epoch: int) -> None:
        """Choose the epoch whose order is used next."""
        self._generator.manual_seed(derived_seed(self._seed, "workers", epoch))
        if self._sampler is not None:
            self._sampler.epoch = epoch


def make_loader(
    dataset: Any,
    *,
    batch_size: int,
    seed: int,
    shuffle: bool = False,
    workers: int = 0,
    drop_last: bool = False,
) -> Loader:
    """Return the loader for a data set.

    Raises:
        ConfigError: If `drop_last` would leave no batch at all.
    """
    if drop_last and len(dataset) < batch_size:
        what = f"drop_last leaves no batch: {len(dataset)} samples, batch size {batch_size}"
        raise ConfigError(what, fix="lower data.batch_size or set data.drop_last = false")
    if type(dataset) is TensorDataset:
        return TensorLoader(
            dataset.tensors, batch_size=batch_size, shuffle=shuffle, seed=seed, drop_last=drop_last
        )
    return SampleLoader(
        dataset,
        batch_size=batch_size,
        shuffle=shuffle,
        seed=seed,
        workers=workers,
        drop_last=drop_last,
    )
