"""Everything core provides keeps the promises that plugins are held to."""

from __future__ import annotations

from typing import ClassVar

import pytest

from gatle.hookspecs import PROVIDERS
from gatle.testing import (
    CallbackContract,
    CheckContract,
    CheckpointFormatContract,
    DatasetContract,
    LauncherContract,
    LossContract,
    MetricContract,
    ModelContract,
    OptimizerContract,
    PluginContract,
    RecipeContract,
    RecordContract,
    Sandbox,
    ScheduleContract,
    TaskContract,
)

BUILTINS = "gatle.builtins"


class TestCore(PluginContract):
    module = BUILTINS


class TestClassification(TaskContract):
    name = "classification"
    module = BUILTINS


class TestDigits(DatasetContract):
    name = "digits"
    module = BUILTINS


class TestSmallCnn(ModelContract):
    name = "small-cnn"
    module = BUILTINS
    params: ClassVar = {"width": 4}


class TestSmallCnnWithDropout(TestSmallCnn):
    params: ClassVar = {"width": 4, "dropout": 0.5}


class TestCrossEntropy(LossContract):
    name = "cross-entropy"
    module = BUILTINS


class TestSmoothedCrossEntropy(TestCrossEntropy):
    params: ClassVar = {"label_smoothing": 0.1}


class TestAccuracy(MetricContract):
    name = "accuracy"
    module = BUILTINS


class TestAccuracyTop5(MetricContract):
    name = "accuracy-top5"
    module = BUILTINS


class TestAccuracyTop2(TestAccuracyTop5):
    params: ClassVar = {"k": 2}


class TestBalancedAccuracy(MetricContract):
    name = "balanced-accuracy"
    module = BUILTINS


class TestMacroF1(MetricContract):
    name = "macro-f1"
    module = BUILTINS


class TestAdam(OptimizerContract):
    name = "adam"
    module = BUILTINS


class TestAdamw(OptimizerContract):
    name = "adamw"
    module = BUILTINS


class TestMuon(OptimizerContract):
    name = "muon"
    module = BUILTINS


class TestMuonAfterJordan(TestMuon):
    params: ClassVar = {"adjust_lr": "original", "lr": 0.02, "adamw_rate": 0.05, "fused": False}


class TestSgd(OptimizerContract):
    name = "sgd"
    module = BUILTINS


class TestSgdWithNesterov(TestSgd):
    params: ClassVar = {"lr": 0.01, "nesterov": True, "weight_decay": 1e-4, "fused": False}


class TestConstant(ScheduleContract):
    name = "constant"
    module = BUILTINS


class TestCosine(ScheduleContract):
    name = "cosine"
    module = BUILTINS


class TestWarmupCosine(ScheduleContract):
    name = "warmup-cosine"
    module = BUILTINS


class TestStep(ScheduleContract):
    name = "step"
    module = BUILTINS


class TestMultistep(ScheduleContract):
    name = "multistep"
    module = BUILTINS
    params: ClassVar = {"milestones": [2, 4]}


class TestOneCycle(ScheduleContract):
    name = "one-cycle"
    module = BUILTINS


class TestWarmupStableDecay(ScheduleContract):
    name = "warmup-stable-decay"
    module = BUILTINS


class TestTorchFormat(CheckpointFormatContract):
    name = "torch"
    module = BUILTINS


class TestInProcess(LauncherContract):
    name = "in-process"
    module = BUILTINS


class TestDigitsRecipe(RecipeContract):
    name = "digits"
    module = BUILTINS


@pytest.mark.slow
class TestDigitsRecipeTrains(TestDigitsRecipe):
    pass


class TestEarlyStopping(CallbackContract):
    name = "early-stopping"
    module = BUILTINS
    params: ClassVar = {"patience": 1}


class TestEMA(CallbackContract):
    name = "ema"
    module = BUILTINS


class TestVersions(CheckContract):
    name = "versions"
    module = BUILTINS


class TestInstallation(CheckContract):
    name = "installation"
    module = BUILTINS


class TestDevice(CheckContract):
    name = "device"
    module = BUILTINS


class TestRunsFolder(CheckContract):
    name = "runs-folder"
    module = BUILTINS


def test_every_record_of_core_has_its_suite():
    suites = [value for value in globals().values() if isinstance(value, type)]
    held = {
        (suite.kind, suite.name)
        for suite in suites
        if issubclass(suite, RecordContract) and suite.name
    }
    sandbox = Sandbox()
    offered = {
        (kind, item.record.name) for kind in PROVIDERS for item in sandbox.provided(kind, BUILTINS)
    }
    assert held == offered
