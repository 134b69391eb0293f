"""Whole runs: what is on disk after they end well, and after they do not."""

from __future__ import annotations

import json
import math
import warnings
from dataclasses import fields

import pytest
import torch
from torch import nn
from torch.nn import functional

import gatle
from gatle.checkpoint import every, find_whole, pointed
from gatle.checkpoint.torch_format import TorchFormat
from gatle.errors import CheckpointError, DataError, DivergedError, RunFailedError
from gatle.events import Events
from gatle.metrics import Accuracy
from gatle.run import read, read_metadata

STEPS = 3  # of an epoch of the small task


def kinds(run_folder):
    return [event["kind"] for event in read(run_folder).events]


def test_a_finished_run_is_all_on_disk(trained):
    told = read_metadata(trained.folder)
    assert (told["status"], told["step"], told["epoch"]) == ("finished", 10, 2)
    assert told["data"]["train"].keys() == {"samples", "xxh3_128"}
    assert (trained.folder / "config.toml").is_file()
    assert json.loads((trained.folder / "config.origins.json").read_text())["seed"]
    last = (trained.folder / "console.log").read_text().splitlines()[-1]
    assert last == "run trained finished at step 10"


def test_the_record_tells_the_run_in_order(trained):
    epoch = ["log", "log", "evaluation", "checkpoint", "epoch"]
    assert kinds(trained.folder) == ["start", *epoch, "log", *epoch, "end"]
    events = read(trained.folder).events
    logs = [event for event in events if event["kind"] == "log"]
    assert [event["step"] for event in logs] == [2, 4, 6, 8, 10]
    assert logs[0]["metrics"].keys() == {"train/loss", "lr", "samples_per_s"}
    assert [event["epoch"] for event in events if event["kind"] == "evaluation"] == [1, 2]


def test_checkpoints_are_kept_as_far_as_they_are_named(trained):
    root = trained.folder / "checkpoints"
    named = {pointed(root, "latest"), pointed(root, "best")}
    assert set(every(root)) == named
    assert pointed(root, "latest").name == "step-00000010"
    state = TorchFormat().read(pointed(root, "latest"), ["training"])["training"]
    assert (state["step"], state["epoch"], state["samples"]) == (10, 2, 2 * 1258)


def test_training_and_evaluation_agree_on_the_numbers_of_a_checkpoint(trained, manager):
    found = gatle.evaluate(trained.folder, checkpoint="latest", split="valid", manager=manager)
    assert (found.samples, found.step, found.notices) == (270, 10, ())
    assert found.metrics == {
        name: trained.metrics[f"valid/{name}"] for name in ("loss", "accuracy")
    }


# How runs end ----------------------------------------------------------------------------------


class Poisoned(nn.Module):
    """Cross-entropy that is NaN from the given call on."""

    def __init__(self, *, after):
        super().__init__()
        self.after, self.calls = after, 0

    def forward(self, logits, targets):
        self.calls += 1
        poison = math.nan if self.calls > self.after else 1.0
        return functional.cross_entropy(logits, targets) * poison


def explode(span, *, at):
    """Return a schedule that spoils the weights in one step, after a loss that was fine."""
    return lambda step: math.inf if step == at else 1.0


