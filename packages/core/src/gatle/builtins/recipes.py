"""Configs that train as they are."""

from __future__ import annotations

import gatle


def digits() -> gatle.Config:
    """Return a small CNN on the handwritten digits in the box."""
    return gatle.Config(
        task="classification",
        seed=42,
        data=gatle.Data(name="digits", batch_size=32),
        model=gatle.Model(name="small-cnn", params={"width": 16}),
        loss=gatle.Loss(name="cross-entropy"),
        metrics=["accuracy"],
        optimizer=gatle.Optimizer(name="adamw", params={"lr": 5e-3}),
        schedule=gatle.Schedule(name="warmup-cosine", warmup_epochs=1),
        loop=gatle.Loop(max_epochs=8),
        checkpoint=gatle.Checkpoint(score="valid/accuracy"),
    )
