from __future__ import annotations

import shutil

import pytest
import torch

import gatle
from gatle.checkpoint import pointed
from gatle.errors import CheckpointError, ConfigError

CONFIG = """\
import gatle
from nets import Net


def get_config():
    return gatle.Config(
        data=gatle.Data(name="digits", batch_size=512),
        model=gatle.Model(name=Net, params={"width": 2}),
        loop=gatle.Loop(max_epochs=1),
        launch=gatle.Launch(device="cpu"),
    )
"""
NET = "from gatle.models import SmallCNN\n\n\nclass Net(SmallCNN):\n    pass\n"


@pytest.fixture
def copied(trained, tmp_path):
    """A copy of the run that may be damaged."""
    return shutil.copytree(trained.folder, tmp_path / "copied")


def test_a_config_file_is_trained_and_its_run_can_be_evaluated_from_anywhere(
    tmp_path, write, imports, manager, monkeypatch
):
    write(tmp_path / "mine", {"conf.py": CONFIG, "nets.py": NET})
    run = gatle.train(tmp_path / "mine" / "conf.py", runs=tmp_path / "runs", manager=manager)
    assert run.status == "finished"
    assert run.name.startswith("conf-")
    monkeypatch.chdir("/")
    found = gatle.evaluate(run.name, runs=tmp_path / "runs", manager=manager)
    assert (found.split, found.samples) == ("test", 269)


def test_a_run_is_evaluated_on_test_at_its_best_by_itself(trained, manager):
    found = gatle.evaluate("trained", runs=trained.folder.parent, manager=manager)
    assert (found.split, found.checkpoint.name) == ("test", f"step-{trained.best.step:08d}")
    assert found.metrics.keys() == {"loss", "accuracy"}


def test_evaluating_writes_nothing(trained, manager):
    before = {path: path.stat().st_mtime_ns for path in trained.folder.rglob("*")}
    gatle.evaluate(trained.folder, manager=manager)
    assert {path: path.stat().st_mtime_ns for path in trained.folder.rglob("*")} == before


def test_a_damaged_checkpoint_is_replaced_and_that_is_told(copied, manager):
    root = copied / "checkpoints"
    shutil.copytree(pointed(root, "latest"), root / "step-00000001")
    (pointed(root, "latest") / "model.pt").write_bytes(b"")
    found = gatle.evaluate(copied, checkpoint="latest", manager=manager)
    [notice] = found.notices
    assert notice.startswith("checkpoint 'latest' is not available (checkpoint ")
    assert "model.pt does not match its digest" in notice
    assert notice.endswith(f"; using {found.checkpoint.name}")


def test_weights_that_do_not_fit_the_model_are_named(copied, manager):
    config = copied / "config.toml"
    config.write_text(config.read_text().replace("width = 4", "width = 8"))
    with pytest.raises(CheckpointError) as caught:
        gatle.evaluate(copied, manager=manager)
    assert "do not fit the model: Error(s) in loading state_dict for SmallCNN" in str(caught.value)
    assert str(caught.value).endswith("Fix: check that the model's code is the run's.")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"split": "tset"},
            "the data set has no split 'tset'; did you mean 'test'? "
            "Fix: choose one of train, valid, test.",
        ),
        ({"run": "trian"}, "there is no run 'trian' in {runs!r}; did you mean 'trained'?"),
        ({"checkpoint": "7"}, "there is no whole checkpoint '7' in "),
        ({"device": "nowhere"}, "device 'nowhere' cannot be used here: "),
    ],
)
def test_what_is_not_there_cannot_be_evaluated(trained, manager, settings, message):
    runs = trained.folder.parent
    with pytest.raises((ConfigError, CheckpointError)) as caught:
        gatle.evaluate(**({"run": "trained", "runs": runs, "manager": manager} | settings))
    assert str(caught.value).startswith(message.format(runs=str(runs)))


def test_a_config_that_is_wrong_makes_no_run(tmp_path, manager):
    with pytest.raises(ConfigError, match="the config has 1 problem"):
        gatle.train({"data": {"name": "digits"}}, runs=tmp_path, manager=manager)
    assert list(tmp_path.iterdir()) == []


def test_training_does_not_depend_on_what_was_drawn_before(fit):
    losses = []
    for name in ("first", "second"):
        torch.rand(len(losses))
        losses.append(fit(name=name, epochs=2).metrics)
    assert losses[0] == losses[1]
