"""The job of `step_overhead.py`, trained by hand-written loops and by gatle.

An MLP 32-64-10 on 8,192 rows in memory, batches of 32, AdamW at 1e-3, one thread, float32. Every
contestant computes forward, loss, backward and update per step, the mean training loss per epoch,
and loss and accuracy of 2,048 validation rows after it. gatle writes its record and checkpoints
besides.
"""

from __future__ import annotations

import resource
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.utils.data import DataLoader, Dataset, TensorDataset

import gatle

BATCH, RATE, SEED = 32, 1e-3, 0
TRAIN_ROWS, VALID_ROWS, FEATURES, CLASSES = 8192, 2048, 32, 10
WINDOW = 64

Batches = Callable[[], Iterable[tuple[Tensor, Tensor]]]


class Mlp(nn.Module):
    """Two linear layers: `logits[N, 10]` for `inputs[N, 32]`."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(FEATURES, 64), nn.ReLU(), nn.Linear(64, CLASSES))

    def forward(self, inputs: Tensor) -> Tensor:
        """Return the logits."""
        logits: Tensor = self.layers(inputs)
        return logits


def make_rows(rows: int, *, seed: int) -> tuple[Tensor, Tensor]:
    """Return `inputs[rows, 32]` and the `labels[rows]` a fixed random matrix gives them."""
    teacher = torch.randn(FEATURES, CLASSES, generator=torch.Generator().manual_seed(7))
    inputs = torch.randn(rows, FEATURES, generator=torch.Generator().manual_seed(seed))
    return inputs, (inputs @ teacher).argmax(dim=1)


def get_ds() -> gatle.Splits:
    """Return the rows as gatle's splits."""
    train, valid = make_rows(TRAIN_ROWS, seed=1), make_rows(VALID_ROWS, seed=2)
    return gatle.Splits(train=TensorDataset(*train), valid=TensorDataset(*valid))


class Clock:
    """Notes CPU and wall time: at an epoch's start, every 64 steps, and when the epoch is done.

    CPU time is what other processes cannot take from us; the wall counts for what waits for a disk.
    """

    def __init__(self) -> None:
        self.windows_us: list[float] = []
        self.boundaries: list[dict[str, float]] = []
        self._steps = 0
        self._cpu, self._wall = 0.0, 0.0

    def epoch_start(self) -> None:
        """Begin the windows of an epoch; what lies behind the last step was a boundary."""
        self._steps, self._cpu = 0, time.process_time()

    def step_end(self) -> None:
        """Count a step; read the clock after every 64th."""
        self._steps += 1
        if self._steps % WINDOW == 0:
            now, self._wall = time.process_time(), time.perf_counter()
            self.windows_us.append((now - self._cpu) / WINDOW * 1e6)
            self._cpu = now

    def epoch_end(self) -> None:
        """Note what came after the last step: evaluation and whatever else belongs to an epoch."""
        cpu, wall = time.process_time() - self._cpu, time.perf_counter() - self._wall
        self.boundaries.append({"cpu_ms": cpu * 1e3, "wall_ms": wall * 1e3})


