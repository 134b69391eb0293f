"""What all suites share."""

from __future__ import annotations

import inspect

import pytest

import gatle.testing
from gatle.hookspecs import PROVIDERS
from gatle.testing import Contract, LossContract, RecordContract

SUITES = [
    value
    for name in gatle.testing.__all__
    if inspect.isclass(value := getattr(gatle.testing, name)) and issubclass(value, Contract)
]


class Hidden:
    def test_is_deterministic(self):
        pass


@pytest.mark.parametrize(
    ("bases", "body"),
    [
        pytest.param((LossContract,), {"test_is_deterministic": lambda self: None}, id="plain"),
        pytest.param((LossContract,), {"test_is_deterministic": None}, id="removed"),
        pytest.param((Hidden, LossContract), {}, id="by-a-mixin"),
        pytest.param(
            (LossContract,),
            {"test_is_deterministic": pytest.mark.skip(reason="no")(lambda self: None)},
            id="skipped",
        ),
        pytest.param(
            (LossContract,),
            {"test_is_deterministic": pytest.mark.xfail(lambda self: None)},
            id="xfail-without-reason",
        ),
        pytest.param(
            (LossContract,), {"test_target_can_be_called": lambda self: None}, id="of-the-base"
        ),
    ],
)
def test_overriding_a_contract_test_is_refused(bases, body):
    with pytest.raises(TypeError, match=r"TestMine overrides the contract test 'test_\w+'.*xfail"):
        type("TestMine", bases, body)


def test_overriding_with_a_reason_is_allowed_and_inherited():
    class Excused(LossContract):
        @pytest.mark.xfail(reason="it samples negatives")
        def test_is_deterministic(self):
            super().test_is_deterministic()

    assert issubclass(type("Child", (Excused,), {}), Excused)


def test_helpers_may_be_adapted_and_tests_added():
    body = {"inputs": lambda self: None, "test_of_my_own": lambda self: None}
    mine = type("Mine", (LossContract,), body)
    assert type("Child", (mine,), {"test_of_my_own": lambda self: None}).name == ""


def test_every_kind_of_record_has_one_suite():
    kinds = [suite.kind for suite in SUITES if issubclass(suite, RecordContract) and suite.kind]
    assert sorted(kinds) == sorted(PROVIDERS)


@pytest.mark.parametrize("suite", SUITES)
def test_every_contract_test_says_what_to_do(suite):
    for name, test in inspect.getmembers(suite, inspect.isfunction):
        if name.startswith("test_"):
            assert "\nIf this fails, " in inspect.getdoc(test), f"{suite.__name__}.{name}"


def test_a_suite_without_module_says_so():
    suite = type("TestMine", (LossContract,), {"name": "hinge"})()
    with pytest.raises(
        pytest.fail.Exception, match=r"TestMine: set module = 'your_package.plugin'"
    ):
        suite.test_target_can_be_called()


def test_a_wrong_name_lists_what_is_offered():
    suite = type("TestMine", (LossContract,), {"name": "hinge", "module": "gatle.builtins"})()
    with pytest.raises(
        pytest.fail.Exception,
        match=r"gatle.builtins offers no 'hinge' in gatle_losses: it offers \['cross-entropy'\]",
    ):
        suite.test_target_can_be_called()


@pytest.mark.parametrize(
    ("test", "target", "says", "adapted"),
    [
        ("test_target_can_be_called", 3, "'planted' of planted_plugin is a int", {}),
        (
            "test_params_fit_the_signature",
            "gatle.losses:cross_entropy",
            "takes no parameter 'smoothing'.*it takes label_smoothing",
            {"params": {"smoothing": 0.1}},
        ),
        (
            "test_params_fit_the_signature",
            lambda logits, targets, *, alpha: logits.mean(),
            "needs the parameter 'alpha'",
            {},
        ),
    ],
)
def test_shared_tests_catch_defects(caught, test, target, says, adapted):
    caught(LossContract, test, target, says, **adapted)
