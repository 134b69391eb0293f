"""Losses of core."""

from __future__ import annotations

from gatle.losses.classification import cross_entropy

__all__ = ["cross_entropy"]
