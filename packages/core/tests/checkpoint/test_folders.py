from __future__ import annotations

import json
import os
import re
import shutil

import pytest

from gatle.checkpoint import commit, every, find_whole, point, pointed, prune, read_manifest
from gatle.errors import CheckpointError


@pytest.fixture
def root(tmp_path):
    return tmp_path / "checkpoints"


def content(folder, text="weights"):
    (folder / "model.pt").write_text(text)
    (folder / "parts").mkdir()
    (folder / "parts" / "optimizer.pt").write_text(text)


def make(root, *steps):
    return [commit(root, step=step, facts={"epoch": step // 10}, write=content) for step in steps]


def found(root, which):
    notices = []
    return find_whole(root, which, say=notices.append), notices


def flip(path):
    raw = bytearray(path.read_bytes())
    raw[0] ^= 1
    path.write_bytes(raw)


DAMAGE = {
    "a flipped bit": lambda folder: flip(folder / "model.pt"),
    "a flipped bit below": lambda folder: flip(folder / "parts" / "optimizer.pt"),
    "a short file": lambda folder: os.truncate(folder / "model.pt", 3),
    "a missing file": lambda folder: (folder / "model.pt").unlink(),
    "no manifest": lambda folder: (folder / "manifest.json").unlink(),
    "half a manifest": lambda folder: os.truncate(folder / "manifest.json", 20),
    "a manifest of nothing": lambda folder: (folder / "manifest.json").write_text("[]"),
}


def test_a_checkpoint_is_what_was_written_and_a_manifest_that_proves_it(root):
    [folder] = make(root, 20)
    assert folder.name == "step-00000020"
    assert (folder / "parts" / "optimizer.pt").read_text() == "weights"
    manifest = read_manifest(folder)
    assert (manifest["step"], manifest["epoch"]) == (20, 2)
    assert manifest["xxh3_128"].keys() == {"model.pt", "parts/optimizer.pt"}


@pytest.mark.parametrize("error", [OSError("disk full"), KeyboardInterrupt()])
def test_an_error_while_writing_leaves_nothing(root, error):
    def broken(folder):
        content(folder)
        raise error

    make(root, 10)
    with pytest.raises((type(error), CheckpointError)):
        commit(root, step=20, facts={}, write=broken)
    assert [path.name for path in root.iterdir()] == ["step-00000010"]


def test_an_error_while_writing_a_step_again_keeps_the_old_one(root):
    def broken(folder):
        raise OSError("disk full")

    [folder] = make(root, 10)
    with pytest.raises(CheckpointError) as caught:
        commit(root, step=10, facts={}, write=broken)
    assert re.fullmatch(
        rf"the checkpoint of step 10 could not be written to {root}, where [\d,.]+ MiB are free: "
        r"OSError: disk full\. Fix: make room, or say another --runs DIR\.",
        str(caught.value),
    )
    assert read_manifest(folder)["epoch"] == 1


def test_a_step_written_again_replaces_the_old_one(root):
    make(root, 10)
    commit(root, step=10, facts={}, write=lambda folder: content(folder, "newer"))
    assert (root / "step-00000010" / "model.pt").read_text() == "newer"
    assert len(list(root.iterdir())) == 1


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_checkpoint_is_passed_over_and_that_is_said(root, damage):
    older, newer = make(root, 10, 20)
    point(root, "latest", newer)
    DAMAGE[damage](newer)
    folder, [notice] = found(root, "latest")
    assert folder == older
    assert notice.startswith(f"checkpoint 'latest' is not available (checkpoint {newer} is ")
    assert notice.endswith("; using step-00000010")
    assert notice.count(str(newer)) == 1 + notice.count(f"'{newer}/")


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_checkpoint_that_was_asked_for_by_step_is_refused(root, damage):
    _, newer = make(root, 10, 20)
    point(root, "latest", newer)
    DAMAGE[damage](newer)
    for which in ("20", str(newer)):
        with pytest.raises(CheckpointError) as caught:
            found(root, which)
        assert str(newer) in str(caught.value)
        assert str(caught.value).endswith("Fix: choose one of latest, 20, 10.")


def test_a_whole_checkpoint_is_taken_without_a_word(root):
    older, newer = make(root, 10, 20)
    point(root, "latest", newer)
    point(root, "best", older)
    for which, folder in (("latest", newer), ("best", older), ("10", older), (str(newer), newer)):
        assert found(root, which) == (folder, [])


def test_the_newest_is_taken_where_no_best_was_chosen(root):
    _, newer = make(root, 10, 20)
    folder, notices = found(root, "best")
    assert (folder, notices) == (
        newer,
        ["checkpoint 'best' is not available; using step-00000020"],
    )


def test_steps_are_ordered_as_numbers(root):
    folders = make(root, 99_999_999, 100_000_000)
    assert every(root) == folders[::-1]


@pytest.mark.parametrize("which", ["30", "bset"])
def test_a_checkpoint_that_is_not_there_is_named_with_those_that_are(root, which):
    _, newer = make(root, 10, 20)
    point(root, "best", newer)
    (root / "step-mine").mkdir()
    with pytest.raises(CheckpointError) as caught:
        found(root, which)
    assert str(caught.value) == (
        f"there is no whole checkpoint {which!r} in {root}. Fix: choose one of best, 20, 10."
    )


def test_nothing_whole_is_an_error_that_lists_what_is_wrong(root):
    [folder] = make(root, 10)
    flip(folder / "model.pt")
    with pytest.raises(CheckpointError) as caught:
        found(root, "latest")
    assert str(caught.value) == (
        f"there is no whole checkpoint 'latest' in {root} (checkpoint {folder} is damaged: "
        "model.pt does not match its digest). Fix: train again."
    )


def test_pruning_keeps_what_pointers_name_and_clears_what_killed_writers_left(root):
    first, _, third = make(root, 10, 20, 30)
    point(root, "best", first)
    point(root, "latest", third)
    shutil.copytree(first, root / ".step-00000040.1.tmp")
    prune(root)
    assert {path.name for path in root.iterdir()} == {"best", "latest", first.name, third.name}
    assert (pointed(root, "best"), pointed(root, "latest")) == (first, third)


def test_numbers_json_has_none_for_are_spelled_in_a_manifest(root):
    folder = commit(root, step=1, facts={"metrics": {"loss": float("nan")}}, write=content)
    assert json.loads((folder / "manifest.json").read_text())["metrics"] == {"loss": "NaN"}
