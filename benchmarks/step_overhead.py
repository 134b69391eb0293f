"""What gatle's training loop costs per step, beside loops written by hand.

    python benchmarks/step_overhead.py --rounds 6 --epochs 20 --output FILE.json > FILE.md

Every measurement is a fresh process with one thread; rounds are interleaved and every other one
goes backwards, so that a slow minute of the machine hits all contestants. The figure is the *quiet*
step: the 10th percentile of CPU time over windows of 64 steps. Compare ratios, not microseconds.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

NAMES = ("raw-loader", "raw-gather", "gatle", "gatle-quiet")
BASES = ("raw-gather", "raw-loader")
SCHEMA = "gatle.benchmark-step-overhead/1"


def main() -> None:
    """Measure, print the table, and write the figures."""
    options = parse()
    if options.contestant:
        from step_workload import measure

        print(json.dumps(measure(options.contestant, epochs=options.epochs)))
        return
    runs = measure_rounds(rounds=options.rounds, epochs=options.epochs)
    report = summarize(runs, rounds=options.rounds, epochs=options.epochs)
    print(table(report))
    if options.output:
        options.output.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


def parse() -> argparse.Namespace:
    """Return the command line's options."""
    parser = argparse.ArgumentParser(description="Measure the cost of a training step.")
    parser.add_argument("--rounds", type=int, default=3, help="processes per contestant")
    parser.add_argument("--epochs", type=int, default=4, help="epochs of 256 steps per process")
    parser.add_argument("--output", type=Path, help="write the figures there as JSON")
    parser.add_argument("--contestant", choices=NAMES, help="measure one in this process")
    return parser.parse_args()


def measure_rounds(*, rounds: int, epochs: int) -> dict[str, list[dict[str, Any]]]:
    """Return what the clocks saw, by contestant and round."""
    runs: dict[str, list[dict[str, Any]]] = {name: [] for name in NAMES}
    for number in range(rounds):
        for name in NAMES if number % 2 == 0 else reversed(NAMES):
            print(f"round {number + 1} of {rounds}: {name}", file=sys.stderr)
            runs[name].append(measure_apart(name, epochs=epochs))
    return runs


def measure_apart(name: str, *, epochs: int) -> dict[str, Any]:
    """Measure one contestant in a process of its own."""
    command = [sys.executable, __file__, "--contestant", name, "--epochs", str(epochs)]
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def summarize(runs: dict[str, list[dict[str, Any]]], *, rounds: int, epochs: int) -> dict[str, Any]:
    """Return the report: the machine, the figures and their ratios within this run."""
    contestants = {name: figures(results) for name, results in runs.items()}
    for facts in contestants.values():
        for base in BASES:
            quiet = contestants[base]["quiet_us"]
            facts[f"ratio_to_{base}"] = round(facts["quiet_us"] / quiet, 3)
            facts[f"over_{base}_us"] = round(facts["quiet_us"] - quiet, 1)
    return {
        "schema": SCHEMA,
        "date": f"{datetime.now():%Y-%m-%d}",
        "machine": machine(),
        "versions": {"python": platform.python_version()}
        | {name: version(name) for name in ("gatle-core", "torch", "numpy")},
        "rounds": rounds,
        "epochs": epochs,
        "contestants": contestants,
    }


def figures(results: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the figures of one contestant over all its rounds."""
    quiets = [percentile_10(result["windows_us"]) for result in results]
    boundaries = [b for result in results for b in result["boundaries"]]
    return {
        "quiet_us": round(percentile_10([w for r in results for w in r["windows_us"]]), 1),
        "quiet_us_by_round": [round(quiet, 1) for quiet in quiets],
        "median_us": round(statistics.median(w for r in results for w in r["windows_us"]), 1),
        "boundary_cpu_ms": round(statistics.median(b["cpu_ms"] for b in boundaries), 1),
        "boundary_wall_ms": round(statistics.median(b["wall_ms"] for b in boundaries), 1),
        "peak_rss_mb": round(max(result["peak_rss_mb"] for result in results)),
        "metrics": results[-1]["metrics"],
    }


def percentile_10(values: list[float]) -> float:
    """Return the value a tenth of the others lies below."""
    return statistics.quantiles(values, n=10, method="inclusive")[0]


def machine() -> dict[str, Any]:
    """Return what the figures depend on."""
    return {
        "system": platform.system(),
        "processor": processor(),
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1),
    }


def processor() -> str:
    """Return the model of the CPU."""
    path = Path("/proc/cpuinfo")
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or platform.machine()


def table(report: dict[str, Any]) -> str:
    """Return the report as Markdown."""
    where, versions = report["machine"], report["versions"]
    lines = [
        f"{report['date']}, {where['processor']}, {where['cores']} cores, 1 thread, load "
        f"{where['load']}; Python {versions['python']}, torch {versions['torch']}, "
        f"gatle-core {versions['gatle-core']}; {report['rounds']} rounds x {report['epochs']} "
        "epochs of 256 steps.",
        "",
        "| contestant | quiet us/step (by round) | over raw-gather, us | ratio to raw-gather "
        "| ratio to raw-loader | epoch boundary, ms CPU / wall | peak RSS, MB |",
        "|---|---|---|---|---|---|---|",
    ]
    lines += [row(name, facts) for name, facts in report["contestants"].items()]
    return "\n".join(lines)


def row(name: str, facts: dict[str, Any]) -> str:
    """Return the row of one contestant."""
    rounds = ", ".join(f"{quiet:.0f}" for quiet in facts["quiet_us_by_round"])
    return (
        f"| {name} | {facts['quiet_us']:.0f} ({rounds}) | {facts['over_raw-gather_us']:+.0f} "
        f"| {facts['ratio_to_raw-gather']:.2f} | {facts['ratio_to_raw-loader']:.2f} "
        f"| {facts['boundary_cpu_ms']:.0f} / {facts['boundary_wall_ms']:.0f} "
        f"| {facts['peak_rss_mb']} |"
    )


if __name__ == "__main__":
    main()