@pytest.mark.parametrize(
    ("sections", "message"),
    [
        (
            {"loss": gatle.Loss(name=Poisoned, params={"after": STEPS + 2})},
            "the training loss is nan by step 4; the newest checkpoint is {latest}. ",
        ),
        (
            {
                "loss": gatle.Loss(name=Poisoned, params={"after": STEPS + 3}),
                "loop": gatle.Loop(max_epochs=3, log_every=100),
            },
            "the training loss is nan by step 6; the newest checkpoint is {latest}. ",
        ),
        (
            {"schedule": gatle.Schedule(name=explode, params={"at": 2 * STEPS - 1})},
            "layers.0.weight is not finite after step 6; the newest checkpoint is {latest}. ",
        ),
    ],
)
def test_a_run_that_diverges_says_so_and_keeps_what_was_good(fit, tmp_path, sections, message):
    with pytest.raises(DivergedError) as caught:
        fit(epochs=3, **sections)
    root = tmp_path / "run" / "checkpoints"
    latest = find_whole(root, "latest", say=pytest.fail)
    expected = message.format(latest=latest) + "Fix: lower optimizer.params.lr or look at the data."
    assert str(caught.value) == expected
    assert caught.value.exit_code == 4
    assert [folder.name for folder in every(root)] == ["step-00000003"]
    assert find_whole(root, "best", say=pytest.fail) == latest
    told = read_metadata(tmp_path / "run")
    assert (told["status"], told["error"]) == ("diverged", str(caught.value))
    assert told["best"]["epoch"] == 1


def test_a_run_that_diverges_at_once_saves_nothing(fit, tmp_path):
    with pytest.raises(DivergedError, match="is nan by step 1; nothing was saved"):
        fit(loss=gatle.Loss(name=Poisoned, params={"after": 0}))
    with pytest.raises(CheckpointError, match="there is no whole checkpoint 'latest'"):
        find_whole(tmp_path / "run" / "checkpoints", "latest", say=pytest.fail)
    [log] = [event for event in read(tmp_path / "run").events if event["kind"] == "log"]
    assert math.isnan(log["metrics"]["train/loss"])


class Scripted(Accuracy):
    """Gives the next number of a list at every evaluation."""

    def __init__(self, *, values):
        super().__init__()
        self.values = list(values)

    def compute(self):
        return {"scripted": float(self.values.pop(0))}


def scripted(*, values):
    return Scripted(values=values)


def test_the_best_checkpoint_is_that_of_the_best_finite_score(fit):
    values = ["nan", 0.6, "nan", 0.9, 0.7]
    run = fit(
        epochs=5,
        metrics=[gatle.Metric(name=scripted, params={"values": values})],
        checkpoint=gatle.Checkpoint(score="valid/scripted", every_epochs=2),
    )
    assert (run.best.value, run.best.epoch, run.best.step) == (0.9, 4, 4 * STEPS)
    root = run.folder / "checkpoints"
    for which, epoch in (("best", 4), ("latest", 5)):
        folder = find_whole(root, which, say=pytest.fail)
        parts = TorchFormat().read(folder, ["model", "training"])
        assert parts["training"]["epoch"] == epoch
        assert parts["training"]["best"] == {"value": 0.9, "step": 4 * STEPS, "epoch": 4}
    assert len(every(root)) == 2
    assert read_metadata(run.folder)["best"]["value"] == 0.9


def test_a_best_epoch_is_saved_though_none_is_due(fit):
    values = [0.1, 0.2, 0.3, 0.2]
    run = fit(
        epochs=4,
        metrics=[gatle.Metric(name=scripted, params={"values": values})],
        checkpoint=gatle.Checkpoint(score="valid/scripted", every_epochs=100),
    )
    saved = [e["step"] for e in read(run.folder).events if e["kind"] == "checkpoint"]
    assert saved == [STEPS, 2 * STEPS, 3 * STEPS, 4 * STEPS]


def raising(kind, *words, **more):
    def hook(run):
        raise kind(*words, **more)

    return hook


@pytest.mark.parametrize("event", ["run_start", "step_end", "checkpoint_saved", "run_end"])
@pytest.mark.parametrize(
    ("error", "text"),
    [((ValueError, "boom"), "ValueError: boom"), ((SystemExit, 0), "SystemExit: 0")],
)
def test_a_plugin_that_raises_stops_the_run_and_is_named(
    fit, manager, plugin_of, tmp_path, event, error, text
):
    module = plugin_of(**{f"gatle_on_{event}": raising(*error)})
    manager.register(module, name="bad", distribution="gatle-bad")
    with pytest.raises(RunFailedError) as caught:
        fit()
    step = {"run_start": 0, "step_end": 1}.get(event, STEPS)
    line = raising.__code__.co_firstlineno + 2
    assert str(caught.value) == (
        f"run 'run' failed at step {step}: {text}. "
        f"Raised by plugin 'bad' (gatle-bad) in gatle_on_{event}. At {__file__}:{line}."
    )
    assert caught.value.exit_code == 1
    told = read_metadata(tmp_path / "run")
    assert (told["status"], told["error"]) == ("failed", str(caught.value))
    assert read(tmp_path / "run").events[-1]["kind"] == "end"


