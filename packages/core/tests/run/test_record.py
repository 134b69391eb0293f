from __future__ import annotations

import json
import math
import os

import pytest

from gatle.run import Recorder, read


@pytest.fixture
def path(tmp_path):
    return tmp_path / "events" / "rank0-0001.jsonl"


def test_numbers_json_has_none_for_are_spelled_and_read_back(path):
    recorder = Recorder(path)
    values = {"loss": math.nan, "up": math.inf, "down": -math.inf, "fine": 1.5}
    recorder.write("log", step=3, epoch=1, metrics=values, top=math.inf, rows=[{"x": math.nan}])
    recorder.close()
    line = json.loads(path.read_text(), parse_constant=pytest.fail)
    assert line["metrics"] == {"loss": "NaN", "up": "Infinity", "down": "-Infinity", "fine": 1.5}
    [event] = read(path.parents[1]).events
    assert (event["kind"], event["step"], event["epoch"], event["v"]) == ("log", 3, 1, 1)
    assert math.isnan(event["metrics"].pop("loss"))
    assert event["metrics"] == {"up": math.inf, "down": -math.inf, "fine": 1.5}
    assert event["top"] == math.inf
    assert math.isnan(event["rows"][0]["x"])


def test_every_event_is_in_the_file_as_soon_as_it_is_written(path):
    recorder = Recorder(path)
    recorder.write("start", step=0, epoch=0)
    assert len(read(path.parents[1]).events) == 1
    recorder.close()


def test_a_torn_last_line_is_left_and_bad_lines_are_counted(path):
    path.parent.mkdir()
    path.write_bytes(
        b'{"kind": "a"}\nnot json\n[1]\n"x"\n{"a": "\xff"}\n\n{"kind": "b"}\n{"kind": "c'
    )
    record = read(path.parents[1])
    assert [event["kind"] for event in record.events] == ["a", "b"]
    assert record.bad_lines == 5


def test_the_files_of_a_resumed_run_are_read_in_order_and_others_are_not(path):
    path.parent.mkdir()
    for name, kind in (("rank0-0002", "second"), ("rank0-0001", "first"), ("sys-rank0", "no")):
        (path.parent / f"{name}.jsonl").write_text(f'{{"kind": "{kind}"}}\n')
    assert [event["kind"] for event in read(path.parents[1]).events] == ["first", "second"]


def test_a_line_that_could_not_be_written_whole_is_an_error(path, monkeypatch):
    recorder = Recorder(path)
    with monkeypatch.context() as patched:
        patched.setattr(os, "write", lambda _file, line: len(line) - 1)
        with pytest.raises(OSError, match="could not be written whole"):
            recorder.write("log", step=1, epoch=0)
    recorder.close()
