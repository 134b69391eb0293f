"""What gatle expects of a learning-rate schedule."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from typing import ClassVar

from gatle.optim import Factor, Span
from gatle.testing.contracts.base import RecordContract


class ScheduleContract(RecordContract):
    """The promises of a schedule: a function from optimizer step to learning-rate factor.

    Attributes:
        spans: The lengths it is tried over.
    """

    kind = "schedules"
    spans: ClassVar[Sequence[Span]] = (
        Span(total_steps=60, steps_per_epoch=10),
        Span(total_steps=60, steps_per_epoch=10, warmup_steps=0),
        Span(total_steps=60, steps_per_epoch=10, warmup_steps=15),
        Span(total_steps=1, steps_per_epoch=1),
    )

    def factor(self, span: Span) -> Factor:
        """Return the schedule over a span, as gatle builds it."""
        built: Factor = self.build(span)
        return built

    def test_factors_are_finite_and_not_negative(self) -> None:
        """Every step of the span has a finite factor of 0 or more.

        If this fails, bound the progress to 0 to 1, and guard a division by a length of 0 or 1.
        """
        for span in self.spans:
            values = _curve(self.factor(span), range(span.total_steps))
            wrong = {
                step: value
                for step, value in enumerate(values)
                if not (isinstance(value, int | float) and math.isfinite(value) and value >= 0)
            }
            assert not wrong, f"{self.label}: over {span} the factors by step are {wrong}"

    def test_something_is_learnt(self) -> None:
        """Over every span, at least one step has a factor above 0.

        If this fails, let the first step have a factor above 0: a run of one step has no other.
        """
        for span in self.spans:
            values = _curve(self.factor(span), range(span.total_steps))
            assert max(values) > 0, f"{self.label}: over {span} every factor is 0"

    def test_depends_on_the_step_alone(self) -> None:
        """A step's factor is the same in any order of calls, and when asked twice.

        If this fails, compute the factor from its argument and keep no counter: a resumed run asks
        for steps in the middle first.
        """
        for span in self.spans:
            expected = _curve(self.factor(span), range(span.total_steps))
            steps = [step for step in range(span.total_steps) for _ in range(2)]
            random.Random(0).shuffle(steps)
            values = _curve(self.factor(span), steps)
            wrong = {
                step: (value, expected[step])
                for step, value in zip(steps, values, strict=True)
                if value != expected[step]
            }
            assert not wrong, (
                f"{self.label}: over {span}, asked in another order, factors differ by step "
                f"(got, expected): {wrong}"
            )

    def test_is_deterministic(self) -> None:
        """Two schedules over one span are equal.

        If this fails, draw no random numbers and read no clock.
        """
        for span in self.spans:
            first, second = (_curve(self.factor(span), range(span.total_steps)) for _ in "ab")
            assert first == second, f"{self.label}: over {span} two schedules differ"

    def test_warm_up_rises(self) -> None:
        """Over the `warmup_steps` of a span the factor rises from step to step.

        If this fails, multiply the factor by `(step + 1) / (span.warmup_steps + 1)` while
        `step < span.warmup_steps`: ignoring what a user wrote is not an option.
        """
        for span in self.spans:
            values = _curve(self.factor(span), range((span.warmup_steps or 0) + 1))
            falls = [step for step in range(1, len(values)) if values[step] <= values[step - 1]]
            assert not falls, (
                f"{self.label}: over {span} the factor does not rise at the steps {falls} of the "
                f"warm-up"
            )


def _curve(factor: Callable[[int], float], steps: Sequence[int]) -> list[float]:
    return [factor(step) for step in steps]
