"""What gatle expects of a metric. N samples, C classes."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import pytest
import torch
from torch import Tensor

from gatle.testing.contracts.base import RecordContract
from gatle.trainer.trainer import Batch

_PROTOCOL = ("reset", "update", "state", "load_state", "compute")


class MetricContract(RecordContract):
    """The promises of a metric.

    Attributes:
        num_classes: The number C of classes in `inputs`.
        samples: The number N of samples in `inputs`.
    """

    kind = "metrics"
    num_classes: ClassVar[int] = 5
    samples: ClassVar[int] = 12

    def metric(self) -> Any:
        """Return a new metric, as gatle builds it."""
        return self.build(**self.offered({"num_classes": self.num_classes}))

    def inputs(self) -> tuple[Tensor, Tensor]:
        """Return outputs of a model and targets; by default `logits[N, C]` and classes `[N]`."""
        generator = torch.Generator().manual_seed(0)
        outputs = torch.randn(self.samples, self.num_classes, generator=generator)
        targets = torch.randint(self.num_classes, (self.samples,), generator=generator)
        return outputs, targets

    def test_has_the_methods_of_a_metric(self) -> None:
        """The object has `reset`, `update`, `state`, `load_state` and `compute`.

        If this fails, add the missing methods; `gatle.metrics.Metric` says what they do.
        """
        metric = self.metric()
        missing = [name for name in _PROTOCOL if not callable(getattr(metric, name, None))]
        assert not missing, f"{self.label} lacks {', '.join(missing)}"

    def test_direction_is_stated_once(self) -> None:
        """The record says which direction is better, and the class does not contradict it.

        If this fails, give the record `higher_is_better=True` or `False`, and the class the same.
        """
        stated = getattr(self.record, "higher_is_better", None)
        assert isinstance(stated, bool), f"{self.label}: higher_is_better is {stated!r}, not a bool"
        own = getattr(self.metric(), "higher_is_better", stated)
        assert own is stated, (
            f"{self.label}: higher_is_better is {stated} in the record and {own} in the class"
        )

    def test_results_are_finite_numbers_by_name(self) -> None:
        """`compute` returns finite floats by name.

        If this fails, return `{"name": float(value)}`: tensors, counts and None are not numbers
        that a record of a run can hold.
        """
        result = self._after(self.inputs())
        assert isinstance(result, dict), f"{self.label}: compute returned {result!r}, not a dict"
        assert result, f"{self.label}: compute returned no numbers"
        wrong = {
            name: value
            for name, value in result.items()
            if not (isinstance(name, str) and isinstance(value, float) and math.isfinite(value))
        }
        assert not wrong, f"{self.label}: compute returned {wrong}, expected finite floats"

    def test_nothing_counted_is_not_a_number(self) -> None:
        """Before the first update, `compute` returns NaN for every name instead of raising.

        If this fails, return NaN when there is nothing to divide by; a zero would pass for a
        measurement.
        """
        try:
            result = self.metric().compute()
        except Exception as error:  # noqa: BLE001  whatever it raises, it should not
            pytest.fail(f"{self.label}: compute raised {error!r} when nothing was counted")
        wrong = {name: value for name, value in result.items() if not math.isnan(value)}
        assert not wrong, f"{self.label}: nothing was counted, yet compute returned {wrong}"

    def test_reset_forgets_everything(self) -> None:
        """After `reset`, a metric counts as a new one does.

        If this fails, set every attribute that `update` touches back in `reset`.
        """
        outputs, targets = self.inputs()
        metric = self.metric()
        _update(metric, outputs.flip(0), targets)
        metric.reset()
        _update(metric, outputs, targets)
        self._assert_alike(metric.compute(), self._after((outputs, targets)), "after a reset")

    def test_batches_may_be_cut_anywhere(self) -> None:
        """Unequal batches give what one batch of all samples gives.

        If this fails, keep sums and counts, never a mean of batch means.
        """
        parts = self._parts()
        self._assert_alike(self._after(*parts), self._after(self.inputs()), "cut into batches")

    def test_order_of_batches_does_not_matter(self) -> None:
        """The batches may come in any order.

        If this fails, remove what weighs early batches differently from late ones.
        """
        parts = self._parts()
        self._assert_alike(self._after(*reversed(parts)), self._after(*parts), "in reverse")

    def test_states_add_up(self) -> None:
        """States of parts, added up and loaded, give what the whole gives: several processes do so.

        If this fails, let `state` return tensors that are sums over samples, and let `load_state`
        take all of them.
        """
        states = [self._state(part) for part in self._parts()]
        total = {key: sum((s[key] for s in states[1:]), states[0][key]) for key in states[0]}
        merged = self.metric()
        merged.load_state(total)
        self._assert_alike(merged.compute(), self._after(self.inputs()), "added up from states")

    def test_state_of_nothing_adds_nothing(self) -> None:
        """The state of a metric that has counted nothing adds nothing: a process may have no batch.

        If this fails, return zeros of the right shape from `state` before the first update.
        """
        empty, state = self._state(), self._state(self.inputs())
        assert set(empty) == set(state), (
            f"{self.label}: the state has the keys {sorted(empty)} before the first update and "
            f"{sorted(state)} after it"
        )
        merged = self.metric()
        merged.load_state({key: value + empty[key] for key, value in state.items()})
        self._assert_alike(merged.compute(), self._after(self.inputs()), "with an empty state")

    def test_bfloat16_outputs_are_accepted(self) -> None:
        """Outputs in bfloat16, as mixed precision gives them, are counted.

        If this fails, convert the outputs to float32 in `update`.
        """
        outputs, targets = self.inputs()
        try:
            result = self._after((outputs.bfloat16(), targets))
        except (RuntimeError, TypeError) as error:
            pytest.fail(f"{self.label}: bfloat16 outputs raise {error!r}")
        wrong = {name: value for name, value in result.items() if not math.isfinite(value)}
        assert not wrong, f"{self.label}: bfloat16 outputs give {wrong}"

    def test_inputs_are_left_alone(self) -> None:
        """Outputs and targets are the same after `update` as before.

        If this fails, replace operations in place: other metrics read the same tensors.
        """
        outputs, targets = self.inputs()
        before = outputs.clone(), targets.clone()
        _update(self.metric(), outputs, targets)
        assert torch.equal(outputs, before[0]), f"{self.label} changed the outputs it was given"
        assert torch.equal(targets, before[1]), f"{self.label} changed the targets it was given"

    def _parts(self) -> list[tuple[Tensor, Tensor]]:
        outputs, targets = self.inputs()
        sizes = [1, len(outputs) // 3, len(outputs) - len(outputs) // 3 - 1]
        return list(zip(torch.split(outputs, sizes), torch.split(targets, sizes), strict=True))

    def _after(self, *batches: tuple[Tensor, Tensor]) -> Any:
        metric = self.metric()
        for outputs, targets in batches:
            _update(metric, outputs, targets)
        return metric.compute()

    def _state(self, *batches: tuple[Tensor, Tensor]) -> dict[str, Tensor]:
        metric = self.metric()
        for outputs, targets in batches:
            _update(metric, outputs, targets)
        state: dict[str, Tensor] = metric.state()
        wrong = {k: type(v).__name__ for k, v in state.items() if not isinstance(v, Tensor)}
        assert not wrong, f"{self.label}: state returned {wrong}, expected tensors"
        return state

    def _assert_alike(self, result: Any, expected: Any, how: str) -> None:
        assert result == pytest.approx(expected, rel=1e-6, abs=1e-9), (
            f"{self.label}: the same samples {how} give {result}, expected {expected}"
        )


def _update(metric: Any, outputs: Tensor, targets: Tensor) -> None:
    metric.update(outputs, Batch(inputs=outputs, targets=targets))
