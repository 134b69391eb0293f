from __future__ import annotations

import json
import subprocess
import sys

import pytest

from gatle.errors import ConfigError
from gatle.plugin import CommandContext
from gatle.plugins import PluginManager

testing = pytest.importorskip("click.testing", reason="gatle-cli, which brings click, is missing")


@pytest.fixture
def plot(tmp_path, monkeypatch):
    """Run the command as the command line does, in a folder of its own."""
    from gatle_viz.commands.plot import plot as command

    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)

    def run(*arguments, as_json=False):
        context = CommandContext(manager=PluginManager(), runs=tmp_path, json=as_json)
        arguments = [str(argument) for argument in arguments]
        result = testing.CliRunner().invoke(command, arguments, obj=context)
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return run


def test_one_run_is_drawn_into_its_own_folder(plot, small_run):
    folder = small_run("first")
    result = plot("first")
    path = folder / "figures" / "curves.png"
    assert result.stdout == f"{path}\n"
    assert path.read_bytes().startswith(b"\x89PNG")
    assert [item.name for item in path.parent.iterdir()] == ["curves.png"]


def test_several_runs_are_drawn_here(plot, small_run, tmp_path):
    small_run("first"), small_run("second")
    assert plot("first", "second").stdout == "curves.png\n"
    assert (tmp_path / "here" / "curves.png").is_file()


def test_output_names_file_and_format(plot, small_run, tmp_path):
    small_run("first")
    path = tmp_path / "new" / "folder" / "loss.SVG"
    plot("first", "--metric", "*/loss", "--output", path)
    text = path.read_text()
    assert text.startswith("<?xml")
    assert ">loss</text>" in text
    assert ">accuracy</text>" not in text


def test_json_says_what_was_drawn(plot, small_run):
    folder = small_run("first")
    report = json.loads(plot("first", as_json=True).stdout)
    assert report["schema"] == "gatle.plot/1"
    assert report["path"] == str(folder / "figures" / "curves.png")
    loss, valid, accuracy, rate = report["series"]
    assert loss == {
        "run": "first",
        "metric": "train/loss",
        "points": 8,
        "not_finite": 1,
        "last": {"value": 0.25, "step": 8},
        "best": None,
    }
    assert valid["best"] == {"value": 0.375, "step": 8}
    assert accuracy["best"] == {"value": 0.8, "step": 8}
    assert rate["metric"] == "lr"


def test_json_spells_values_that_are_no_numbers(plot, make_run):
    make_run("wild", [("log", 1, 0, {"metrics": {"train/loss": float("inf")}})])
    (series,) = json.loads(plot("wild", as_json=True).stdout)["series"]
    assert series["last"] == {"value": "Infinity", "step": 1}


def test_a_run_named_twice_is_drawn_once(plot, small_run):
    folder = small_run("first")
    report = json.loads(plot("first", folder, as_json=True).stdout)
    assert {series["run"] for series in report["series"]} == {"first"}
    assert report["path"] == str(folder / "figures" / "curves.png")


def test_runs_with_one_name_are_told_apart_by_their_folders(plot, small_run, tmp_path):
    one = small_run("same", root=tmp_path / "a")
    two = small_run("same", root=tmp_path / "b")
    report = json.loads(plot(one, two, as_json=True).stdout)
    assert {series["run"] for series in report["series"]} == {str(one), str(two)}


def test_a_folder_given_as_a_dot_has_its_name(plot, small_run, monkeypatch):
    monkeypatch.chdir(small_run("first"))
    report = json.loads(plot(".", as_json=True).stdout)
    assert {series["run"] for series in report["series"]} == {"first"}


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["frist"], ["there is no run 'frist'", "did you mean 'first'?"]),
        (["first", "--output", "x.svgz"], ["ends in .png or .svg", "did you mean 'svg'?"]),
        (["first", "--output", "x"], ["--output is 'x'", "Fix: choose such a name."]),
        (["first", "--metric", "acc"], ["no metric is called 'acc'", "valid/accuracy"]),
        (["first", "empty"], ["run 'empty' has recorded no numbers yet"]),
    ],
)
def test_errors_say_what_where_and_what_to_do(plot, small_run, make_run, arguments, parts):
    small_run("first")
    make_run("empty", [("start", 0, 0, {})])
    with pytest.raises(ConfigError) as caught:
        plot(*arguments)
    assert all(part in str(caught.value) for part in parts), str(caught.value)


def test_an_output_that_cannot_be_written_is_an_error_and_leaves_nothing(plot, small_run, tmp_path):
    small_run("first")
    folder = tmp_path / "here" / "taken.png"
    folder.mkdir()
    with pytest.raises(ConfigError, match=r"taken.png' cannot be written: Is a directory"):
        plot("first", "--output", folder)
    assert [item.name for item in folder.parent.iterdir()] == ["taken.png"]


def test_no_run_is_a_usage_error(plot):
    result = plot()
    assert result.exit_code == 2
    assert "Missing argument 'RUN...'" in result.stderr


def test_a_real_run_is_drawn(plot, tmp_path):
    import gatle

    config = gatle.Config(
        data=gatle.Data(name="digits", batch_size=512),
        model=gatle.Model(name="small-cnn", params={"width": 4}),
        loop=gatle.Loop(max_epochs=1, log_every=1),
    )
    gatle.train(config, runs=tmp_path, name="real", manager=PluginManager())
    report = json.loads(plot("real", "--x", "time", as_json=True).stdout)
    points = {series["metric"]: series["points"] for series in report["series"]}
    assert points == {"train/loss": 3, "valid/loss": 1, "valid/accuracy": 1, "lr": 3}


def test_plugin_offers_the_command_and_is_light():
    code = (
        "import sys, gatle_viz.plugin as p; (c,) = p.gatle_commands();"
        "print(c.name, c.group, [m for m in ('torch', 'numpy', 'matplotlib', 'click')"
        " if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "plot Look []\n"
