"""Checks of distributed training for `gatle doctor`."""

from __future__ import annotations

import json
import math
import os
import socket
import sys
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from gatle.plugin import Finding
from gatle_dist.probe import LOOPBACK
from gatle_dist.processes import Ended, run_together

WORLD = 2
PROBE = (sys.executable, "-P", "-m", "gatle_dist.probe")
_REMEDY = "see that processes may talk over 127.0.0.1, and set GLOO_SOCKET_IFNAME to its interface"


def process_group(*, command: Sequence[str] = PROBE, timeout_s: float = 20.0) -> Finding:
    """Let two real gloo processes on the loopback interface add up a tensor.

    Args:
        command: What to start per process; rank, world size, port and seconds are appended.
        timeout_s: Seconds until processes that have not ended are killed.
    """
    backends = _backends()
    data: dict[str, Any] = {"backends": backends}
    if not backends["gloo"]:
        detail = "this build of torch has no gloo backend, so processes cannot form a group on CPU"
        remedy = "install a build of torch with torch.distributed and gloo"
        return Finding(status="error", detail=detail, remedy=remedy, data=data)
    environment = _environment()
    data["interface"] = environment.get("GLOO_SOCKET_IFNAME")
    try:
        ended = _run(command, environment, timeout_s)
    except (OSError, RuntimeError) as error:
        detail = f"the processes could not be started: {type(error).__name__}: {error}"
        return Finding(status="error", detail=detail, remedy=_REMEDY, data=data)
    data["processes"] = [
        {"rank": rank, "pid": e.pid, "exit": e.returncode, "stopped": e.stopped}
        for rank, e in enumerate(ended)
    ]
    return _judge(ended, data=data, timeout_s=timeout_s)


def _run(command: Sequence[str], environment: dict[str, str], timeout_s: float) -> list[Ended]:
    """Run one process per rank beside a store whose free port the kernel chose."""
    from torch import distributed as dist

    store = dist.TCPStore(  # type: ignore[attr-defined]  # torch does not list it for re-export
        LOOPBACK,
        0,
        world_size=WORLD,
        is_master=True,
        timeout=timedelta(seconds=timeout_s),
        wait_for_workers=False,
    )
    seconds = math.ceil(timeout_s)
    commands = [
        [*command, str(rank), str(WORLD), str(store.port), str(seconds)] for rank in range(WORLD)
    ]
    return run_together(commands, environment=environment, timeout_s=timeout_s)


def _judge(ended: Sequence[Ended], *, data: dict[str, Any], timeout_s: float) -> Finding:
    failed = [(r, e) for r, e in enumerate(ended) if e.returncode != 0 and not e.stopped]
    hanging = [rank for rank, e in enumerate(ended) if e.stopped]
    if failed:
        reasons = "; ".join(_reason(rank, e) for rank, e in failed)
        return Finding(status="error", detail=reasons, remedy=_REMEDY, data=data)
    if hanging:
        names = " and ".join(f"rank {rank}" for rank in hanging)
        detail = f"{names} did not end within {timeout_s:g} s and had to be killed"
        return Finding(status="error", detail=detail, remedy=_REMEDY, data=data)
    answers = [_answer(e) for e in ended]
    data["answers"] = answers
    if not all(answer.get("exact") for answer in answers):
        detail = f"the all-reduce of {WORLD} gloo processes gave a wrong sum: {answers}"
        remedy = "reinstall torch; do not train over several processes with this build"
        return Finding(status="error", detail=detail, remedy=remedy, data=data)
    available = ", ".join(name for name, there in data["backends"].items() if there)
    detail = f"{WORLD} gloo processes on loopback reduced an exact sum; backends: {available}"
    return Finding(status="ok", detail=detail, data=data)


def _reason(rank: int, ended: Ended) -> str:
    how = (
        f"exited {ended.returncode}" if ended.returncode > 0 else f"got signal {-ended.returncode}"
    )
    lines = [line.strip() for line in ended.errors.splitlines() if line.strip()]
    return f"rank {rank} {how}: {lines[-1] if lines else 'nothing was said on stderr'}"


def _answer(ended: Ended) -> dict[str, Any]:
    try:
        answer = json.loads(ended.output)
    except ValueError:
        return {"exact": False, "output": ended.output}
    return answer if isinstance(answer, dict) else {"exact": False, "output": ended.output}


def _environment() -> dict[str, str]:
    """Return this process's environment, with gloo on loopback unless the user chose otherwise.

    Without an interface gloo looks the host's own name up, which need not resolve.
    """
    loopback = next((name for _, name in socket.if_nameindex() if name.startswith("lo")), None)
    chosen = {"GLOO_SOCKET_IFNAME": loopback} if loopback else {}
    return {**chosen, **os.environ}


def _backends() -> dict[str, bool]:
    from torch import distributed as dist

    if not dist.is_available():
        return {"gloo": False, "nccl": False, "mpi": False}
    return {
        "gloo": dist.is_gloo_available(),
        "nccl": dist.is_nccl_available(),
        "mpi": dist.is_mpi_available(),
    }
