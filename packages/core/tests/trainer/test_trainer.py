from __future__ import annotations

from collections import namedtuple

import pytest
import torch

from gatle.errors import ConfigError
from gatle.trainer import Batch, Classification, Trainer

Pair = namedtuple("Pair", ["x", "y"])


@pytest.fixture
def trainer():
    def model(*args, **kwargs):
        return args, kwargs

    return Classification(model=model, loss_function=None, device=torch.device("cpu"))


@pytest.mark.parametrize(
    ("inputs", "size"),
    [
        (torch.zeros(3, 2), 3),
        ((torch.zeros(4), torch.zeros(9)), 4),
        ({"ids": [torch.zeros(5)]}, 5),
        (torch.tensor(1.0), 1),
        ("text", 1),
    ],
)
def test_a_batch_counts_its_samples_by_the_first_tensor(inputs, size):
    assert Batch(inputs=inputs).size == size
    assert Batch(inputs=inputs, size=7).size == 7


def test_inputs_reach_the_model_as_their_form_says(trainer):
    one, two = torch.zeros(1), torch.ones(1)
    assert trainer.forward(Batch(inputs=one)) == ((one,), {})
    assert trainer.forward(Batch(inputs=(one, two))) == ((one, two), {})
    assert trainer.forward(Batch(inputs={"a": one})) == ((), {"a": one})


def test_tensors_are_moved_at_any_depth_and_containers_keep_their_form(trainer):
    trainer.device = torch.device("meta")
    value = {"a": [torch.zeros(1), "text"], "b": Pair(torch.zeros(1), (torch.zeros(1),))}
    moved = trainer.to_device(value)
    assert moved["a"][1] == "text"
    assert isinstance(moved["b"], Pair)
    found = (moved["a"][0], moved["b"].x, moved["b"].y[0])
    assert {tensor.device.type for tensor in found} == {"meta"}


@pytest.mark.parametrize(
    ("batch", "form"), [(torch.zeros(2), "a Tensor"), ((1, 2, 3), "a tuple of 3")]
)
def test_a_batch_of_another_form_is_named(trainer, batch, form):
    with pytest.raises(ConfigError) as caught:
        trainer.prep_batch(batch, split="train")
    assert str(caught.value) == (
        f"the task 'classification' expects batches (inputs, targets), got {form}. "
        "Fix: return pairs, or write a task with its own prep_batch."
    )


def test_a_task_must_say_what_a_batch_is():
    class Mine(Trainer):
        pass

    mine = Mine(model=None, loss_function=None, device=torch.device("cpu"))
    with pytest.raises(
        NotImplementedError, match=r"Mine must define prep_batch\(batch, \*, split\)"
    ):
        mine.prep_batch(None, split="train")
