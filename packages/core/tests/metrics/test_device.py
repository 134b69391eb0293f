from __future__ import annotations

from types import SimpleNamespace

import pytest
import torch

from gatle.metrics import Accuracy, BalancedAccuracy, MacroF1, TopKAccuracy


@pytest.mark.parametrize("metric", [Accuracy(), TopKAccuracy(), BalancedAccuracy(), MacroF1()])
def test_counting_reads_nothing_from_the_device(metric):
    """On the device `meta` there is nothing to read, and an attempt raises."""
    batch = SimpleNamespace(targets=torch.zeros(6, dtype=torch.int64, device="meta"))
    for _ in range(2):
        metric.update(torch.zeros(6, 4, device="meta"), batch)
    metric.state()
    with pytest.raises((RuntimeError, NotImplementedError)):
        metric.compute()
