from __future__ import annotations

import functools

import pytest

from gatle.config.components import KINDS, Component, name_of, signature_problems
from gatle.errors import ConfigError


def test_data_facts_are_offered_only_to_who_asks_and_did_not_set_them():
    def model(*, num_classes, image_size=1): ...

    component = Component(path="model", name="m", target=model, params={"image_size": 3})
    facts = {"num_classes": 10, "image_size": 8, "in_channels": 1}
    assert component.offers(facts) == {"num_classes": 10}
    assert signature_problems(component, KINDS["model"]) == []


def test_a_class_of_loss_takes_its_parameters_when_it_is_built():
    class Focal:
        def __init__(self, gamma): ...

    def focal(logits, targets, *, gamma): ...

    for target in (Focal, focal):
        component = Component(path="loss", name="focal", target=target, params={"gamma": 2})
        assert signature_problems(component, KINDS["loss"]) == []


@pytest.mark.parametrize(
    ("name", "short"),
    [("accuracy", "accuracy"), ("acme/accuracy", "accuracy"), ("my.metrics:Top.five", "five")],
)
def test_the_short_name_is_the_last_part(name, short):
    assert Component(path="metrics.0", name=name, target=print).short_name == short


def test_a_target_that_takes_anything_is_given_anything():
    def anything(parameters, **rest): ...

    component = Component(path="optimizer", name="x", target=anything, params={"any": 1})
    assert signature_problems(component, KINDS["optimizer"]) == []


def test_what_gatle_passes_itself_is_no_parameter():
    def optimizer(parameters, lr): ...

    params = {"parameters": 1}
    component = Component(path="optimizer", name="x", target=optimizer, params=params)
    assert signature_problems(component, KINDS["optimizer"]) == [
        "'x' takes no parameter 'parameters' (it takes lr)",
        "'x' needs the parameter 'lr'",
    ]


@pytest.mark.parametrize("target", [lambda: 1, functools.partial(print, "x")])
def test_an_object_that_cannot_be_found_again_is_refused(target):
    with pytest.raises(ConfigError, match="cannot be found again by name"):
        name_of(target)
