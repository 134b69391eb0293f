from __future__ import annotations

import copy

import gatle
from gatle.config import load_object


def test_looking_at_a_config_does_not_change_it():
    config = gatle.Config(data=gatle.Data(name="digits"))
    assert (config.loop.max_epochs, config.schedule.warmup_steps) == (10, None)
    assert config.metrics == ["accuracy"]
    values = load_object(config, source="the config").values
    assert values == {
        "data": {"name": "digits"},
        "loop": {},
        "schedule": {},
        "metrics": ["accuracy"],
    }


def test_a_config_shows_what_was_written():
    config = gatle.Config(seed=1, loop=gatle.Loop(max_epochs=2))
    assert repr(config) == "gatle.Config(seed=1, loop=gatle.Loop(max_epochs=2))"


def test_a_copy_is_equal_and_can_be_changed_alone():
    config = gatle.Config(optimizer=gatle.Optimizer(params={"lr": 1}))
    other = copy.deepcopy(config)
    assert other == config
    other.optimizer.params["lr"] = 2
    assert config.optimizer.params == {"lr": 1}
    assert other != config


def test_a_section_that_replaces_another_has_its_own_line():
    config = gatle.Config(loop=gatle.Loop(max_epochs=1))
    config.loop = gatle.Loop(max_epochs=2)
    tree = load_object(config, source="the config")
    line = test_a_section_that_replaces_another_has_its_own_line.__code__.co_firstlineno + 2
    assert str(tree.origin("loop.max_epochs")) == f"{__file__}:{line}"
