"""One suite per kind of record."""

from __future__ import annotations

from gatle.testing.contracts.base import Contract, RecordContract
from gatle.testing.contracts.callback import CallbackContract
from gatle.testing.contracts.check import CheckContract
from gatle.testing.contracts.checkpoint_format import CheckpointFormatContract
from gatle.testing.contracts.command import CommandContract
from gatle.testing.contracts.config_section import ConfigSectionContract
from gatle.testing.contracts.dataset import DatasetContract
from gatle.testing.contracts.launcher import LauncherContract
from gatle.testing.contracts.loss import LossContract
from gatle.testing.contracts.metric import MetricContract
from gatle.testing.contracts.model import ModelContract
from gatle.testing.contracts.optimizer import OptimizerContract
from gatle.testing.contracts.plugin import PluginContract
from gatle.testing.contracts.recipe import RecipeContract
from gatle.testing.contracts.schedule import ScheduleContract
from gatle.testing.contracts.task import TaskContract

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
    "ScheduleContract",
    "TaskContract",
]
