"""What gatle expects of an optimizer."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from gatle.testing.contracts.base import RecordContract

_STEPS = 50


class OptimizerContract(RecordContract):
    """The promises of an optimizer. Set `params` if its target has no default learning rate."""

    kind = "optimizers"

    def parameter(self) -> nn.Parameter:
        """Return the parameter `[2, 3]` that the tests move; the quadratic's minimum is at 0."""
        return nn.Parameter(torch.tensor([[2.0, -1.5, 1.0], [-0.5, 0.75, 3.0]]))

    def optimizer(self, param_groups: Iterable[Any]) -> torch.optim.Optimizer:
        """Return the optimizer of some parameters or groups, as gatle builds it."""
        built: torch.optim.Optimizer = self.build(list(param_groups))
        return built

    def test_is_an_optimizer_of_torch(self) -> None:
        """The target returns a `torch.optim.Optimizer` whose groups have a positive `lr`.

        If this fails, derive it from `torch.optim.Optimizer` and keep the rate under `lr`, where
        schedules find it.
        """
        built = self.optimizer([self.parameter()])
        assert isinstance(built, torch.optim.Optimizer), (
            f"{self.label} returned a {type(built).__name__}, expected a torch.optim.Optimizer"
        )
        rates = [group.get("lr") for group in built.param_groups]
        assert all(rate is not None and rate > 0 for rate in rates), (
            f"{self.label}: the groups have lr = {rates}, expected positive numbers"
        )

    def test_decreases_a_quadratic(self) -> None:
        """Fifty steps bring the square of a few numbers down.

        If this fails, check the sign of the update, or set `params` to a rate that suits numbers
        of about 1.
        """
        parameter = self.parameter()
        before = _quadratic(parameter).item()
        _descend(self.optimizer([parameter]), parameter, _STEPS)
        after = _quadratic(parameter).item()
        assert after < before, f"{self.label}: the square went from {before} to {after}"

    def test_moves_only_what_it_was_given(self) -> None:
        """A parameter that was not given stays as it is, even with a gradient.

        If this fails, step through `self.param_groups` alone.
        """
        given, other = self.parameter(), self.parameter()
        other.grad = torch.ones_like(other)
        _descend(self.optimizer([given]), given, 2)
        assert not torch.equal(given, self.parameter()), f"{self.label} moved nothing"
        assert torch.equal(other, self.parameter()), f"{self.label} moved what it was not given"

    def test_leaves_parameters_without_gradient(self) -> None:
        """A parameter whose gradient is None stays as it is.

        If this fails, skip it in `step`: frozen layers have no gradient.
        """
        moved, frozen = self.parameter(), self.parameter()
        _descend(self.optimizer([moved, frozen]), moved, 2)
        assert torch.equal(frozen, self.parameter()), (
            f"{self.label} moved a parameter without a gradient"
        )

    def test_groups_keep_their_own_rate(self) -> None:
        """A parameter group may bring its own learning rate.

        If this fails, pass the groups on to `torch.optim.Optimizer` as they are.
        """
        built = self.optimizer([{"params": [self.parameter()], "lr": 0.0123}])
        rate = built.param_groups[0]["lr"]
        assert rate == 0.0123, f"{self.label}: a group with lr = 0.0123 got lr = {rate}"

    def test_rate_of_zero_moves_nothing(self) -> None:
        """With `lr` set to 0 a step moves nothing: schedules act by setting `lr` before each step.

        If this fails, read `group["lr"]` in `step` and scale the whole update by it.
        """
        parameter = self.parameter()
        built = self.optimizer([parameter])
        for group in built.param_groups:
            group["lr"] = 0.0
        _descend(built, parameter, 3)
        assert torch.equal(parameter, self.parameter()), f"{self.label} moved with lr = 0"

    def test_state_survives_a_checkpoint(self, tmp_path: Path) -> None:
        """With its state saved and loaded, an optimizer goes on with the very same bits.

        If this fails, keep all state in `self.state` and `self.param_groups`, as tensors and plain
        values: a checkpoint is read with `weights_only=True`.
        """
        parameter = self.parameter()
        built = self.optimizer([parameter])
        _descend(built, parameter, 3)
        torch.save(built.state_dict(), tmp_path / "state.pt")
        resumed = nn.Parameter(parameter.detach().clone())
        again = self.optimizer([resumed])
        again.load_state_dict(torch.load(tmp_path / "state.pt", weights_only=True))
        _descend(built, parameter, 3)
        _descend(again, resumed, 3)
        difference = (parameter - resumed).abs().max().item()
        assert torch.equal(parameter, resumed), (
            f"{self.label}: three steps after loading its state it differs by {difference}"
        )

    def test_is_deterministic(self) -> None:
        """Two optimizers of equal parameters take steps of equal bits.

        If this fails, draw no random numbers, or draw them from a generator that is part of the
        state.
        """
        first, second = self.parameter(), self.parameter()
        _descend(self.optimizer([first]), first, 5)
        _descend(self.optimizer([second]), second, 5)
        assert torch.equal(first, second), f"{self.label} took different steps the second time"


def _quadratic(parameter: Tensor) -> Tensor:
    return parameter.square().sum() / 2


def _descend(optimizer: torch.optim.Optimizer, parameter: Tensor, steps: int) -> None:
    for _ in range(steps):
        _quadratic(parameter).backward()  # type: ignore[no-untyped-call]  # untyped in torch
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
