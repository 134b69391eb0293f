"""What a data set is to gatle: up to three splits, class names and a few facts."""

from __future__ import annotations

from collections.abc import Mapping, Sized
from dataclasses import dataclass, field
from typing import Any

from gatle.errors import ConfigError

SPLITS = ("train", "valid", "test")


@dataclass(frozen=True, slots=True, kw_only=True)
class Splits:
    """The splits of a data set.

    Attributes:
        train: A map-style data set; a `TensorDataset` is gathered in whole batches.
        valid: Rows that choose the best checkpoint; never trained on.
        test: Rows that nothing was chosen on.
        classes: The names of the classes, in the order of their labels.
        facts: What models may ask for by name: `num_classes`, `in_channels`, `image_size`.
    """

    train: Any
    valid: Any = None
    test: Any = None
    classes: tuple[str, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)

    def __getitem__(self, split: str) -> Any:
        return getattr(self, split)

    @property
    def sizes(self) -> dict[str, int]:
        """The number of samples of every split that exists."""
        return {name: len(self[name]) for name in SPLITS if self[name] is not None}


def as_splits(value: Any, *, name: str) -> Splits:
    """Return what a data set's target returned as `Splits`; a mapping by split name is accepted.

    Raises:
        ConfigError: If it is neither, or if a split cannot be counted or is empty.
    """
    splits = value if isinstance(value, Splits) else _from_mapping(value, name)
    for split in SPLITS:
        part = splits[split]
        if part is not None and not isinstance(part, Sized):
            what = f"data set {name!r}: the {split} split ({type(part).__name__}) has no length"
            raise ConfigError(what, fix="give it __len__ and __getitem__")
    if splits.train is None:
        what = f"data set {name!r}: there is no train split"
        raise ConfigError(what, fix="return gatle.Splits(train=..., valid=..., test=...)")
    for split, size in splits.sizes.items():
        if not size:
            what = f"data set {name!r}: the {split} split is empty"
            fix = "give it at least one sample" + (", or None" if split != "train" else "")
            raise ConfigError(what, fix=fix)
    return splits


def _from_mapping(value: Any, name: str) -> Splits:
    if isinstance(value, Mapping) and "train" in value and set(value) <= set(SPLITS):
        return Splits(**value)
    got = sorted(map(str, value)) if isinstance(value, Mapping) else type(value).__name__
    what = f"data set {name!r} must return gatle.Splits or a mapping with 'train', got {got}"
    raise ConfigError(what, fix="return gatle.Splits(train=..., valid=..., test=...)")
