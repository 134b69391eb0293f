"""One suite per kind of record."""

from __future__ import annotations
