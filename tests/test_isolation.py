"""A plugin is a guest: each way in which one can be broken, as a real wheel beside real wheels."""

from __future__ import annotations

import json

import pytest

pytestmark = pytest.mark.xdist_group("wheels")

LOSS = """
from gatle.plugin import Command, Loss, Metric, hookimpl

@hookimpl
def gatle_losses():
    yield Loss(name="{name}", target="gatle.losses:cross_entropy", summary="A loss.")
"""

ZOO = {
    "boom": ("raise ImportError('libfoo.so.3: cannot open shared object file')", "import"),
    "leaves": ("import sys\nsys.exit('bye')", "import"),
    "typo": (LOSS.replace("gatle_losses", "gatle_loses").format(name="typo"), "registration"),
    "args": (LOSS.replace("losses():", "losses(config):").format(name="args"), "registration"),
    "newer": ("gatle_api = 2\n" + LOSS.format(name="newer"), "registration"),
    "unmarked": (LOSS.replace("@hookimpl", "").format(name="unmarked"), "registration"),
    "wraps": (
        LOSS.replace("@hookimpl", "@hookimpl(wrapper=True)").format(name="wraps"),
        "registration",
    ),
    "halfway": (LOSS.format(name="halfway") + "    raise RuntimeError('kaput')\n", "collection"),
    "other": (LOSS.replace("gatle_losses", "gatle_metrics").format(name="other"), "collection"),
    "spelled": (LOSS.format(name="Bad Name"), "collection"),
    "unsaid": (
        "class Mute(Exception):\n    def __str__(self): raise ValueError\nraise Mute",
        "import",
    ),
    "specname": (
        "from gatle.plugin import hookimpl\n"
        "@hookimpl(specname='gatle_lossess')\ndef losses(): return []\n",
        "registration",
    ),
    "grouped": (
        "from gatle.plugin import Command, hookimpl\n@hookimpl\ndef gatle_commands():\n"
        "    yield Command(name='grouped', target='a:b', summary='A command.', group='Bogus')\n",
        "early collection",
    ),
    "compares": (
        "class Name(str):\n    def __lt__(self, other): raise RuntimeError\n"
        + LOSS.format(name="compares").replace('"compares"', 'Name("compares")'),
        "collection",
    ),
    "twice": (
        LOSS.format(name="twice")
        + '    yield Loss(name="twice", target="a:b", summary="The same name.")\n',
        "collection",
    ),
    "silencer": ("import sys\nsys.stdout = None\nraise ValueError('no more')", "import"),
}

REASONS = {
    "boom": "ImportError: libfoo.so.3: cannot open shared object file",
    "leaves": "SystemExit: bye",
    "typo": "unknown hook 'gatle_loses'; did you mean 'gatle_losses'?",
    "args": "Argument(s) {'config'} are declared in the hookimpl but can not be found",
    "newer": "written for plugin API 2, this gatle has API 1: upgrade gatle-core",
    "unmarked": "'gatle_losses' is not marked with @hookimpl, so it would never be called",
    "wraps": "hook 'gatle_losses' is a wrapper; gatle has no hook wrappers",
    "halfway": "RuntimeError: kaput",
    "other": "TypeError: expected Metric records, got Loss(",
    "spelled": "Loss record 'Bad Name': a name is lower case with words joined by hyphens",
    "unsaid": "Mute: its message cannot be read",
    "specname": "unknown hook 'gatle_lossess'; did you mean 'gatle_losses'?",
    "grouped": "Command record 'grouped': group must be one of ('Train', 'Look',",
    "compares": "a name is lower case with words joined by hyphens, as 'top-k'",
    "twice": "ValueError: two records are called 'twice'",
    "silencer": "ValueError: no more",
    "dangling": "ModuleNotFoundError: No module named 'gatle_dangling.gone'",
}

CLASH = """
import click
from gatle.plugin import Command, Loss, hookimpl

@click.command()
def theirs():
    click.echo("theirs")

@hookimpl
def gatle_losses():
    yield Loss(name="cross-entropy", target="nowhere:nothing", summary="Not the one you know.")

@hookimpl
def gatle_commands():
    yield Command(name="train", target=theirs, summary="Not the one you know.")
"""

TALKS = "print('hi from import')\n" + LOSS.format(name="talks")

SLOW = "import time\ntime.sleep(0.3)\n" + LOSS.format(name="slow")


@pytest.fixture(scope="module")
def zoo(make_environment, make_plugin, wheels):
    """Every broken plugin at once, beside one that works."""
    broken = [make_plugin(name, source) for name, (source, _) in ZOO.items()]
    more = [
        make_plugin("dangling", "", target="gatle_dangling.gone"),
        make_plugin("twin", LOSS.format(name="twin-a"), distribution="gatle-twin-a"),
        make_plugin("twin", LOSS.format(name="twin-b"), distribution="gatle-twin-b"),
        make_plugin("clash", CLASH),
        make_plugin("slow", SLOW),
        make_plugin("talks", TALKS),
        make_plugin("good", LOSS.format(name="good"), version="1.2"),
    ]
    return make_environment(*wheels.values(), *broken, *more)


