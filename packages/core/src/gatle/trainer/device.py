"""The device a run is on."""

from __future__ import annotations

import torch

from gatle.errors import ConfigError


def choose_device(wanted: str) -> torch.device:
    """Return the device a name stands for; `auto` is a GPU if there is one.

    Raises:
        ConfigError: If there is no such device here.
    """
    if wanted == "auto":
        wanted = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        device = torch.device(wanted)
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError) as error:
        reason = str(error).splitlines()[0]
        what = f"device {wanted!r} cannot be used here: {reason}"
        raise ConfigError(what, fix="choose 'auto', 'cpu' or 'cuda'") from error
    return device
