"""Writing what was made, whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from gatle.errors import ConfigError


def write_bytes(path: Path, content: bytes) -> None:
    """Replace a file's content atomically, making its folder first.

    Raises:
        ConfigError: If it cannot be written there.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(content)
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        what = f"{str(path)!r} cannot be written: {error.strerror}"
        raise ConfigError(what, fix="choose another --output") from error
