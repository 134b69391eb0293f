"""What is read from the command line before any plugin is imported."""

from __future__ import annotations

import pytest

from gatle_cli.early import Early, read_early


@pytest.mark.parametrize(
    "arguments",
    [
        ["-p", "no:viz", "train", "digits"],
        ["train", "digits", "-p", "no:viz"],
        ["train", "-pno:viz", "digits"],
        ["-vp", "no:viz", "train"],
        ["-vvpno:viz", "train"],
        ["train", "--plugin=no:viz"],
        ["train", "--plugin", "no:viz"],
    ],
)
def test_plugins_are_disabled_wherever_the_option_stands(arguments):
    assert read_early(arguments) == Early(disabled=("viz",))


def test_modules_are_kept_apart_from_disabled_names():
    early = read_early(["-p", "my.plugin", "-p", "no:viz", "--debug"])
    assert early == Early(disabled=("viz",), modules=("my.plugin",), debug=True)


def test_what_follows_a_double_dash_is_no_option():
    assert read_early(["score", "--", "-p", "no:viz", "--debug"]) == Early()
