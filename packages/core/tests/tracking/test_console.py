from __future__ import annotations

import io
from types import SimpleNamespace

import pytest

from gatle.run import Best, Run
from gatle.tracking import Console, console


@pytest.fixture
def run(tmp_path):
    config = SimpleNamespace(loop=SimpleNamespace(max_epochs=3))
    logs = {"train/loss": 0.25, "lr": 1e-3, "samples_per_s": 12345.6}
    return Run(
        name="r1", folder=tmp_path, config=config, step=5, epoch=1, total_steps=15, logs=logs
    )


def said(run, *events, every_s=0.0):
    stream = io.StringIO()
    told = Console(stream, every_s=every_s)
    for event in events:
        getattr(told, f"on_{event}")(run)
    return stream.getvalue().splitlines()


def test_every_event_is_one_plain_line(run):
    run.metrics = {"train/loss": 0.5, "valid/accuracy": 0.75}
    run.best = Best(metric="valid/accuracy", value=0.75, step=5, epoch=1)
    run.status = "finished"
    assert said(run, "run_start", "log", "epoch_end", "run_end") == [
        f"run r1: 15 steps on cpu, in {run.folder}",
        "step 5/15  loss 0.2500  lr 1.00e-03  12,346 samples/s",
        "epoch 1/3  train/loss 0.5000  valid/accuracy 0.7500  (best)",
        "run r1 finished at step 5",
    ]


@pytest.mark.parametrize(
    ("error", "text"),
    [(ValueError("boom"), "ValueError: boom"), (KeyboardInterrupt(), "KeyboardInterrupt")],
)
def test_the_end_says_why(run, error, text):
    run.status, run.error = "failed", error
    kept = "; the newest checkpoint is none"
    assert said(run, "run_end") == [f"run r1 failed at step 5: {text}{kept}"]


def test_progress_is_said_at_most_as_often_as_asked(run, monkeypatch):
    times = iter([0.0, 1.0, 5.0, 6.0, 10.5])
    monkeypatch.setattr(console.time, "monotonic", lambda: next(times))
    assert len(said(run, "log", "log", "log", "log", every_s=5.0)) == 2


def test_an_interrupted_run_says_what_is_left_of_it(run, tmp_path):
    run.status, run.error, run.checkpoint = "stopped", KeyboardInterrupt(), tmp_path / "step-4"
    end = f"run r1 stopped at step 5; the newest checkpoint is {tmp_path / 'step-4'}"
    assert said(run, "run_end") == [end]


def test_an_early_end_says_why(run):
    run.status, run.stop_reason = "finished", "valid/accuracy has not improved for 2 evaluations"
    assert said(run, "run_end") == [f"run r1 finished at step 5: {run.stop_reason}"]
