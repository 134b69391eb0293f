"""`run.json`: what makes a run a fact somebody else can check."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from gatle.config.secrets import without_secrets
from gatle.errors import CheckpointError
from gatle.plugins import PluginManager
from gatle.run.files import write_json
from gatle.run.record import finite
from gatle.run.run import Run, error_text

SCHEMA = "gatle.run/1"
_VERSIONS = ("gatle-core", "torch", "torchvision", "numpy", "pluggy", "pydantic")


def start_facts(*, command: Sequence[str], manager: PluginManager, folder: Path) -> dict[str, Any]:
    """Return what is known of a run before it does anything."""
    return {
        "schema": SCHEMA,
        "command": without_secrets(command),
        "host": platform.node(),
        "pid": os.getpid(),
        "process_start": _process_start(os.getpid()),
        "boot_id": _boot_id(),
        "started": time.time(),
        "python": platform.python_version(),
        "versions": {name: _version(name) for name in _VERSIONS},
        "plugins": [
            {"name": p.name, "distribution": p.distribution, "version": p.version}
            for p in manager.plugins
            if p.state == "active"
        ],
        "git": git_state(folder),
        "config_folder": str(folder),
        "parent": None,
    }


def write_status(run: Run, facts: dict[str, Any]) -> None:
    """Write `run.json` for where the run stands now."""
    best = run.best and {
        "metric": run.best.metric,
        "value": run.best.value,
        "step": run.best.step,
        "epoch": run.best.epoch,
    }
    moving = {
        "id": run.name,
        "config_folder_from_run": os.path.relpath(facts["config_folder"], run.folder),
        "status": run.status,
        "updated": time.time(),
        "step": run.step,
        "epoch": run.epoch,
        "total_steps": run.total_steps,
        "device": run.device,
        "metrics": run.metrics,
        "best": best,
        "error": error_text(run.error),
        "stop_reason": run.stop_reason or None,
    }
    write_json(run.folder / "run.json", finite(facts | moving))


def read_metadata(folder: Path) -> dict[str, Any]:
    """Read `run.json`.

    Raises:
        CheckpointError: If it is damaged.
    """
    path = folder / "run.json"
    try:
        content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CheckpointError(f"{path} cannot be read: {error}") from error
    return content


def derived_status(facts: dict[str, Any]) -> str:
    """Return the status, or `crashed` if it says alive and its process on this host is gone."""
    status = str(facts["status"])
    if status not in {"starting", "running"} or facts.get("host") != platform.node():
        return status
    same_boot = facts.get("boot_id") == _boot_id()
    alive = same_boot and _process_start(int(facts["pid"])) == facts.get("process_start")
    return status if alive else "crashed"


def git_state(folder: Path) -> dict[str, Any] | None:
    """Return commit and dirtiness of the work tree a folder is in, or `None`."""
    commit = _git(folder, "rev-parse", "HEAD")
    if commit is None:
        return None
    return {"commit": commit, "dirty": bool(_git(folder, "status", "--porcelain"))}


def _git(folder: Path, *arguments: str) -> str | None:
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *arguments],
            capture_output=True,
            text=True,
            timeout=10,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def _version(distribution: str) -> str | None:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None


def _boot_id() -> str | None:
    path = Path("/proc/sys/kernel/random/boot_id")
    return path.read_text().strip() if path.is_file() else None


def _process_start(pid: int) -> str | None:
    """Return when a process started, in clock ticks since boot; `None` if gone or a zombie."""
    if sys.platform != "linux":
        return None
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] in {"Z", "X"} else fields[19]
