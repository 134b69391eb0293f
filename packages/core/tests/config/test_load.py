from __future__ import annotations

import pytest

from gatle.config import load_file, load_object, override, parse_override
from gatle.errors import ConfigError

PYTHON = """\
import gatle


def get_config():
    config = gatle.Config(
        data=gatle.Data(name="digits"),
        model=gatle.Model(
            name="small-cnn",
            params={"width": 4},
        ),
        optimizer=gatle.Optimizer(params={"betas": (0.9, 0.95)}),
    )
    config.loop.max_epochs = 3
    config.optimizer.name = "sgd"
    config.metrics.append("accuracy")
    return config
"""


def test_a_toml_file_knows_the_line_of_every_value(home, write):
    write(home, {"c.toml": "seed = 1\n[data]\nname = 'digits'\n[model.params]\nwidth = 4\n"})
    tree = load_file(home / "c.toml")
    assert tree.values["model"] == {"params": {"width": 4}}
    assert tree.folder == home
    places = {path: str(tree.origin(path)) for path in ("seed", "model", "model.params.width")}
    assert places == {
        "seed": f"{home}/c.toml:1",
        "model": f"{home}/c.toml:4",
        "model.params.width": f"{home}/c.toml:5",
    }
    assert str(tree.origin("nothing")) == f"{home}/c.toml"


def test_a_python_file_knows_the_line_of_every_section_and_assignment(home, write):
    write(home, {"c.py": PYTHON})
    tree = load_file(home / "c.py")
    assert tree.values["loop"] == {"max_epochs": 3}
    assert tree.values["optimizer"] == {"params": {"betas": [0.9, 0.95]}, "name": "sgd"}
    assert tree.values["metrics"] == ["accuracy", "accuracy"]
    paths = ("data.name", "model.params.width", "loop.max_epochs", "optimizer.name", "metrics")
    assert [str(tree.origin(path)) for path in paths] == [
        f"{home}/c.py:{line}" for line in (6, 7, 13, 14, 5)
    ]


def test_a_dict_from_get_config_has_the_line_of_that_function(home, write):
    write(home, {"c.py": "\n\ndef get_config():\n    return {'data': {'name': 'digits'}}\n"})
    tree = load_file(home / "c.py")
    assert str(tree.origin("data.name")) == f"{home}/c.py:3"


def test_a_python_config_imports_what_lies_beside_it(home, write):
    write(home, {"c.py": "import beside\n\ndef get_config():\n    return {'seed': beside.SEED}\n"})
    write(home, {"beside.py": "SEED = 7\n"})
    assert load_file(home / "c.py").values == {"seed": 7}


def test_an_option_wins_and_says_so(home, write):
    write(home, {"c.toml": "seed = 1\nmetrics = [{ name = 'accuracy' }]\n"})
    tree = load_file(home / "c.toml")
    options = ["seed=2", "loop.max_epochs=3", "metrics.0.params.k=5", "optimizer={'name': 'sgd'}"]
    changed = override(tree, map(parse_override, options))
    assert changed.values == {
        "seed": 2,
        "loop": {"max_epochs": 3},
        "metrics": [{"name": "accuracy", "params": {"k": 5}}],
        "optimizer": {"name": "sgd"},
    }
    assert str(changed.origin("seed")) == "-o seed"
    assert str(changed.origin("optimizer.name")) == "-o optimizer"
    assert tree.values == {"seed": 1, "metrics": [{"name": "accuracy"}]}


@pytest.mark.parametrize(
    ("text", "path", "value"),
    [
        ("model.name=007", "model.name", "007"),
        ("task=1e3", "task", "1e3"),
        ("model.name='small-cnn'", "model.name", "small-cnn"),
        ("checkpoint.score=null", "checkpoint.score", None),
        ("launch.device=null", "launch.device", "null"),
        ("model.params.name=007", "model.params.name", 7),
        ("project.name=1", "project.name", 1),
        (" loop.max_epochs =3", "loop.max_epochs", 3),
        ("project.formula=a=b", "project.formula", "a=b"),
    ],
)
def test_an_option_is_read_as_what_its_key_holds(text, path, value):
    assert parse_override(text)[:2] == (path, value)


@pytest.mark.parametrize("text", ["novalue", "=3", "a..b=1"])
def test_an_option_without_a_key_is_refused(text):
    with pytest.raises(ConfigError) as caught:
        parse_override(text)
    assert str(caught.value) == (
        f"-o takes section.key=value, got {text!r}. "
        "Fix: write for example -o optimizer.params.lr=1e-3."
    )


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (
            "data.name.x=3",
            "'data.name.x' cannot be set: 'name' is 'digits', not a table. "
            "In -o data.name.x. Fix: name a key of a table.",
        ),
        (
            "metrics.1=accuracy",
            "'metrics.1' cannot be set: the list has 1 items, numbered from 0. "
            "In -o metrics.1. Fix: name one of them.",
        ),
    ],
)
def test_an_option_for_a_place_that_is_not_there_is_refused(option, message):
    values = {"data": {"name": "digits"}, "metrics": ["accuracy"]}
    tree = load_object(values, source="the config")
    with pytest.raises(ConfigError) as caught:
        override(tree, [parse_override(option)])
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (
            "c.tml",
            None,
            "there is no config file 'c.tml'; did you mean 'c.toml'? Fix: check the path.",
        ),
        (
            "c.yaml",
            b"",
            "'c.yaml' is not a config: expected a file ending in .toml or .py. "
            "Fix: name a TOML file, or a Python file with get_config().",
        ),
        ("c.toml", b"\nx = [1 2]", "not valid TOML: Unclosed array. At c.toml:2, column 8."),
        ("c.toml", b"x = [", "not valid TOML: Invalid value (at end of document). In c.toml."),
        (
            "c.toml",
            b"x = '\xff'",
            "c.toml is not UTF-8 text: invalid start byte at byte 5. Fix: save it as UTF-8.",
        ),
    ],
)
def test_a_file_that_is_no_config_is_refused(home, name, content, message):
    (home / "c.toml").write_text("")
    path = (home / name).relative_to(home)
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ConfigError) as caught:
        load_file(path)
    assert str(caught.value) == message


def test_a_byte_order_mark_is_no_part_of_a_config(home):
    (home / "c.toml").write_bytes(b"\xef\xbb\xbfseed = 1\r\n[loop]\r\nmax_epochs = 2\r\n")
    tree = load_file(home / "c.toml")
    assert tree.values == {"seed": 1, "loop": {"max_epochs": 2}}
    assert str(tree.origin("loop.max_epochs")).endswith("c.toml:3")