class ClockObserver:
    """Shows gatle's events to a clock and does nothing else."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def on_epoch_start(self, run: gatle.Run) -> None:
        """Begin an epoch."""
        self._clock.epoch_start()

    def on_step_end(self, run: gatle.Run) -> None:
        """Count a step."""
        self._clock.step_end()

    def on_epoch_end(self, run: gatle.Run) -> None:
        """End an epoch."""
        self._clock.epoch_end()


class Rows(Dataset[tuple[Tensor, Tensor]]):
    """A data set that gives one row at a time, as most people write it."""

    def __init__(self, inputs: Tensor, labels: Tensor) -> None:
        self.inputs, self.labels = inputs, labels

    def __len__(self) -> int:
        return len(self.inputs)

    def __getitem__(self, index: int) -> tuple[Tensor, Tensor]:
        return self.inputs[index], self.labels[index]


def run_raw(epochs: int, clock: Clock, *, train: Batches, valid: Batches, fused: bool) -> Any:
    """Train by hand; return the metrics of the last epoch."""
    torch.manual_seed(SEED)
    model = Mlp()
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, **({"fused": True} if fused else {}))
    metrics: dict[str, float] = {}
    for _ in range(epochs):
        clock.epoch_start()
        total, samples = torch.zeros((), dtype=torch.float64), 0
        for inputs, labels in train():
            loss = functional.cross_entropy(model(inputs), labels)
            loss.backward()
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            total += loss.detach() * len(labels)
            samples += len(labels)
            clock.step_end()
        metrics = {"train/loss": total.item() / samples} | _evaluate(model, valid())
        clock.epoch_end()
    return metrics


@torch.no_grad()
def _evaluate(model: nn.Module, batches: Iterable[tuple[Tensor, Tensor]]) -> dict[str, float]:
    model.eval()
    total, correct, samples = torch.zeros((), dtype=torch.float64), torch.zeros(()), 0
    for inputs, labels in batches:
        logits = model(inputs)
        total += functional.cross_entropy(logits, labels) * len(labels)
        correct += (logits.argmax(dim=1) == labels).sum()
        samples += len(labels)
    model.train()
    return {"valid/loss": total.item() / samples, "valid/accuracy": correct.item() / samples}


def raw_loader(epochs: int, clock: Clock) -> Any:
    """Train by hand as tutorials do: DataLoader over single rows, AdamW as it comes."""
    train = DataLoader(Rows(*make_rows(TRAIN_ROWS, seed=1)), batch_size=BATCH, shuffle=True)
    valid = DataLoader(Rows(*make_rows(VALID_ROWS, seed=2)), batch_size=BATCH)
    return run_raw(epochs, clock, train=lambda: train, valid=lambda: valid, fused=False)


def raw_gather(epochs: int, clock: Clock) -> Any:
    """Train by hand with what gatle uses by default: whole batches gathered, fused AdamW."""
    train, valid = make_rows(TRAIN_ROWS, seed=1), make_rows(VALID_ROWS, seed=2)

    def gathered() -> Iterator[tuple[Tensor, Tensor]]:
        for rows in torch.randperm(TRAIN_ROWS).split(BATCH):
            yield train[0].index_select(0, rows), train[1].index_select(0, rows)

    def sliced() -> Iterable[tuple[Tensor, Tensor]]:
        return zip(valid[0].split(BATCH), valid[1].split(BATCH), strict=True)

    return run_raw(epochs, clock, train=gathered, valid=sliced, fused=True)


def with_gatle(epochs: int, clock: Clock, *, log_every: int | None = None) -> Any:
    """Train through `gatle.train`, in a folder for runs that is thrown away."""
    loop = {"max_epochs": epochs} | ({"log_every": log_every} if log_every else {})
    config = gatle.Config(
        seed=SEED,
        data=gatle.Data(name="step_workload:get_ds", batch_size=BATCH),
        model=gatle.Model(name="step_workload:Mlp"),
        optimizer=gatle.Optimizer(name="adamw", params={"lr": RATE}),
        loop=gatle.Loop(**loop),
    )
    with tempfile.TemporaryDirectory() as folder:
        return gatle.train(config, runs=folder, observers=[ClockObserver(clock)]).metrics


CONTESTANTS: dict[str, Callable[[int, Clock], Any]] = {
    "raw-loader": raw_loader,
    "raw-gather": raw_gather,
    "gatle": with_gatle,
    "gatle-quiet": lambda epochs, clock: with_gatle(epochs, clock, log_every=10**9),
}


def measure(contestant: str, *, epochs: int) -> dict[str, Any]:
    """Train one contestant in this process and return what its clock saw."""
    torch.set_num_threads(1)
    clock = Clock()
    metrics = CONTESTANTS[contestant](epochs, clock)
    return {
        "windows_us": clock.windows_us,
        "boundaries": clock.boundaries,
        "metrics": metrics,
        "peak_rss_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
