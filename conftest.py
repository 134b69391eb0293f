"""What holds for every test: the settings of whoever runs them do not reach in."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def without_settings() -> Iterator[None]:
    """Take away the environment variables that gatle reads."""
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("GATLE_")]:
            patch.delenv(name)
        yield
