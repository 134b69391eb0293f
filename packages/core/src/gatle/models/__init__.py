"""Models of core."""

from __future__ import annotations

from gatle.models.small_cnn import SmallCNN

__all__ = ["SmallCNN"]
