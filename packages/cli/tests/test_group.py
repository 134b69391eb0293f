"""The command as a whole: help, errors and exit codes."""

from __future__ import annotations

import subprocess
import sys
import types
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from gatle.plugin import Command, CommandContext, hookimpl
from gatle_cli.options import with_common_options


def test_help_lists_commands_under_their_headings(gatle):
    result = gatle("--help")
    assert result.code == 0
    for text in ("Train a config file or a recipe.", "Set up", "--version", "doctor"):
        assert text in result.out


@pytest.mark.parametrize("spelling", ["-h", "--help"])
def test_help_of_a_command_shows_the_common_options(gatle, spelling):
    result = gatle("train", spelling)
    assert result.code == 0
    for option in ("--epochs", "--runs", "--json", "--plugin", "--debug"):
        assert option in result.out


def test_version(gatle):
    assert gatle("--version").out == "gatle 0.1.0\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["trian", "digits"],
            "there is no command 'trian'; did you mean 'train'? Fix: see gatle --help.",
        ),
        (["train"], "Missing argument 'TARGET'. Fix: see gatle train --help."),
        (
            ["train", "digits", "--epochs", "0"],
            "Invalid value for '--epochs': 0 is not in the range x>=1. "
            "Fix: see gatle train --help.",
        ),
        (
            ["train", "digts"],
            "there is no file and no recipe 'digts'; did you mean 'digits'? "
            "Fix: name a config file (.toml or .py), or a recipe: digits.",
        ),
        (["train", "gone.toml"], "there is no config file 'gone.toml'. Fix: check the path."),
        (
            ["train", "digits", "-o", "loop.max_epochs"],
            "-o takes section.key=value, got 'loop.max_epochs'. "
            "Fix: write for example -o optimizer.params.lr=1e-3.",
        ),
        (
            ["eval", "gone"],
            "there is no run 'gone' in 'runs'. Fix: name a run's folder, or say --runs DIR.",
        ),
    ],
)
def test_errors_of_the_user_are_one_message_and_exit_2(gatle, arguments, message):
    result = gatle(*arguments)
    assert (result.code, result.out) == (2, "")
    assert result.err == f"gatle: error: {message}\n"


def test_a_wrong_option_names_the_nearest(gatle):
    result = gatle("train", "digits", "--epocs", "3")
    assert result.code == 2
    assert "--epochs" in result.err
    assert "Traceback" not in result.err


def test_debug_adds_the_traceback(gatle):
    result = gatle("train", "gone.toml", "--debug")
    assert result.code == 2
    assert "Traceback" in result.err
    assert result.err.endswith("there is no config file 'gone.toml'. Fix: check the path.\n")


def test_a_command_of_a_disabled_plugin_says_who_disabled_it(gatle):
    result = gatle("-p", "no:viz", "plot", "a-run")
    assert result.code == 2
    assert "the command 'plot' is not here: " in result.err


def test_a_command_may_call_its_arguments_as_the_common_options_are_called():
    @click.command()
    @click.argument("runs", nargs=-1)
    @click.argument("json")
    @click.option("--debug")
    @click.pass_obj
    def theirs(context, *, runs, json, debug):
        click.echo((runs, json, debug, context.json))

    context = CommandContext(manager=None, runs=Path("runs"))
    done = CliRunner().invoke(
        with_common_options(theirs), ["a", "b", "c", "--debug", "d", "--json"], obj=context
    )
    assert done.output == "(('a', 'b'), 'c', 'd', True)\n"


def test_a_command_may_leave_with_a_code_of_its_own(gatle, monkeypatch):
    module = types.ModuleType("leaving")

    @click.command()
    def leaves():
        sys.exit(7)

    @hookimpl
    def gatle_commands():
        yield Command(name="leaves", target=leaves, summary="Leaves.")

    module.gatle_commands = gatle_commands
    monkeypatch.setitem(sys.modules, "leaving", module)
    result = gatle("-p", "leaving", "leaves")
    assert (result.code, result.err) == (7, "")


def test_asking_for_and_disabling_one_plugin_is_an_error(gatle):
    result = gatle("-p", "no:mine", "-p", "mine", "plugins")
    assert result.code == 2
    assert "plugin 'mine' is asked for by -p and disabled by -p. Fix: leave out one" in result.err


def test_a_module_that_an_entry_point_loaded_may_be_asked_for(gatle):
    assert gatle("-p", "gatle_cli.plugin", "--version").code == 0


def test_a_module_beside_the_user_is_found(gatle, tmp_path):
    (tmp_path / "beside_me.py").write_text("")
    result = gatle("-p", "beside_me", "plugins", "--json")
    assert "beside_me" in {row["name"] for row in result.json["plugins"]}


def test_disabling_what_is_not_there_warns_from_a_config_too(gatle, tmp_path):
    (tmp_path / "a.toml").write_text(
        "[data]\nname = 'digits'\n[model]\nname = 'small-cnn'\n[plugins]\ndisable = ['clii']\n"
    )
    result = gatle("config", "a.toml")
    assert result.code == 0
    assert (
        "warning: a.toml:6 disables plugin 'clii', which is not installed; did you mean 'cli'?"
        in result.err
    )


def test_a_reader_that_leaves_is_no_fault(tmp_path):
    code = f"{sys.executable} -m gatle config digits --json | true; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode in {0, 141}
    assert "Traceback" not in done.stderr
    assert "fault" not in done.stderr
