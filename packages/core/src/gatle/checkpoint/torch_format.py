"""The checkpoint format `torch`: one file per part, readable with `weights_only=True`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import torch

from gatle.errors import CheckpointError


class TorchFormat:
    """Writes every part of a checkpoint with `torch.save`, and reads it without running code."""

    suffix = ".pt"

    def write(self, folder: Path, parts: Mapping[str, Mapping[str, Any]]) -> None:
        """Write each part to a file of its name.

        Raises:
            OSError: If the disk is full or the folder cannot be written.
        """
        for name, part in parts.items():
            with (folder / f"{name}{self.suffix}").open("wb") as file:
                torch.save(dict(part), file)

    def read(self, folder: Path, names: Iterable[str]) -> dict[str, dict[str, Any]]:
        """Read the named parts onto the CPU.

        Raises:
            CheckpointError: If a file is missing or cannot be read.
        """
        return {name: self._read(folder / f"{name}{self.suffix}") for name in names}

    def _read(self, path: Path) -> dict[str, Any]:
        try:
            part: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
        except Exception as error:
            reason = next(iter(str(error).splitlines()), "")
            what = f"{path} cannot be read: {type(error).__name__}: {reason}"
            raise CheckpointError(what) from error
        return part
