"""The kit for plugin authors: one pytest suite per kind of record, and one for a whole plugin.

A suite is subclassed; the subclass names the record and the plugin module that offers it:

    from gatle.testing import LossContract


    class TestHinge(LossContract):
        name = "hinge"
        module = "gatle_hello.plugin"
"""

from __future__ import annotations

import pytest

# Before the suites are imported: only then does a failing assert show an author the values in it.
pytest.register_assert_rewrite("gatle.testing.contracts")

from gatle.testing.contracts import (  # noqa: E402
    CallbackContract,
    CheckContract,
    CheckpointFormatContract,
    CommandContract,
    ConfigSectionContract,
    Contract,
    DatasetContract,
    LauncherContract,
    LossContract,
    MetricContract,
    ModelContract,
    OptimizerContract,
    PluginContract,
    RecipeContract,
    RecordContract,
    ScheduleContract,
    TaskContract,
)
from gatle.testing.sandbox import Sandbox  # noqa: E402

__all__ = [
    "CallbackContract",
    "CheckContract",
    "CheckpointFormatContract",
    "CommandContract",
    "ConfigSectionContract",
    "Contract",
    "DatasetContract",
    "LauncherContract",
    "LossContract",
    "MetricContract",
    "ModelContract",
    "OptimizerContract",
    "PluginContract",
    "RecipeContract",
    "RecordContract",
    "Sandbox",
    "ScheduleContract",
    "TaskContract",
]
