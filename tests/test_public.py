"""What is public, as a frozen list: a change here is a change for users."""

from __future__ import annotations

import pytest

import gatle
import gatle.plugin
from gatle.config.components import KINDS
from gatle.config.schema import Config
from gatle.hookspecs import PROVIDERS
from gatle.plugins import PluginManager

NAMES = """
Batch Callback Checkpoint CheckpointError Config ConfigError Data DataError DivergedError Evaluation
GatleError Launch Loop Loss Metric Model Optimizer PluginError Plugins Precision Run RunFailedError
Schedule Splits Trainer evaluate train
"""

PLUGIN_NAMES = """
API_VERSION Callback Check CheckpointFormat Command CommandContext ConfigSection Dataset Finding
LaunchRequest Launcher Loss Metric Model Optimizer Recipe Record Schedule Task hookimpl
"""

KEYS = """
task seed metrics callbacks
data.name data.params data.batch_size data.workers data.drop_last
data.allow_shared_rows
model.name model.params
loss.name loss.params
optimizer.name optimizer.params optimizer.no_decay optimizer.layer_decay
optimizer.layer_decay_blocks optimizer.rates optimizer.freeze
optimizer.clip_norm optimizer.clip_value
schedule.name schedule.params schedule.warmup_epochs schedule.warmup_steps
loop.max_epochs loop.accumulate loop.log_every loop.log_grad_norm
precision.dtype
checkpoint.format checkpoint.every_epochs checkpoint.score
launch.launcher launch.device
plugins.load plugins.disable
plugin project
"""

BUILT_IN = {
    "tasks": "classification",
    "datasets": "digits",
    "models": "small-cnn",
    "losses": "cross-entropy",
    "metrics": "accuracy accuracy-top5 balanced-accuracy macro-f1",
    "optimizers": "adam adamw muon sgd",
    "schedules": "constant cosine multistep one-cycle step warmup-cosine warmup-stable-decay",
    "checkpoint_formats": "torch",
    "launchers": "in-process",
    "callbacks": "early-stopping ema",
    "recipes": "digits",
    "commands": "",
    "checks": "device installation runs-folder versions",
    "config_sections": "",
}


def test_names_of_gatle():
    assert sorted(gatle.__all__) == sorted(NAMES.split())
    for name in gatle.__all__:
        assert getattr(gatle, name) is not None


def test_a_name_that_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'gatle' has no attribute 'Nope'"):
        gatle.Nope


def test_names_of_the_plugin_module():
    assert sorted(gatle.plugin.__all__) == sorted(PLUGIN_NAMES.split())


def test_keys_of_the_config():
    keys = []
    for name, field in Config.model_fields.items():
        inner = getattr(field.annotation, "model_fields", None)
        keys += [f"{name}.{key}" for key in inner] if inner else [name]
    assert sorted(keys) == sorted(KEYS.split())


def test_built_in_records():
    manager = PluginManager()
    found = {kind: " ".join(manager.registry(kind).names) for kind in PROVIDERS}
    assert found == BUILT_IN


def test_every_target_of_a_built_in_record_loads():
    manager = PluginManager()
    for kind in PROVIDERS:
        for item in manager.registry(kind):
            assert callable(item.record.load()), item


def test_bare_modules_keep_the_entry_points_of_the_config_driven_seed():
    assert {name: kind.attribute for name, kind in KINDS.items()} == {
        "task": "Trainer",
        "data": "get_ds",
        "model": "Model",
        "loss": "Loss",
        "metrics": "get_metric",
        "optimizer": "get_optimizer",
        "schedule": "get_scheduler",
        "callbacks": "Callback",
        "checkpoint": "Format",
    }
