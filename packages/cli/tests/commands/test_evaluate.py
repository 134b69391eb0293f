"""`gatle eval`."""

from __future__ import annotations


def test_json_holds_the_numbers_of_the_test_split(gatle, trained):
    result = gatle("eval", trained, "--json")
    assert result.code == 0
    assert result.json == {
        "schema": "gatle.eval/1",
        "run": str(trained),
        "checkpoint": {"step": 80, "path": str(trained / "checkpoints/step-00000080")},
        "split": "test",
        "samples": 269,
        "metrics": result.json["metrics"],
    }
    assert set(result.json["metrics"]) == {"loss", "accuracy"}


def test_a_run_is_found_by_its_name_under_runs(gatle, trained):
    result = gatle("eval", "a", "--runs", trained.parent, "--split", "valid")
    assert result.code == 0
    assert result.out.startswith("a  step 80  valid  270 samples\n")


def test_the_validation_numbers_are_those_of_training(gatle, trained):
    import json

    metrics = json.loads((trained / "run.json").read_text())["metrics"]
    found = gatle("eval", trained, "--split", "valid", "--checkpoint", "latest", "--json").json
    assert found["metrics"]["accuracy"] == metrics["valid/accuracy"]
    assert abs(found["metrics"]["loss"] - metrics["valid/loss"]) <= 1e-6


def test_evaluating_writes_nothing(gatle, trained):
    before = {p: p.stat().st_mtime_ns for p in trained.rglob("*")}
    assert gatle("eval", trained).code == 0
    assert {p: p.stat().st_mtime_ns for p in trained.rglob("*")} == before


def test_a_checkpoint_or_split_that_is_not_there_is_an_error_that_lists_what_is(gatle, trained):
    result = gatle("eval", trained, "--checkpoint", "999")
    assert result.code == 3
    assert result.err == (
        f"gatle: error: there is no whole checkpoint '999' in {trained}/checkpoints. "
        "Fix: choose one of best, latest, 80.\n"
    )
    result = gatle("eval", trained, "--split", "tset")
    assert result.code == 2
    assert result.err == (
        "gatle: error: the data set has no split 'tset'; did you mean 'test'? "
        "Fix: choose one of train, valid, test.\n"
    )
