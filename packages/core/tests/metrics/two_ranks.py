"""One rank of test_reduce.py: python two_ranks.py RANK STORE prints what it evaluated."""

from __future__ import annotations

import json
import sys
from datetime import timedelta

import torch
from torch import distributed, nn
from torch.nn import functional

from gatle.metrics import Accuracy, BalancedAccuracy, MacroF1, TopKAccuracy, reduce_states
from gatle.trainer import Classification
from gatle.trainer.evaluate import evaluate_split
from gatle.trainer.precision import Precision

SAMPLES = 127
CUTS = {"uneven": 90, "none for the second": SAMPLES}
CPU = torch.device("cpu")


def evaluated(samples: slice) -> dict:
    """Return numbers, states and size of an evaluation of some of 127 samples, in batches of 16."""
    generator = torch.Generator().manual_seed(0)
    inputs = torch.randn(SAMPLES, 8, generator=generator, dtype=torch.float64)[samples]
    targets = torch.randint(7, (SAMPLES,), generator=generator)[samples]
    torch.manual_seed(0)
    model = nn.Linear(8, 7, dtype=torch.float64)
    trainer = Classification(model=model, loss_function=functional.cross_entropy, device=CPU)
    metrics = {
        "accuracy": Accuracy(),
        "top": TopKAccuracy(k=3),
        "balanced": BalancedAccuracy(),  # a rank without samples does not know the classes
        "f1": MacroF1(num_classes=7),
    }
    numbers, size = evaluate_split(
        trainer,
        zip(inputs.split(16), targets.split(16), strict=True) if len(inputs) else (),
        metrics,
        split="valid",
        precision=Precision(name="fp32", device_type="cpu"),
    )
    states = {
        f"{name}.{key}": value.tolist()
        for name, metric in metrics.items()
        for key, value in metric.state().items()
    }
    return {"numbers": numbers, "states": states, "samples": size}


def reduced(rank: int) -> dict:
    """Return the dtypes and values of sums of every kind of state."""
    states = {
        "whole": torch.tensor(2**53 + rank),  # not exact in float64
        "small": torch.tensor([100, 100], dtype=torch.int8)[: rank + 1] // 4,
        "float": torch.full((2, 2), 0.1 * (rank + 1)),
        "double": torch.tensor(1e-17 + rank, dtype=torch.float64),
    }
    return {key: [str(v.dtype), v.tolist()] for key, v in reduce_states(states).items()}


def main(rank: int, store: str) -> None:
    """Evaluate this rank's part of the samples."""
    distributed.init_process_group(
        "gloo",
        store=distributed.FileStore(store, 2),
        rank=rank,
        world_size=2,
        timeout=timedelta(seconds=60),
    )
    found = {"reduced": reduced(rank)}
    for name, cut in CUTS.items():
        found[name] = evaluated(slice(cut, None) if rank else slice(cut))
    distributed.barrier()
    distributed.destroy_process_group()
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
