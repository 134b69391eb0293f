"""`gatle config`."""

from __future__ import annotations

import tomllib

TEXT = """\
[data]
name = "digits"
[model]
name = "small-cnn"
params = { width = 4 }
[project]
api_key = "very secret"
"""


def test_it_prints_toml_that_resolves_to_itself(gatle, tmp_path):
    (tmp_path / "a.toml").write_text(TEXT)
    first = gatle("config", "a.toml", "-o", "loop.max_epochs=3")
    (tmp_path / "b.toml").write_text(first.out)
    second = gatle("config", "b.toml")
    assert first.out == second.out
    assert tomllib.loads(first.out)["loop"]["max_epochs"] == 3
    assert first.err == "gatle: config a.toml is valid\n"


def test_origins_name_file_line_option_and_default(gatle, tmp_path):
    (tmp_path / "a.toml").write_text(TEXT)
    result = gatle("config", "a.toml", "--json", "-o", "seed=3")
    origins = result.json["origins"]
    assert origins["data.name"] == "a.toml:2"
    assert origins["model.params.width"] == "a.toml:5"
    assert origins["seed"] == "-o seed"
    assert origins["loop.max_epochs"] == "default"
    table = gatle("config", "a.toml", "--origin").out
    assert "model.params.width" in table


def test_secrets_are_not_printed(gatle, tmp_path):
    (tmp_path / "a.toml").write_text(TEXT)
    for options in ((), ("--json",), ("--origin",)):
        assert "very secret" not in gatle("config", "a.toml", *options).out


def test_all_problems_are_reported_at_once_with_their_lines(gatle, tmp_path):
    (tmp_path / "a.toml").write_text(TEXT.replace("width", "widht").replace("digits", "digit"))
    result = gatle("config", "a.toml")
    assert result.code == 2
    assert "a.toml has 2 problems:" in result.err
    assert "a.toml:2: data.name: no dataset is called 'digit'; did you mean 'digits'?" in result.err
    assert "'small-cnn' takes no parameter 'widht'; did you mean 'width'?" in result.err
