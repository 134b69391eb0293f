from __future__ import annotations

import json

import pytest

from gatle.run import Recorder


@pytest.fixture
def make_run(tmp_path, monkeypatch):
    """Write a run with the events `(kind, step, epoch, values)`, one second between two of them."""

    def make(name, events, *, best=None, max_epochs=None, root=tmp_path, segment=1):
        folder = root / name
        folder.mkdir(parents=True, exist_ok=True)
        facts = {"status": "finished", "best": best, "host": "elsewhere"}
        (folder / "run.json").write_text(json.dumps(facts))
        if max_epochs is not None:
            (folder / "config.toml").write_text(f"[loop]\nmax_epochs = {max_epochs}\n")
        recorder = Recorder(folder / "events" / f"rank0-{segment:04}.jsonl")
        with monkeypatch.context() as patch:
            for second, (kind, step, epoch, values) in enumerate(events):
                patch.setattr("time.time", lambda now=1000 * segment + second: float(now))
                recorder.write(kind, step=step, epoch=epoch, **values)
        recorder.close()
        return folder

    return make


@pytest.fixture
def small_run(make_run):
    """Write a run of two epochs with eight log records, one of them NaN, and two evaluations."""

    def make(name="small", **options):
        events = [("start", 0, 0, {"total_steps": 8})]
        for step in range(1, 9):
            logs = {"train/loss": float("nan") if step == 3 else 2.0 / step, "lr": 0.1}
            events.append(("log", step, (step - 1) // 4, {"metrics": logs}))
            if step % 4 == 0:
                numbers = {"valid/loss": 3.0 / step, "valid/accuracy": step / 10}
                epoch = step // 4
                events.append(("evaluation", step, epoch, {"split": "valid", "metrics": numbers}))
                events.append(("epoch", step, epoch, {"metrics": {"train/loss": 1.0}}))
        return make_run(name, events, max_epochs=2, **options)

    return make
