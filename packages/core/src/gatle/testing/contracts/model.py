"""What gatle expects of a model. N samples, C classes, K channels, S pixels a side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

import torch
from torch import Tensor, nn

from gatle.testing.contracts.base import RecordContract


class ModelContract(RecordContract):
    """The promises of a model.

    Attributes:
        facts: What a data set offers; the model takes those it asks for by name.
        samples: The number N of samples in `inputs`.
    """

    kind = "models"
    facts: ClassVar[Mapping[str, Any]] = {"num_classes": 7, "in_channels": 3, "image_size": 16}
    samples: ClassVar[int] = 4

    def model(self, *, seed: int = 0) -> nn.Module:
        """Return a new model as gatle builds it, after seeding torch."""
        with _seeded(seed):
            built: nn.Module = self.build(**self.offered(self.facts))
        return built

    def inputs(self) -> Tensor:
        """Return what the model is called with; by default `images[N, K, S, S]` from 0 to 1."""
        size = self.facts["image_size"]
        generator = torch.Generator().manual_seed(1)
        return torch.rand(self.samples, self.facts["in_channels"], size, size, generator=generator)

    def output_shape(self) -> tuple[int, ...]:
        """Return the shape of the outputs; by default `[N, C]`."""
        return self.samples, self.facts["num_classes"]

    def outputs(self, model: nn.Module) -> Tensor:
        """Return the tensor the tests look at; adapt it if the model returns more than one."""
        with _seeded(2):
            result: Tensor = model(self.inputs())
        return result

    def test_is_a_module(self) -> None:
        """The target returns a `torch.nn.Module` with parameters, built from the offered facts.

        If this fails, return a module, and take `num_classes`, `in_channels` and `image_size` by
        exactly these names.
        """
        model = self.model()
        assert isinstance(model, nn.Module), (
            f"{self.label} returned a {type(model).__name__}, expected a torch.nn.Module"
        )
        assert list(model.parameters()), f"{self.label} has no parameters to train"

    def test_outputs_have_the_right_shape(self) -> None:
        """Float images give finite outputs of `output_shape`, in training and in evaluation.

        If this fails, build the head for `num_classes` outputs, or adapt `inputs` and
        `output_shape` in the suite.
        """
        model = self.model()
        for mode in (True, False):
            outputs = self.outputs(model.train(mode))
            shape = tuple(outputs.shape)
            assert shape == self.output_shape(), (
                f"{self.label}: inputs {tuple(self.inputs().shape)} give outputs {shape}, "
                f"expected {self.output_shape()}"
            )
            assert torch.isfinite(outputs).all(), f"{self.label}: outputs are not finite"

    def test_gradient_reaches_every_parameter(self) -> None:
        """Every parameter that wants a gradient gets a finite one.

        If this fails, remove parameters that the forward pass does not use, and look for
        `.detach()`: several processes wait for the gradient of every parameter.
        """
        model = self.model().train()
        self.outputs(model).square().mean().backward()  # type: ignore[no-untyped-call]
        wanting = {name: p.grad for name, p in model.named_parameters() if p.requires_grad}
        without = [name for name, grad in wanting.items() if grad is None]
        assert not without, f"{self.label}: no gradient reaches {', '.join(without)}"
        wrong = [name for name, g in wanting.items() if g is not None and not g.isfinite().all()]
        assert not wrong, f"{self.label}: the gradient is not finite at {', '.join(wrong)}"

    def test_state_survives_a_checkpoint(self, tmp_path: Path) -> None:
        """The state of one model, saved and loaded into another, gives the very same outputs.

        If this fails, register every tensor that matters as a parameter or a buffer: a checkpoint
        is read with `weights_only=True`.
        """
        model, other = self.model(seed=0), self.model(seed=1)
        self.outputs(model.train())
        torch.save(model.state_dict(), tmp_path / "model.pt")
        other.load_state_dict(torch.load(tmp_path / "model.pt", weights_only=True))
        same = torch.equal(self.outputs(model.eval()), self.outputs(other.eval()))
        assert same, f"{self.label}: outputs differ after its state is loaded into another model"

    def test_seed_decides_the_weights(self) -> None:
        """Two models built after the same seed have the same bits.

        If this fails, draw initial weights from torch's global generator, or from one that is
        seeded by it.
        """
        first, second = self.model(seed=3).state_dict(), self.model(seed=3).state_dict()
        assert first.keys() == second.keys(), f"{self.label}: two models have different keys"
        wrong = [name for name, value in first.items() if not torch.equal(value, second[name])]
        assert not wrong, f"{self.label}: the same seed gives different {', '.join(wrong)}"

    def test_evaluation_is_deterministic(self) -> None:
        """In evaluation mode, calling the model twice gives the same bits and changes no state.

        If this fails, let dropout, noise and running averages depend on `self.training`.
        """
        model = self.model().eval()
        before = {name: value.clone() for name, value in model.state_dict().items()}
        with torch.no_grad(), _seeded(4):
            first, second = model(self.inputs()), model(self.inputs())
        assert torch.equal(first, second), f"{self.label}: two calls give different outputs"
        changed = [
            n for n, value in model.state_dict().items() if not torch.equal(value, before[n])
        ]
        assert not changed, f"{self.label}: evaluating it changed {', '.join(changed)}"

    def test_samples_do_not_mix_in_evaluation(self) -> None:
        """In evaluation mode, a sample's outputs do not depend on the rest of its batch.

        If this fails, look for statistics over the batch; the batch size would change the score.
        """
        model, inputs = self.model().eval(), self.inputs()
        with torch.no_grad():
            together, alone = model(inputs)[:1], model(inputs[:1])
        assert torch.allclose(together, alone, rtol=1e-4, atol=1e-5), (
            f"{self.label}: a sample's outputs differ by {(together - alone).abs().max().item()} "
            f"when it is alone in its batch"
        )

    def test_inputs_are_left_alone(self) -> None:
        """The inputs are the same after the call as before.

        If this fails, give the first layer's activation `inplace=False`.
        """
        model, inputs = self.model(), self.inputs()
        before = inputs.clone()
        model(inputs)
        assert torch.equal(inputs, before), f"{self.label} changed the inputs it was given"


@contextmanager
def _seeded(seed: int) -> Iterator[None]:
    """Seed torch, and put its generator back afterwards."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        yield
