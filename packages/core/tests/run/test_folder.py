from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from gatle.errors import ConfigError
from gatle.run import create_folder, default_root, find_folder

MAKE = """
import sys
from pathlib import Path
from gatle.run.folder import create_folder

sys.stdin.readline()
for _ in range(5):
    print(create_folder(Path(sys.argv[1]), None, prefix="same"))
"""


@pytest.fixture
def root(tmp_path):
    for name in ("digits-1", "photos"):
        (tmp_path / "runs" / name).mkdir(parents=True)
        (tmp_path / "runs" / name / "run.json").write_text("{}")
    return tmp_path / "runs"


def test_folders_made_by_threads_at_once_are_all_different(tmp_path):
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: create_folder(tmp_path, None, prefix="same"), range(40)))
    assert len(set(made)) == 40
    assert all(folder.is_dir() for folder in made)


def test_folders_made_by_processes_at_once_are_all_different(tmp_path):
    command = [sys.executable, "-c", MAKE, str(tmp_path)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    processes = [subprocess.Popen(command, **pipes) for _ in range(8)]
    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()
    made = [line for process in processes for line in process.communicate()[0].splitlines()]
    assert len(made) == len(set(made)) == 40


def test_a_folder_is_named_after_what_is_trained(tmp_path):
    assert create_folder(tmp_path, None, prefix="my photos!").name.startswith("my-photos-2")
    assert create_folder(tmp_path, None, prefix="...").name.startswith("run-2")


@pytest.mark.parametrize("name", ["", "..", "a/b", "a b", ".hidden", "-x", "a\n"])
def test_a_name_that_is_no_plain_folder_name_is_refused(tmp_path, name):
    with pytest.raises(ConfigError) as caught:
        create_folder(tmp_path, name, prefix="run")
    assert str(caught.value) == (
        f"{name!r} cannot be a run's name: expected letters, digits, '.', '_' and '-'. "
        "Fix: choose another --name."
    )


def test_a_name_is_taken_once(tmp_path):
    assert create_folder(tmp_path, "baseline", prefix="run") == tmp_path / "baseline"
    with pytest.raises(ConfigError, match="there is already a run 'baseline' in"):
        create_folder(tmp_path, "baseline", prefix="run")


def test_a_place_where_no_folder_can_be_made_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match=r"file/run-.*' cannot be made: Not a directory"):
        create_folder(tmp_path / "file", None, prefix="run")


def test_a_run_is_found_by_name_and_by_path(root):
    assert find_folder("photos", root=root) == root / "photos"
    assert find_folder(str(root / "photos"), root=root / "elsewhere") == root / "photos"


@pytest.mark.parametrize("name", ["digit-1", "runs/digit-1"])
def test_a_run_that_is_not_there_is_named_with_the_nearest(root, name):
    with pytest.raises(ConfigError) as caught:
        find_folder(name, root=root)
    assert str(caught.value) == (
        f"there is no run {name!r} in {str(root)!r}; did you mean 'digits-1'? "
        "Fix: name a run's folder, or say --runs DIR."
    )


def test_a_folder_without_a_run_is_refused(root):
    with pytest.raises(ConfigError, match=r"holds no run \(it has no run.json\)"):
        find_folder(str(root), root=root)


def test_runs_are_kept_where_the_environment_says(monkeypatch):
    monkeypatch.setenv("GATLE_RUNS", "/elsewhere")
    assert str(default_root()) == "/elsewhere"
    monkeypatch.delenv("GATLE_RUNS")
    assert str(default_root()) == "runs"
