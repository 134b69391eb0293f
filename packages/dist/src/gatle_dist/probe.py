"""One process of the check `process-group`: `python -m gatle_dist.probe RANK WORLD PORT SECONDS`.

It joins the group through the store on the loopback port, adds up a tensor with the others, and
writes one JSON object to stdout.
"""

from __future__ import annotations

import json
import signal
import sys
from datetime import timedelta
from typing import Any

GRACE_S = 5
LENGTH = 1000
LOOPBACK = "127.0.0.1"


def main(arguments: list[str]) -> None:
    """Join the group, compare the sum, and report."""
    rank, world, port, seconds = (int(argument) for argument in arguments)
    # The system ends this process should nobody be left to do it.
    signal.alarm(seconds + GRACE_S)
    facts = join(rank=rank, world=world, port=port, seconds=seconds)
    sys.stdout.write(json.dumps(facts) + "\n")


def join(*, rank: int, world: int, port: int, seconds: int) -> dict[str, Any]:
    """Return what the all-reduce gave: `rank`, the `checksum` of the sum and the one `expected`.

    Every rank contributes `float32[1000]` of its own; the sums are whole numbers that float32
    holds exactly, so there is no tolerance.
    """
    import torch
    import torch.distributed as dist

    timeout = timedelta(seconds=seconds)
    store = dist.TCPStore(  # type: ignore[attr-defined]  # torch does not list it for re-export
        LOOPBACK, port, world_size=world, is_master=False, timeout=timeout
    )
    dist.init_process_group("gloo", store=store, rank=rank, world_size=world, timeout=timeout)
    try:
        values = torch.arange(LENGTH, dtype=torch.float32)
        total = values * (rank + 1)
        dist.all_reduce(total)
        expected = values * (world * (world + 1) // 2)
        return {
            "rank": rank,
            "checksum": float(total.sum(dtype=torch.float64)),
            "expected": float(expected.sum(dtype=torch.float64)),
            "exact": bool(torch.equal(total, expected)),
        }
    finally:
        dist.destroy_process_group()


if __name__ == "__main__":
    main(sys.argv[1:])
