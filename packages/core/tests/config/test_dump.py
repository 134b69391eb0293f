from __future__ import annotations

import tomllib

import pytest

import gatle
from gatle.config import dump, load_file, load_object, resolve

CONFIG = """\
import gatle
from models.mlp import Net


class Here(Net):
    pass


def get_config():
    return gatle.Config(
        data=gatle.Data(name="digits", batch_size=7),
        model=gatle.Model(name=%s, params={"hidden": 2, "act": "a\\"b\\n"}),
        metrics=["accuracy"],
        optimizer=gatle.Optimizer(params={"betas": (0.9, 0.95), "lr": 1e-5}),
        schedule=gatle.Schedule(name="cosine", warmup_epochs=1),
        plugin={"hello": {"size": 3, "api_key": "0123"}},
        project={"note": "x", "none": None, "empty": {}, "a.b": [1, {"c": 2.5}]},
    )
"""


@pytest.fixture
def stored(home, with_plugins):
    """A function that resolves a Python config and returns it and what is read back of it."""

    def run(model, name="conf.py"):
        (home / name).write_text(CONFIG % model)
        written = resolve(load_file(home / name), manager=with_plugins)
        (home / "stored.toml").write_text(dump.to_toml(written))
        return written, resolve(load_file(home / "stored.toml"), manager=with_plugins)

    return run


@pytest.mark.parametrize(
    ("model", "name"),
    [("'models.mlp:Net'", "models.mlp:Net"), ("Net", "models.mlp:Net"), ("Here", "conf:Here")],
)
def test_a_stored_config_reads_back_as_the_same(stored, model, name):
    written, read = stored(model)
    assert read.config.model.name == name
    own = {"mode": "json", "exclude": {"plugin", "project"}}
    assert read.config.model_dump(**own) == written.config.model_dump(**own)
    assert read.config.project == {"note": "x", "empty": {}, "a.b": [1, {"c": 2.5}]}
    assert read.plugin_sections["hello"].size == 3
    assert dump.to_tree(read) == dump.to_tree(written)


def test_a_config_file_whose_name_is_no_identifier_can_be_found_again(stored):
    _, read = stored("Here", name="my-conf.py")
    assert read.config.model.name == "my-conf:Here"


def test_what_is_not_set_is_left_out_and_defaults_are_in(stored):
    tree = tomllib.loads(dump.to_toml(stored("Net")[0]))
    assert tree["schedule"] == {"name": "cosine", "warmup_epochs": 1.0}
    assert tree["checkpoint"] == {"format": "torch", "every_epochs": 1}
    assert tree["loop"]["max_epochs"] == 10
    assert tree["plugins"] == {"load": [], "disable": []}


def test_an_empty_table_among_parameters_is_kept(manager, home):
    params = {"hidden": 1, "act": {}}
    config = gatle.Config(
        data=gatle.Data(name="digits"), model=gatle.Model(name="models.mlp:Net", params=params)
    )
    written = resolve(load_object(config, source="the config", folder=home), manager=manager)
    assert tomllib.loads(dump.to_toml(written))["model"]["params"] == params


def test_origins_of_stored_values(stored, home):
    places = dump.origins(stored("Net")[0])
    assert places["data.batch_size"] == f"{home}/conf.py:11"
    assert places["loop.max_epochs"] == "default"
    assert places["project.a.b"] == f"{home}/conf.py:10"


def test_secrets_are_not_stored(stored):
    text = dump.to_toml(stored("Net")[0])
    assert "0123" not in text
    assert 'api_key = "**********"' in text
