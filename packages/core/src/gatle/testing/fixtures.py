"""Pytest fixtures for plugin authors, loaded with `pytest_plugins = ["gatle.testing.fixtures"]`."""

from __future__ import annotations

import pytest

from gatle.testing.sandbox import Sandbox


@pytest.fixture
def gatle_sandbox() -> Sandbox:
    """Return a sandbox without any plugin; add yours with `gatle_sandbox.register(...)`."""
    return Sandbox()
