"""`gatle train`."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import pytest

SMALL = ("-o", "model.params.width=4", "-o", "data.batch_size=128")


def test_a_recipe_trains_and_says_what_was_best_where_it_is_and_what_is_next(gatle):
    result = gatle("train", "digits", "--epochs", 1, "--name", "a", *SMALL)
    assert result.code == 0
    assert result.out == "runs/a\n"
    lines = result.err.splitlines()
    assert lines[0] == "gatle: training recipe 'digits' (gatle-core 0.1.0)"
    assert "finished 1 epoch, 10 steps" in lines
    assert "run      runs/a" in lines
    assert "next     gatle eval a" in lines
    assert "\r" not in result.err
    assert "\x1b" not in result.err


def test_options_win_over_the_target_and_are_kept_with_their_origin(gatle, tmp_path):
    result = gatle(
        "train", "digits", "--name", "a", "--epochs", 1, "--device", "cpu", "-o", "seed=7", *SMALL
    )
    assert result.code == 0
    origins = json.loads((tmp_path / "runs/a/config.origins.json").read_text())
    assert origins["loop.max_epochs"] == "--epochs"
    assert origins["launch.device"] == "--device"
    assert origins["seed"] == "-o seed"
    assert origins["loop.log_every"] == "default"
    assert origins["optimizer.params.lr"].startswith(os.sep)


def test_json_is_one_object_on_stdout(gatle, tmp_path):
    result = gatle("--json", "train", "digits", "--epochs", 1, "--runs", tmp_path / "r", *SMALL)
    assert result.json["schema"] == "gatle.train/1"
    assert result.json["status"] == "finished"
    assert result.json["step"] == 10
    assert result.json["run"].startswith(str(tmp_path / "r"))
    assert set(result.json["metrics"]) == {"train/loss", "valid/loss", "valid/accuracy"}


def test_what_user_code_prints_does_not_get_into_the_data(gatle, tmp_path):
    code = "from gatle.models import SmallCNN\ndef Model():\n    print('hello')\n"
    (tmp_path / "loud.py").write_text(code + "    return SmallCNN(num_classes=10, width=4)\n")
    options = ("--model", "loud:Model", "-o", "model.params={}", "--json")
    result = gatle("train", "digits", "--epochs", 1, *options)
    assert result.json["status"] == "finished"
    assert "hello" in result.err


def test_a_dry_run_builds_everything_and_writes_nothing(gatle, tmp_path):
    result = gatle("train", "digits", "--dry-run", "--json")
    assert result.code == 0
    assert result.json["samples"] == {"train": 1258, "valid": 270, "test": 269}
    assert (result.json["steps_per_epoch"], result.json["total_steps"]) == (40, 320)
    assert set(result.json["losses"]) == {"train", "valid", "test"}
    assert result.json["parameters"] == result.json["trainable"] == 24_058
    assert list(tmp_path.iterdir()) == []
    table = gatle("train", "digits", "--dry-run").out
    assert "24,058 parameters, 24,058 trained" in table


def test_a_dry_run_finds_what_only_building_can_find(gatle, tmp_path):
    code = "def Model():\n    raise ValueError('no such width')\n"
    (tmp_path / "wrong.py").write_text(code)
    result = gatle(
        "train", "digits", "--dry-run", "--model", "wrong:Model", "-o", "model.params={}"
    )
    assert result.code == 2
    assert "building model 'wrong:Model' failed: ValueError: no such width. At" in result.err
    assert "wrong.py:2" in result.err


def test_a_taken_name_is_refused(gatle):
    assert gatle("train", "digits", "--epochs", 1, "--name", "a", *SMALL).code == 0
    again = gatle("train", "digits", "--epochs", 1, "--name", "a", *SMALL)
    assert again.code == 2
    assert again.err.endswith(
        "gatle: error: there is already a run 'a' in 'runs'. Fix: choose another --name.\n"
    )


def test_a_diverging_run_exits_4_and_never_says_finished(gatle, tmp_path):
    result = gatle("train", "digits", "--name", "a", "-o", "optimizer.params.lr=1e30", *SMALL)
    assert result.code == 4
    assert "the training loss is nan" in result.err
    assert "finished" not in result.err
    assert json.loads((tmp_path / "runs/a/run.json").read_text())["status"] == "diverged"


@pytest.mark.parametrize(
    ("number", "code", "status"),
    [
        (signal.SIGINT, 130, "stopped"),
        (signal.SIGTERM, 143, "stopped"),
        (signal.SIGKILL, -signal.SIGKILL, "running"),
    ],
)
def test_a_killed_run_leaves_a_checkpoint_that_can_be_evaluated(
    gatle, tmp_path, number, code, status
):
    command = [sys.executable, "-m", "gatle", "train", "digits", "--epochs", "500", "--name", "a"]
    with subprocess.Popen([*command, *SMALL], stderr=subprocess.PIPE, text=True) as process:
        for line in process.stderr:
            if line.startswith("epoch 2/"):
                process.send_signal(number)
                break
        process.stderr.read()
    assert process.returncode == code
    assert json.loads((tmp_path / "runs/a/run.json").read_text())["status"] == status
    result = gatle("eval", "a", "--checkpoint", "latest", "--json")
    assert result.code == 0
    assert result.json["checkpoint"]["step"] >= 20
