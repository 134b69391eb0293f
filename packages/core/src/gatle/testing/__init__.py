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

from gatle.testing.contracts.base import Contract, RecordContract  # noqa: E402
from gatle.testing.contracts.callback import CallbackContract  # noqa: E402
from gatle.testing.contracts.check import CheckContract  # noqa: E402
from gatle.testing.contracts.checkpoint_format import CheckpointFormatContract  # noqa: E402
from gatle.testing.contracts.command import CommandContract  # noqa: E402
from gatle.testing.contracts.config_section import ConfigSectionContract  # noqa: E402
from gatle.testing.contracts.dataset import DatasetContract  # noqa: E402
from gatle.testing.contracts.launcher import LauncherContract  # noqa: E402
from gatle.testing.contracts.loss import LossContract  # noqa: E402
from gatle.testing.contracts.metric import MetricContract  # noqa: E402
from gatle.testing.contracts.model import ModelContract  # noqa: E402
from gatle.testing.contracts.optimizer import OptimizerContract  # noqa: E402
from gatle.testing.contracts.plugin import PluginContract  # noqa: E402
from gatle.testing.contracts.recipe import RecipeContract  # noqa: E402
from gatle.testing.contracts.schedule import ScheduleContract  # noqa: E402
from gatle.testing.contracts.task import TaskContract  # noqa: E402
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
