"""What it costs to start `gatle`, beside what it imports and beside torch, in CPU time.

    ./dev python benchmarks/startup.py [--rounds 7] [--output results/startup]

Every measurement is a fresh process; contestants take turns; the figure is the least CPU time seen,
because other work on the machine can only add to it.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

TRAIN = ["-m", "gatle", "train", "digits", "--epochs", "1", "-o", "model.params.width=4"]
CONTESTANTS = {
    "python": ["-c", "pass"],
    "import click": ["-c", "import click"],
    "import rich.console": ["-c", "import rich.console"],
    "gatle --version": ["-m", "gatle", "--version"],
    "gatle --help": ["-m", "gatle", "--help"],
    "gatle plugins": ["-m", "gatle", "plugins"],
    "import torch": ["-c", "import torch"],
    "gatle train, one epoch": TRAIN,
    "gatle train, one epoch, GATLE_TUNE=off": TRAIN,
}
COUNT = (
    "import io, sys; from gatle_cli.main import main; sys.stdout = io.StringIO(); "
    "main(['--help']); sys.stdout = sys.__stdout__; print(len(sys.modules))"
)


def cpu_ms(name: str) -> float:
    """Return the CPU time of a contestant's process with cached bytecode, in milliseconds."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    environment |= {"OMP_NUM_THREADS": "1", "GATLE_TUNE": "off" if "off" in name else "on"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory() as runs:
        subprocess.run(
            [sys.executable, *CONTESTANTS[name]],
            env=environment | {"GATLE_RUNS": runs},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=True,
        )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)


def measure(rounds: int) -> dict[str, float]:
    """Return the least CPU time of every contestant over interleaved rounds."""
    least: dict[str, float] = {}
    for _ in range(rounds):
        for name in CONTESTANTS:
            least[name] = min(least.get(name, float("inf")), cpu_ms(name))
    return least


def report(least: dict[str, float], modules: int) -> str:
    """Return the figures as a Markdown page."""
    torch_ms = least["import torch"]
    rows = [f"| {n} | {ms:.0f} | {ms / torch_ms:.3f} |" for n, ms in least.items()]
    head = [
        f"{datetime.datetime.now(datetime.UTC):%Y-%m-%d}, {platform.machine()}, "
        f"{os.cpu_count()} cores, Python {platform.python_version()}. "
        f"`gatle --help` holds {modules} modules.",
        "",
        "| process | CPU ms | of import torch |",
        "|---|---|---|",
    ]
    return "\n".join(["# Start-up", "", *head, *rows, ""])


def main() -> None:
    """Measure, print, and write what was asked for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    least = measure(options.rounds)
    done = subprocess.run([sys.executable, "-c", COUNT], capture_output=True, text=True, check=True)
    page = report(least, int(done.stdout))
    print(page)
    if options.output:
        options.output.with_suffix(".md").write_text(page)
        content = {"modules": int(done.stdout), "cpu_ms": least}
        options.output.with_suffix(".json").write_text(json.dumps(content, indent=2) + "\n")


if __name__ == "__main__":
    main()