def test_an_error_of_gatle_in_a_plugin_keeps_its_exit_code_and_names_it(fit, manager, plugin_of):
    module = plugin_of(gatle_on_log=raising(DataError, "no more rows", fix="add some"))
    manager.register(module, name="bad", distribution="gatle-bad")
    with pytest.raises(DataError) as caught:
        fit()
    assert str(caught.value) == (
        "no more rows. Raised by plugin 'bad' (gatle-bad) in gatle_on_log. Fix: add some."
    )


class Terminated(BaseException):
    """What a handler of a signal may raise."""


@pytest.mark.parametrize("kind", [KeyboardInterrupt, Terminated])
def test_an_interrupted_run_is_stopped_and_the_interrupt_goes_on(
    fit, manager, plugin_of, tmp_path, kind
):
    manager.register(plugin_of(gatle_on_epoch_end=raising(kind)), name="ctrl-c")
    with pytest.raises(kind):
        fit()
    told = read_metadata(tmp_path / "run")
    assert (told["status"], told["step"]) == ("stopped", STEPS)
    assert told["error"] == kind.__name__
    assert read(tmp_path / "run").events[-1]["status"] == "stopped"


def test_a_run_that_is_interrupted_after_its_end_has_finished(fit, manager, plugin_of, tmp_path):
    manager.register(plugin_of(gatle_on_run_end=raising(KeyboardInterrupt)), name="ctrl-c")
    with pytest.raises(KeyboardInterrupt):
        fit()
    assert read_metadata(tmp_path / "run")["status"] == "finished"


def test_an_error_in_the_users_code_names_the_users_line(fit, tmp_path):
    with pytest.raises(RunFailedError) as caught:
        fit(loss=gatle.Loss(name=wrong_shapes))
    assert str(caught.value).startswith("run 'run' failed at step 0: RuntimeError: The size of")
    line = wrong_shapes.__code__.co_firstlineno + 1
    assert str(caught.value).endswith(f"At {__file__}:{line}.")
    assert (tmp_path / "run" / "console.log").read_text().count("failed at step 0") == 1


def wrong_shapes(outputs, targets):
    return (outputs + torch.zeros(99, 99)).mean()


class States:
    """What `run.json` says when an observer of the user is told."""

    def __init__(self):
        self.seen = []

    def on_run_start(self, run):
        self.seen.append(read_metadata(run.folder)["status"])

    def on_run_end(self, run):
        self.seen.append(read_metadata(run.folder)["status"])


def test_run_json_is_true_before_anybody_else_is_told(fit):
    states = States()
    fit(observers=[states])
    assert states.seen == ["running", "finished"]


def test_a_plugin_that_draws_random_numbers_changes_no_loss(fit, manager, plugin_of, tmp_path):
    numbers = []
    for name in ("without", "with"):
        if name == "with":
            manager.register(plugin_of(**dict.fromkeys(EVENTS, draw)), name="draws")
        fit(name=name, epochs=2, model_params={"drop": 0.5})
        logs = [e["metrics"] for e in read(tmp_path / name).events if e["kind"] == "log"]
        numbers.append([log["train/loss"] for log in logs])
    assert numbers[0] == numbers[1]


EVENTS = [f"gatle_on_{field.name}" for field in fields(Events)]


def draw(run):
    torch.rand(3)


def test_nothing_is_left_open(fit):
    with warnings.catch_warnings():
        warnings.simplefilter("error", ResourceWarning)
        fit()