def test_help_works_and_names_every_plugin_that_failed_before_it(zoo, tmp_path):
    done = zoo.run("gatle", "--help", cwd=tmp_path)
    assert done.returncode == 0
    assert "Train a config file or a recipe." in done.stdout
    assert "hi from import" not in done.stdout
    early = [n for n, (_, phase) in ZOO.items() if phase != "collection"] + ["dangling"]
    for name in early:
        lines = [line for line in done.stderr.splitlines() if f"plugin {name!r}" in line]
        assert len(lines) == 1, done.stderr
        assert f"(gatle-{name} 9.0)" in lines[0]
        assert REASONS[name] in lines[0]
        assert f"-p no:{name}" in lines[0]
    assert "Traceback" not in done.stderr


def test_training_works_and_gives_the_losses_of_a_clean_environment(zoo, everything, tmp_path):
    command = ("gatle", "train", "digits", "--epochs", "1", "--json", "-o", "model.params.width=4")
    guests = zoo.run(*command, cwd=tmp_path)
    assert guests.returncode == 0, guests.stderr
    for name in ("halfway", "spelled", "other", "compares", "twice"):
        assert REASONS[name] in guests.stderr
    alone = everything.run(*command, cwd=tmp_path)
    assert "warning" not in alone.stderr
    assert json.loads(guests.stdout)["metrics"] == json.loads(alone.stdout)["metrics"]


def test_every_plugin_has_a_state_and_the_good_one_is_active(zoo, tmp_path):
    done = zoo.run("gatle", "plugins", "--json", cwd=tmp_path)
    plugins = {row["name"]: row for row in json.loads(done.stdout)["plugins"]}
    assert {name for name, row in plugins.items() if row["state"] == "failed"} == {
        *ZOO,
        "dangling",
    }
    for name in ("good", "slow", "talks", "clash", "twin", "core", "cli", "quant", "dist", "viz"):
        assert plugins[name]["state"] == "active"
    assert plugins["good"] | {"import_ms": 0} == {
        "name": "good",
        "distribution": "gatle-good",
        "version": "1.2",
        "state": "active",
        "disabled_by": None,
        "import_ms": 0,
        "slow": False,
        "hooks": ["gatle_losses"],
        "records": 1,
        "failures": [],
    }
    assert plugins["slow"]["slow"] is True


def test_two_distributions_with_one_entry_point_name_are_told_apart(zoo, tmp_path):
    done = zoo.run("gatle", "--version", cwd=tmp_path)
    assert (
        "plugin 'twin' (gatle-twin-b 9.0) failed at name of gatle_twin_b: the entry-point name "
        "'twin' is already used by gatle-twin-a 9.0; this one is not loaded" in done.stderr
    )


def test_a_name_of_gatle_stays_gatles_and_the_newcomer_is_reached_by_its_qualified_name(
    zoo, tmp_path
):
    done = zoo.run("gatle", "clash/train", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "theirs\n")
    assert (
        "plugin 'clash' (gatle-clash 9.0) failed at name of gatle_commands: the name 'train' is "
        "already offered by 'cli' (gatle-cli 0.1.0); this one is reached as 'clash/train'"
        in done.stderr
    )


def test_strict_mode_turns_any_failure_into_exit_3(zoo, tmp_path):
    done = zoo.run("gatle", "--version", cwd=tmp_path, GATLE_STRICT_PLUGINS="1")
    assert done.returncode == 3
    assert "gatle: error: plugin " in done.stderr
    for name in ("boom", "leaves", "typo", "dangling"):
        assert REASONS[name] in done.stderr
    assert "Fix: repair or disable them, or unset GATLE_STRICT_PLUGINS." in done.stderr


def test_disabled_plugins_are_not_imported_and_say_who_disabled_them(zoo, tmp_path):
    options = [part for name in (*ZOO, "dangling", "talks") for part in ("-p", f"no:{name}")]
    done = zoo.run(
        "gatle", "plugins", "--json", *options, cwd=tmp_path, GATLE_DISABLE_PLUGINS="clash,twin"
    )
    assert done.stderr == ""
    states = {r["name"]: r["disabled_by"] for r in json.loads(done.stdout)["plugins"]}
    assert states["boom"] == "-p"
    assert states["clash"] == "GATLE_DISABLE_PLUGINS"


def test_disabling_a_plugin_that_is_not_there_warns_with_the_nearest_name(everything, tmp_path):
    done = everything.run("gatle", "--version", "-p", "no:quants", cwd=tmp_path)
    assert done.returncode == 0
    assert done.stderr == (
        "gatle: warning: -p disables plugin 'quants', which is not installed; "
        "did you mean 'quant'?\n"
    )


def test_an_essential_plugin_cannot_be_disabled(everything, tmp_path):
    done = everything.run("gatle", "--version", "-p", "no:core", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == (
        "gatle: error: plugin 'core' is essential and cannot be disabled. Asked for by -p. "
        "Fix: leave out 'core'.\n"
    )


def test_without_autoload_only_our_own_command_is_there(zoo, tmp_path):
    done = zoo.run("gatle", "plugins", "--json", cwd=tmp_path, GATLE_PLUGIN_AUTOLOAD="0")
    assert done.stderr == ""
    assert [row["name"] for row in json.loads(done.stdout)["plugins"]] == ["cli", "core"]


def test_a_module_asked_for_by_name_must_load(everything, tmp_path):
    done = everything.run("gatle", "--version", "-p", "not_there.plugin", cwd=tmp_path)
    assert done.returncode == 3
    assert "No module named 'not_there'" in done.stderr
    assert "Asked for by -p." in done.stderr
