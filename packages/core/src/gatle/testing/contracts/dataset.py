"""What gatle expects of a data set."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
import torch
import xxhash
from torch import Tensor

from gatle.config.components import FACTS
from gatle.data import Splits, as_splits, make_loader
from gatle.errors import ConfigError
from gatle.testing.contracts.base import RecordContract


class DatasetContract(RecordContract):
    """The promises of a data set. Set `params` to small data if the default is large.

    Attributes:
        looked_at: How many samples of each split the tests read, from the front.
    """

    kind = "datasets"
    looked_at: ClassVar[int] = 2000

    def splits(self) -> Splits:
        """Return the splits, as gatle builds them."""
        return as_splits(self.build(), name=self.name)

    def content(self, sample: Any) -> Any:
        """Return the part of a sample that must not be in two splits: by default its inputs."""
        return sample[0] if isinstance(sample, tuple | list) else sample

    def label_of(self, sample: Any) -> int | None:
        """Return the class of a sample; `None` if samples have no single class."""
        if not isinstance(sample, tuple | list) or len(sample) != 2:
            return None
        label = torch.as_tensor(sample[1])
        return int(label) if label.ndim == 0 and not label.is_floating_point() else None

    def test_gives_splits(self) -> None:
        """The target returns `gatle.Splits`, or a mapping by split name, that gatle accepts.

        If this fails, return `gatle.Splits(train=..., valid=..., test=...)` with data sets that
        have a length, and leave out a split that would be empty.
        """
        value = self.build()
        try:
            as_splits(value, name=self.name)
        except ConfigError as error:
            raise AssertionError(f"{self.label}: {error}") from error

    def test_sizes_are_true(self) -> None:
        """The last sample of every split can be read.

        If this fails, let `__len__` count what `__getitem__` can return.
        """
        splits = self.splits()
        for split, size in splits.sizes.items():
            try:
                splits[split][size - 1]
            except LookupError as error:
                message = f"{self.label}: {split} has length {size}, but no sample {size - 1}"
                raise AssertionError(message) from error

    def test_splits_share_no_sample(self) -> None:
        """No sample's content is in two splits.

        If this fails, remove duplicates before splitting, and split by what was photographed, not
        by picture: a score on rows that were trained on measures memory.
        """
        seen: dict[str, str] = {}
        for split, digests in self._digests().items():
            shared = [(n, seen[d]) for n, d in enumerate(digests) if seen.get(d, split) != split]
            assert not shared, (
                f"{self.label}: {len(shared)} samples of {split} are in {shared[0][1]} too, the "
                f"first is number {shared[0][0]}"
            )
            seen |= dict.fromkeys(digests, split)

    def test_is_deterministic(self) -> None:
        """Built twice, it has the same samples in the same order.

        If this fails, sort file names, and split with a seed that is a parameter.
        """
        first, second = self._digests(), self._digests()
        assert {s: len(d) for s, d in first.items()} == {s: len(d) for s, d in second.items()}, (
            f"{self.label}: the sizes differ when it is built again"
        )
        for split, digests in first.items():
            wrong = [
                n
                for n, pair in enumerate(zip(digests, second[split], strict=True))
                if pair[0] != pair[1]
            ]
            assert not wrong, f"{self.label}: built again, sample {wrong[0]} of {split} is another"

    def test_samples_make_batches(self) -> None:
        """Samples of every split are gathered into a batch by gatle's loader.

        If this fails, give all samples of a split the same structure and shapes.
        """
        splits = self.splits()
        for split, size in splits.sizes.items():
            try:
                next(iter(make_loader(splits[split], batch_size=min(4, size), seed=0)))
            except (RuntimeError, TypeError, ValueError) as error:
                message = f"{self.label}: samples of {split} make no batch: {error}"
                raise AssertionError(message) from error

    def test_facts_are_true(self) -> None:
        """Facts have names gatle knows, and labels fit `num_classes` and `classes`.

        If this fails, number the classes from 0 and state as many as there are.
        """
        splits = self.splits()
        unknown = sorted(set(splits.facts) - FACTS)
        assert not unknown, f"{self.label}: unknown facts {unknown}; known are {sorted(FACTS)}"
        count = splits.facts.get("num_classes")
        if splits.classes and count is not None:
            named = len(splits.classes)
            assert named == count, f"{self.label}: num_classes is {count}, classes names {named}"
        if count is not None:
            wrong = [label for label in self._labels(splits) if not 0 <= label < count]
            assert not wrong, f"{self.label}: num_classes is {count}, there are labels {set(wrong)}"

    def _labels(self, splits: Splits) -> list[int]:
        labels = [
            self.label_of(sample) for split in splits.sizes for sample in self._some(splits[split])
        ]
        return [label for label in labels if label is not None]

    def _some(self, dataset: Any) -> list[Any]:
        return [dataset[index] for index in range(min(len(dataset), self.looked_at))]

    def _digests(self) -> dict[str, list[str]]:
        splits = self.splits()
        return {
            split: [_digest(self.content(sample)) for sample in self._some(splits[split])]
            for split in splits.sizes
        }


def _digest(content: Any) -> str:
    digest = xxhash.xxh3_128()
    _feed(digest, content)
    return digest.hexdigest()


def _feed(digest: xxhash.xxh3_128, content: Any) -> None:
    if isinstance(content, Mapping):
        content = [item for key in sorted(content) for item in (key, content[key])]
    if isinstance(content, tuple | list):
        for item in content:
            _feed(digest, item)
    elif isinstance(content, Tensor | np.ndarray):
        array = np.ascontiguousarray(torch.as_tensor(content).numpy())
        digest.update(f"{array.dtype} {array.shape}".encode())
        digest.update(array.tobytes())
    else:
        digest.update(repr(content).encode())
