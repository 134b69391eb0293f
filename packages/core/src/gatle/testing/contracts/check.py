"""What gatle expects of a check of `gatle doctor`."""

from __future__ import annotations

import json
import time
from typing import ClassVar, get_args, get_type_hints

import pytest

from gatle.records import Finding
from gatle.testing.contracts.base import RecordContract


class CheckContract(RecordContract):
    """The promises of a check.

    Attributes:
        limit_s: How many seconds it may take.
    """

    kind = "checks"
    limit_s: ClassVar[float] = 5.0

    def finding(self) -> Finding:
        """Return what the check finds here."""
        found: Finding = self.target()
        return found

    def test_returns_a_finding(self) -> None:
        """The check returns a `Finding` with a known status instead of raising.

        If this fails, turn what goes wrong into `Finding(status="error", ...)`.
        """
        try:
            found = self.finding()
        except Exception as error:  # noqa: BLE001  whatever it raises, it should not
            pytest.fail(f"{self.label} raised {error!r}, expected a Finding")
        assert isinstance(found, Finding), (
            f"{self.label} returned a {type(found).__name__}, expected a Finding"
        )
        valid = get_args(get_type_hints(Finding)["status"])
        assert found.status in valid, f"{self.label}: status {found.status!r} is none of {valid}"

    def test_is_quick(self) -> None:
        """The check takes no more than `limit_s` seconds.

        If this fails, measure less, or set a timeout on what it waits for.
        """
        self.finding()
        started = time.perf_counter()
        self.finding()
        seconds = time.perf_counter() - started
        assert seconds <= self.limit_s, (
            f"{self.label} took {seconds:.1f} s, more than limit_s = {self.limit_s}"
        )

    def test_texts_are_single_lines(self) -> None:
        """The detail is one line of text, and so is the remedy if there is one.

        If this fails, shorten it; what does not fit goes into `data`.
        """
        found = self.finding()
        assert found.detail.strip(), f"{self.label}: the detail is empty"
        for name in ("detail", "remedy"):
            text = getattr(found, name)
            assert "\n" not in text, f"{self.label}: {name} has more than one line: {text!r}"

    def test_trouble_has_a_remedy(self) -> None:
        """A warning or an error says what to do.

        If this fails, give the finding a `remedy`.
        """
        found = self.finding()
        assert found.remedy or found.status in {"ok", "skipped"}, (
            f"{self.label}: the {found.status} {found.detail!r} has no remedy"
        )

    def test_data_is_json(self) -> None:
        """The data can be written as JSON.

        If this fails, turn paths, versions and tensors into text and numbers, and NaN into None.
        """
        data = self.finding().data
        try:
            again = json.loads(json.dumps(data, allow_nan=False))
        except (TypeError, ValueError) as error:
            pytest.fail(f"{self.label}: data {data!r} is not JSON: {error}")
        assert again == data, f"{self.label}: data {data!r} is {again!r} after JSON"
