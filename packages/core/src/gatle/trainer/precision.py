"""The number format of forward and backward, decided once per run."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

import torch

from gatle.errors import ConfigError

_DTYPES = {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}


@dataclass(frozen=True, slots=True, kw_only=True)
class Precision:
    """A decided number format.

    Attributes:
        name: `fp32`, `bf16` or `fp16`.
        device_type: `cpu` or `cuda`.
        scaler: Scales the loss for fp16, whose gradients would underflow; `None` otherwise.
    """

    name: str
    device_type: str
    scaler: torch.amp.GradScaler | None = None

    def autocast(self) -> AbstractContextManager[None]:
        """Return the context in which forward and loss are computed."""
        if self.name == "fp32":
            return nullcontext()
        return torch.autocast(self.device_type, dtype=_DTYPES[self.name])


def decide(wanted: str, *, device: torch.device) -> Precision:
    """Decide the format for a device; `auto` is bf16 on a GPU that has it, else fp32.

    Raises:
        ConfigError: If fp16 is wanted without a GPU.
    """
    if wanted == "fp16" and device.type != "cuda":
        what = f"precision.dtype = 'fp16' needs a GPU, the device is {device.type!r}"
        raise ConfigError(what, fix="write 'bf16' or 'fp32'")
    if wanted == "auto":
        wanted = "bf16" if device.type == "cuda" and torch.cuda.is_bf16_supported() else "fp32"
    scaler = torch.amp.GradScaler("cuda") if wanted == "fp16" else None
    return Precision(name=wanted, device_type=device.type, scaler=scaler)
