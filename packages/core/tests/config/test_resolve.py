from __future__ import annotations

import pytest

import gatle
from gatle.config import load_object, resolve
from gatle.data.digits import digits
from gatle.errors import ConfigError, PluginError

RIGHT = "data.name = 'digits'\nmodel.name = 'small-cnn'\n"


def test_every_value_has_an_origin(resolved, home):
    text = f"{RIGHT}[loop]\nmax_epochs = 3\n"
    config = resolved(text, "optimizer.params.lr=1e-3")
    assert config.config.loop.max_epochs == 3
    places = ("loop.max_epochs", "loop.accumulate", "optimizer.params.lr", "model.name")
    assert [str(config.origin(path)) for path in places] == [
        "c.toml:4",
        "default",
        "-o optimizer.params.lr",
        "c.toml:2",
    ]


def test_names_stand_for_what_they_name(resolved):
    config = resolved(
        f"{RIGHT}metrics = ['accuracy']\n", "model.name=models.mlp:Net", "model.params.hidden=2"
    )
    model, metric = config.components["model"], config.metrics[0]
    assert (model.target.__name__, model.plugin) == ("Net", "")
    assert (metric.name, metric.plugin, metric.record.higher_is_better) == (
        "accuracy",
        "core",
        True,
    )


def test_a_bare_module_means_the_attribute_of_its_kind(resolved, home, write):
    write(
        home,
        {"nets.py": "class Model:\n    pass\n", "packed/__init__.py": "class Model:\n    pass\n"},
    )
    for name in ("nets", "packed"):
        target = (
            resolved(f"data.name = 'digits'\nmodel.name = '{name}'\n").components["model"].target
        )
        assert (target.__module__, target.__name__) == (name, "Model")


def test_a_plugin_beside_the_config_is_loaded_and_its_names_are_known(resolved, home, write):
    write(
        home,
        {
            "my_plugin.py": "from gatle.plugin import Loss, hookimpl\n\n"
            "@hookimpl\ndef gatle_losses():\n"
            "    yield Loss(name='zero', target=lambda a, b: 0, summary='Nothing.')\n"
        },
    )
    config = resolved(f"{RIGHT}loss.name = 'zero'\nplugins.load = ['my_plugin']\n")
    assert config.components["loss"].plugin == "my_plugin"


def test_a_plugin_that_was_asked_for_and_is_not_there_is_an_error_with_its_place(resolved):
    with pytest.raises(PluginError) as caught:
        resolved(f"{RIGHT}plugins.load = ['no_such_plugin']\n")
    assert "No module named 'no_such_plugin'" in str(caught.value)
    assert str(caught.value).endswith("Asked for by c.toml:3.")


def test_a_disabled_plugin_offers_nothing_and_says_who_disabled_it(resolved, with_plugins):
    text = f"{RIGHT}plugins.disable = ['hello']\n[plugin.hello]\n"
    with pytest.raises(
        ConfigError, match=r"c.toml:4: plugin.hello: no plugin has a section 'hello'"
    ):
        resolved(text, manager=with_plugins)
    assert {p.name: p.disabled_by for p in with_plugins.plugins}["hello"] == "c.toml:3"


def test_sections_of_plugins_are_typed_and_have_defaults(resolved, with_plugins):
    sections = resolved(f"{RIGHT}[plugin.hello]\nsize = 4\n", manager=with_plugins).plugin_sections
    assert (sections["hello"].size, sections["hello"].mode) == (4, "on")
    assert "needs" not in sections


def test_a_strict_section_takes_a_list_for_a_tuple(resolved, with_plugins):
    text = f"{RIGHT}[plugin.hello]\npair = [1, 2]\n"
    assert resolved(text, manager=with_plugins).plugin_sections["hello"].pair == (1, 2)


def test_a_live_function_is_stored_by_the_name_it_can_be_found_by(manager):
    config = gatle.Config(data=gatle.Data(name=digits), model=gatle.Model(name="small-cnn"))
    read = resolve(load_object(config, source="the config"), manager=manager)
    assert read.config.data.name == "gatle.data.digits:digits"
