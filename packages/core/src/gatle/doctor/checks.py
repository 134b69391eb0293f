"""Core's own checks."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from importlib.metadata import PackageNotFoundError, distribution, version
from pathlib import Path

from gatle.environment import runs_root
from gatle.records import Finding

_LOW_SPACE_BYTES = 2 * 1024**3


def versions() -> Finding:
    """Compare installed versions with what gatle-core requires."""
    from packaging.requirements import Requirement

    found: dict[str, str] = {}
    wrong: list[str] = []
    for text in distribution("gatle-core").requires or ():
        requirement = Requirement(text)
        if requirement.marker and not requirement.marker.evaluate({"extra": ""}):
            continue
        try:
            found[requirement.name] = version(requirement.name)
        except PackageNotFoundError:
            wrong.append(f"{requirement.name} is missing")
            continue
        if not requirement.specifier.contains(found[requirement.name], prereleases=True):
            wrong.append(f"{requirement} is required, {found[requirement.name]} is installed")
    if wrong:
        return Finding(
            status="error", detail="; ".join(wrong), remedy="pip install gatle-core", data=found
        )
    detail = f"torch {found['torch']} and {len(found) - 1} others as required"
    return Finding(status="ok", detail=detail, data=found)


def installation() -> Finding:
    """Check that no foreign distribution has overwritten the package `gatle`."""
    import gatle

    imported = Path(gatle.__file__ or "").resolve()
    owners = [str(path) for path in distribution("gatle-core").files or ()]
    editable = any(re.search(r"\.pth$", name) for name in owners)
    listed = any(name.endswith("gatle/__init__.py") for name in owners)
    located = Path(str(distribution("gatle-core").locate_file("gatle/__init__.py"))).resolve()
    data = {"gatle": str(imported.parent)}
    if editable or (listed and located == imported):
        kind = "editable" if editable else "wheel"
        return Finding(
            status="ok", detail=f"gatle comes from {imported.parent} ({kind})", data=data
        )
    return Finding(
        status="error",
        detail=f"gatle is imported from {imported}, which is not gatle-core's file",
        remedy="uninstall the distribution that brings it, then reinstall gatle-core",
        data=data,
    )


def device() -> Finding:
    """Say what training would run on."""
    import torch

    if torch.cuda.is_available():
        names = [torch.cuda.get_device_name(i) for i in range(torch.cuda.device_count())]
        return Finding(status="ok", detail=f"cuda: {', '.join(names)}", data={"cuda": names})
    allowed = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else ()
    cores, threads = len(allowed) or os.cpu_count() or 1, torch.get_num_threads()
    detail = (
        f"cpu: {cores} cores, {threads} torch threads, {torch.backends.cpu.get_cpu_capability()}"
    )
    return Finding(status="ok", detail=detail, data={"cores": cores, "threads": threads})


def runs_folder() -> Finding:
    """Check that runs can be written and how much room they have."""
    root = runs_root().resolve()
    existing = next(path for path in (root, *root.parents) if path.exists())
    free = shutil.disk_usage(existing).free
    data = {"folder": str(root), "free_bytes": free}
    try:
        with tempfile.TemporaryFile(dir=existing):
            pass
    except OSError as error:
        detail = f"{existing} cannot be written: {error.strerror}"
        return Finding(status="error", detail=detail, remedy="set GATLE_RUNS", data=data)
    detail = f"{root} has {free / 1024**3:.1f} GiB free"
    if free < _LOW_SPACE_BYTES:
        return Finding(
            status="warning", detail=detail, remedy="make room or set GATLE_RUNS", data=data
        )
    return Finding(status="ok", detail=detail, data=data)
