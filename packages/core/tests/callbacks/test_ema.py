from __future__ import annotations

from types import SimpleNamespace

import pytest
import torch
from torch import nn

from gatle import Config, Data, Loop, Model, Optimizer, evaluate, train
from gatle.callbacks.ema import EMA
from gatle.errors import ConfigError


def network() -> nn.Module:
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(4, 3), nn.BatchNorm1d(3), nn.Linear(3, 2))


def attached(model: nn.Module, **params) -> EMA:
    callback = EMA(**params)
    callback.attach(SimpleNamespace(model=model, optimizer=None))
    return callback


def steps(model: nn.Module, callback: EMA, count: int):
    """Train a little, and yield the weights after each step."""
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, fused=True)
    generator = torch.Generator().manual_seed(0)
    for _ in range(count):
        model(torch.randn(8, 4, generator=generator)).square().mean().backward()
        optimizer.step()
        optimizer.zero_grad()
        callback.on_step_end(None)
        yield {name: value.clone() for name, value in model.state_dict().items()}


def test_the_average_is_the_one_of_a_plain_loop_buffers_included():
    model = network()
    callback = attached(model, decay=0.8, warmup=False)
    expected = {name: value.clone() for name, value in model.state_dict().items()}
    for weights in steps(model, callback, 5):
        for name, value in weights.items():
            if value.is_floating_point():
                expected[name] = torch.lerp(expected[name], value, 1 - 0.8)
            else:
                expected[name] = value
    live = {name: value.clone() for name, value in model.state_dict().items()}
    with callback.evaluating():
        for name, value in model.state_dict().items():
            if value.is_floating_point():
                assert torch.equal(value, expected[name]), name
    for name, value in model.state_dict().items():
        assert torch.equal(value, live[name]), name


def test_torchs_own_average_is_equal_to_rounding():
    model = network()
    callback = attached(model, decay=0.9, warmup=False)
    theirs = torch.optim.swa_utils.AveragedModel(
        model,
        multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.9),
        use_buffers=False,
    )
    theirs.update_parameters(model)  # the first update copies
    for _ in steps(model, callback, 4):
        theirs.update_parameters(model)
    with callback.evaluating():
        for mine, other in zip(model.parameters(), theirs.parameters(), strict=True):
            torch.testing.assert_close(mine, other, rtol=1e-6, atol=1e-7)


def test_the_decay_starts_low():
    model = nn.Linear(1, 1, bias=False)
    callback = attached(model, decay=0.999)
    with torch.no_grad():
        start = model.weight.clone()
        model.weight.add_(1.0)
    callback.on_step_end(None)
    with callback.evaluating():
        assert model.weight.item() == pytest.approx(start.item() + 9 / 11, abs=1e-6)


def test_training_is_the_same_with_and_without_it_and_the_checkpoint_holds_both(tmp_path):
    def run(name, callbacks):
        config = Config(
            data=Data(name="digits", batch_size=64),
            model=Model(name="small-cnn", params={"width": 4}),
            optimizer=Optimizer(name="adamw", params={"lr": 5e-3}),
            loop=Loop(max_epochs=2),
            callbacks=callbacks,
        )
        return train(config, runs=tmp_path, name=name)

    plain = run("plain", [])
    averaged = run("averaged", [{"name": "ema", "params": {"decay": 0.9}}])
    weights = [torch.load(r.checkpoint / "model.pt", weights_only=True) for r in (plain, averaged)]
    assert all(torch.equal(weights[0][name], weights[1][name]) for name in weights[0])
    assert averaged.metrics["train/loss"] == plain.metrics["train/loss"]
    assert averaged.metrics["valid/loss"] != plain.metrics["valid/loss"]
    again = evaluate(averaged.folder, checkpoint="latest", split="valid")
    assert again.metrics["loss"] == averaged.metrics["valid/loss"]
    assert again.metrics["accuracy"] == averaged.metrics["valid/accuracy"]


def test_tied_weights_are_averaged_once():
    model = nn.ModuleDict({"a": nn.Linear(2, 2, bias=False), "b": nn.Linear(2, 2, bias=False)})
    model["b"].weight = model["a"].weight
    callback = attached(model, decay=0.5, warmup=False)
    assert len(callback.state_dict()["average"]) == 1


@pytest.mark.parametrize("decay", [0.0, 1.0, 1.5])
def test_a_decay_outside_its_range_is_refused(decay):
    with pytest.raises(ConfigError, match="ema needs a decay between 0 and 1, got"):
        EMA(decay=decay)
