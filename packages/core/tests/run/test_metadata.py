from __future__ import annotations

import json
import math
import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from gatle.config import load_object, resolve
from gatle.errors import CheckpointError, ConfigError
from gatle.run import Best, Run, derived_status, read_metadata, start_facts, write_status


@pytest.fixture
def facts(manager, tmp_path):
    command = ["gatle", "train", "-o", "plugin.w.api_key=abc"]
    return start_facts(command=command, manager=manager, folder=tmp_path)


@pytest.fixture
def run(tmp_path, manager, tiny):
    config = resolve(load_object(tiny(), source="the config"), manager=manager).config
    return Run(name="r1", folder=tmp_path, config=config, status="running")


def test_run_json_says_who_ran_what_where_and_how_it_stands(run, facts):
    run.step, run.epoch, run.total_steps = 5, 1, 10
    run.metrics = {"valid/loss": math.nan, "valid/accuracy": 0.5}
    run.best = Best(metric="valid/accuracy", value=0.5, step=5, epoch=1)
    write_status(run, facts)
    told = read_metadata(run.folder)
    assert told["schema"] == "gatle.run/1"
    assert (told["id"], told["status"], told["step"], told["epoch"]) == ("r1", "running", 5, 1)
    assert (told["host"], told["pid"]) == (platform.node(), os.getpid())
    assert told["metrics"] == {"valid/loss": "NaN", "valid/accuracy": 0.5}
    assert told["best"] == {"metric": "valid/accuracy", "value": 0.5, "step": 5, "epoch": 1}
    assert told["plugins"][0]["name"] == "core"
    assert {"torch", "gatle-core"} <= told["versions"].keys()
    assert told["git"] is None
    assert told["error"] is None
    assert told["command"] == ["gatle", "train", "-o", "plugin.w.api_key=**********"]


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (KeyboardInterrupt(), "KeyboardInterrupt"),
        (ValueError("boom"), "ValueError: boom"),
        (ConfigError("wrong", fix="do right"), "wrong. Fix: do right."),
    ],
)
def test_run_json_says_why_a_run_ended(run, facts, error, text):
    run.error = error
    write_status(run, facts)
    assert read_metadata(run.folder)["error"] == text


def test_a_work_tree_is_named_by_commit_and_cleanliness(manager, tmp_path):
    def git(*words):
        identity = ["-c", "user.name=n", "-c", "user.email=e@e", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", "-C", tmp_path, *identity, *words], check=True, capture_output=True)

    git("init")
    git("commit", "--allow-empty", "-m", "first")
    clean = start_facts(command=[], manager=manager, folder=tmp_path)["git"]
    (tmp_path / "new").write_text("")
    dirty = start_facts(command=[], manager=manager, folder=tmp_path)["git"]
    assert (len(clean["commit"]), clean["dirty"], dirty["dirty"]) == (40, False, True)


def test_a_run_whose_process_is_there_is_what_it_says(facts):
    assert derived_status(facts | {"status": "running"}) == "running"


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no /proc")
def test_a_run_whose_process_is_gone_has_crashed(facts):
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as process:
        told = facts | {"status": "running", "pid": process.pid}
        assert derived_status(told) == "crashed"  # the number is that of another process
        stat = Path(f"/proc/{process.pid}/stat").read_text()
        told["process_start"] = stat.rpartition(")")[2].split()[19]
        assert derived_status(told) == "running"
        process.stdin.close()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        assert derived_status(told) == "crashed"  # ended, and nobody has asked how yet
    assert derived_status(told) == "crashed"
    assert derived_status(told | {"status": "finished"}) == "finished"


def test_a_run_before_the_last_boot_has_crashed(facts):
    assert derived_status(facts | {"status": "running", "boot_id": "another"}) == "crashed"


def test_a_run_on_another_machine_is_what_it_says(facts):
    told = facts | {"status": "running", "pid": 2**22 + 1, "host": "elsewhere"}
    assert derived_status(told) == "running"


def test_a_damaged_run_json_is_an_error(tmp_path):
    (tmp_path / "run.json").write_text("{")
    with pytest.raises(CheckpointError, match=r"run\.json cannot be read: Expecting property name"):
        read_metadata(tmp_path)


def test_a_reader_never_sees_half_of_a_file(run, facts, monkeypatch):
    write_status(run, facts)
    before = (run.folder / "run.json").read_text()

    def full(_descriptor):
        raise OSError("disk full")

    monkeypatch.setattr(os, "fsync", full)
    run.step = 99
    with pytest.raises(OSError, match="disk full"):
        write_status(run, facts)
    assert json.loads((run.folder / "run.json").read_text()) == json.loads(before)
