"""Lets the tests run from the source tree as well as against the installed distribution."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

if importlib.util.find_spec("gatle_hello") is None:
    sys.path.insert(0, str(Path(__file__).parents[1] / "src"))
