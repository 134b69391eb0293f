"""Process-wide settings of the `gatle train` process, which no import ever makes.

`GATLE_TUNE=off` leaves them alone.
"""

from __future__ import annotations

import ctypes
import gc
import sys

from gatle.environment import tune_process
from gatle.run import Run

_M_TRIM_THRESHOLD = -1
_M_MMAP_THRESHOLD = -3
_THRESHOLD_BYTES = 1 << 30


class Tuning:
    """Keeps the collector off while the program is imported and built, and large buffers mapped.

    Importing torch makes half a million objects that live for ever, and the collector looks through
    them again and again; on CPU, glibc gives every large buffer back to the system after a step and
    faults it in anew for the next one.
    """

    def __init__(self) -> None:
        self.enabled = tune_process()

    def __enter__(self) -> Tuning:
        if self.enabled:
            gc.disable()
            _keep_large_buffers()
        return self

    def __exit__(self, *_error: object) -> None:
        gc.enable()

    def on_run_start(self, run: Run) -> None:
        """Set what is there aside for good, and let the collector work on what comes."""
        if self.enabled:
            gc.freeze()
            gc.enable()


def _keep_large_buffers() -> None:
    if sys.platform != "linux":
        return
    libc = ctypes.CDLL(None)
    if hasattr(libc, "mallopt"):  # glibc; others have no such setting
        libc.mallopt(_M_MMAP_THRESHOLD, _THRESHOLD_BYTES)
        libc.mallopt(_M_TRIM_THRESHOLD, _THRESHOLD_BYTES)
