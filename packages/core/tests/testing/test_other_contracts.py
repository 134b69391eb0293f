"""The suites for launchers, recipes, commands, checks, sections and tasks catch defects."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import click
import pytest
import torch
from pydantic import BaseModel, ConfigDict, field_serializer

import gatle
from gatle.plugin import Finding
from gatle.testing import (
    CheckContract,
    CommandContract,
    ConfigSectionContract,
    LauncherContract,
    RecipeContract,
    TaskContract,
)
from gatle.trainer import Classification

NUMBERS = itertools.count(1)


def twice(request):
    request.function()
    return request.function()


def swallowing(request):
    try:
        return request.function()
    except Exception:
        return None


def hiding(request):
    try:
        return request.function()
    except Exception:
        raise RuntimeError("a worker failed") from None


LAUNCHERS = [
    (LauncherContract, "test_returns_the_result", lambda request: None, "returned None", {}),
    (LauncherContract, "test_runs_the_function_once", twice, "called the function 2 times", {}),
    (LauncherContract, "test_failure_is_passed_on", swallowing, "although the function raised", {}),
    (LauncherContract, "test_failure_is_passed_on", hiding, "hides 'planted failure", {}),
]


def recipe(**sections):
    return {
        "data": {"name": "digits", "batch_size": 512},
        "model": {"name": "small-cnn", "params": {"width": 2}},
        **sections,
    }


class MarkedSlow(RecipeContract):
    def test_trains_as_if_marked(self, tmp_path):
        node = SimpleNamespace(get_closest_marker=lambda name: name)
        self.test_trains(SimpleNamespace(node=node), tmp_path)


RECIPES = [
    (
        RecipeContract,
        "test_resolves",
        lambda: recipe(optimizer={"name": "adamm"}),
        "no optimizer is called 'adamm'; did you mean 'adam'",
        {},
    ),
    (
        RecipeContract,
        "test_is_the_same_every_time",
        lambda: recipe(seed=next(NUMBERS)),
        "gave two configs",
        {},
    ),
    (
        MarkedSlow,
        "test_trains_as_if_marked",
        lambda: recipe(optimizer={"name": "sgd", "params": {"lr": 1e30}}),
        "the training loss is nan",
        {},
    ),
]


@click.command("other", help="Do another thing.")
def other():
    pass


@click.command("planted")
def helpless():
    pass


@click.command("planted", help="Do it.", add_help_option=False)
def without_help():
    pass


@click.group("planted", help="Do several things.")
def group():
    pass


@group.command(help="Do one thing.")
@click.option("-p", "--port", default=1)
def child(port):
    pass


COMMANDS = [
    (CommandContract, "test_is_a_click_command", print, "expected a click.Command", {}),
    (CommandContract, "test_is_a_click_command", other, "is called 'planted', the command 'o", {}),
    (CommandContract, "test_help_is_shown", without_help, "--help exited with 2", {}),
    (CommandContract, "test_help_is_shown", helpless, "has no help text", {}),
    (CommandContract, "test_leaves_reserved_options_alone", group, "in planted child", {}),
]


def finding(status: Any = "ok", detail="fine", **rest):
    return lambda: Finding(status=status, detail=detail, **rest)


CHECKS = [
    (CheckContract, "test_returns_a_finding", lambda: "fine", "returned a str", {}),
    (CheckContract, "test_returns_a_finding", lambda: 1 / 0, "raised ZeroDivisionError", {}),
    (CheckContract, "test_returns_a_finding", finding("bad"), "status 'bad' is none of", {}),
    (CheckContract, "test_is_quick", finding(), "more than limit_s = 0", {"limit_s": 0.0}),
    (CheckContract, "test_texts_are_single_lines", finding(detail=" "), "detail is empty", {}),
    (CheckContract, "test_texts_are_single_lines", finding(detail="a\nb"), "more than one", {}),
    (CheckContract, "test_texts_are_single_lines", finding(remedy="a\nb"), "remedy has more", {}),
    (CheckContract, "test_trouble_has_a_remedy", finding("error"), "has no remedy", {}),
    (CheckContract, "test_data_is_json", finding(data={"at": Path("/x")}), "is not JSON", {}),
    (CheckContract, "test_data_is_json", finding(data={"x": float("nan")}), "is not JSON", {}),
    (CheckContract, "test_data_is_json", finding(data={1: "x"}), "after JSON", {}),
]


class Lax(BaseModel):
    size: int = 1


class Required(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
    size: int


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)
    sizes: Sequence[int] = ()


class Unstorable(Strict):
    @field_serializer("sizes")
    def _shorten(self, sizes):
        return sizes[:1]


SECTIONS = [
    (ConfigSectionContract, "test_is_a_model_of_pydantic", Lax(), "expected a class", {}),
    (ConfigSectionContract, "test_is_a_model_of_pydantic", dict, "subclass of BaseModel", {}),
    (ConfigSectionContract, "test_unknown_keys_are_errors", Lax, "ignores unknown keys", {}),
    (ConfigSectionContract, "test_has_defaults", Required, "without a default", {}),
    (ConfigSectionContract, "test_cannot_be_changed", Lax, "'size' can be assigned to", {}),
    (
        ConfigSectionContract,
        "test_survives_being_stored",
        Unstorable,
        r"stored and read again it is Unstorable\(sizes=\[1\]\)",
        {"values": {"sizes": [1, 2]}},
    ),
]


class Untold(gatle.Trainer):
    pass


class Pairs(gatle.Trainer):
    def prep_batch(self, batch, *, split):
        return batch


class Miscounting(Classification):
    def prep_batch(self, batch, *, split):
        return gatle.Batch(inputs=batch[0], targets=batch[1], size=1)


class OneEach(Classification):
    def compute_loss(self, outputs, batch):
        return outputs.mean(1)


class Detached(Classification):
    def compute_loss(self, outputs, batch):
        return super().compute_loss(outputs, batch).detach()


class AlwaysAugmenting(Classification):
    def prep_batch(self, batch, *, split):
        return gatle.Batch(inputs=batch[0] + torch.rand_like(batch[0]), targets=batch[1])


TASKS = [
    (TaskContract, "test_is_a_trainer", print, "not a class", {}),
    (TaskContract, "test_is_a_trainer", dict, "no subclass of gatle.Trainer", {}),
    (TaskContract, "test_says_what_a_batch_is", Untold, "does not define prep_batch", {}),
    (TaskContract, "test_batches_count_their_samples", Pairs, "returned a tuple for train", {}),
    (TaskContract, "test_batches_count_their_samples", Miscounting, "of 4 samples has size 1", {}),
    (TaskContract, "test_batch_can_be_learnt_from", OneEach, r"the shape \(4,\), expected", {}),
    (TaskContract, "test_batch_can_be_learnt_from", Detached, "has no gradient", {}),
    (
        TaskContract,
        "test_evaluation_batches_are_deterministic",
        AlwaysAugmenting,
        "valid batches differ",
        {},
    ),
]


@pytest.mark.parametrize(
    ("suite", "test", "target", "says", "adapted"),
    LAUNCHERS + RECIPES + COMMANDS + CHECKS + SECTIONS + TASKS,
)
def test_defect_is_caught(caught, suite, test, target, says, adapted):
    caught(suite, test, target, says, **adapted)


@pytest.mark.parametrize("table", [LAUNCHERS, COMMANDS, CHECKS, SECTIONS, TASKS])
def test_every_test_can_fail(complete, table):
    complete(table[0][0], [row[1:] for row in table])


def test_a_recipe_is_trained_only_where_marked_slow(plant, request, tmp_path):
    with pytest.raises(pytest.skip.Exception, match=r"pytest\.mark\.slow"):
        plant(RecipeContract, recipe).test_trains(request, tmp_path)


class TestGoodCommand(CommandContract):
    """A group without defects passes, and is invoked with its context."""

    name = "planted"
    module = "planted_plugin"

    @pytest.fixture(autouse=True)
    def _planted(self, plant):
        @click.command("planted", help="Say where runs are.")
        @click.pass_obj
        def command(context):
            click.echo(context.runs)

        plant(CommandContract, command)

    def test_context_arrives(self, tmp_path):
        assert self.invoke(context=self.context(tmp_path)).output == f"{tmp_path}\n"


class TestGoodSection(ConfigSectionContract):
    """A section without defects passes."""

    name = "planted"
    module = "planted_plugin"
    values: ClassVar = {"sizes": [1, 2]}

    @pytest.fixture(autouse=True)
    def _planted(self, plant):
        plant(ConfigSectionContract, Strict)
