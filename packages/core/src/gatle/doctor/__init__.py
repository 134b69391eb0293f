"""What `gatle doctor` runs."""

from __future__ import annotations

from gatle.doctor.run import Result, run_checks

__all__ = ["Result", "run_checks"]
