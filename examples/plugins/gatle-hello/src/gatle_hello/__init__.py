"""A small but complete plugin for gatle."""

from __future__ import annotations
