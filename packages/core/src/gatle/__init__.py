"""gatle: train PyTorch models from a small core and the plugins you choose.

Names are imported when they are first used, so that `import gatle` stays cheap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gatle.config.schema import (
        Callback,
        Checkpoint,
        Config,
        Data,
        Launch,
        Loop,
        Loss,
        Metric,
        Model,
        Optimizer,
        Plugins,
        Precision,
        Schedule,
    )
    from gatle.data.splits import Splits
    from gatle.errors import (
        CheckpointError,
        ConfigError,
        DataError,
        DivergedError,
        GatleError,
        PluginError,
        RunFailedError,
    )
    from gatle.run.run import Run
    from gatle.trainer.api import train
    from gatle.trainer.evaluation import Evaluation, evaluate
    from gatle.trainer.trainer import Batch, Trainer

_SECTIONS = (
    "Callback",
    "Checkpoint",
    "Config",
    "Data",
    "Launch",
    "Loop",
    "Loss",
    "Metric",
    "Model",
    "Optimizer",
    "Plugins",
    "Precision",
    "Schedule",
)
_MODULES = {
    "Splits": "gatle.data.splits",
    "CheckpointError": "gatle.errors",
    "ConfigError": "gatle.errors",
    "DataError": "gatle.errors",
    "DivergedError": "gatle.errors",
    "GatleError": "gatle.errors",
    "PluginError": "gatle.errors",
    "RunFailedError": "gatle.errors",
    "Run": "gatle.run.run",
    "Evaluation": "gatle.trainer.evaluation",
    "evaluate": "gatle.trainer.evaluation",
    "train": "gatle.trainer.api",
    "Batch": "gatle.trainer.trainer",
    "Trainer": "gatle.trainer.trainer",
}

__all__ = [
    "Batch",
    "Callback",
    "Checkpoint",
    "CheckpointError",
    "Config",
    "ConfigError",
    "Data",
    "DataError",
    "DivergedError",
    "Evaluation",
    "GatleError",
    "Launch",
    "Loop",
    "Loss",
    "Metric",
    "Model",
    "Optimizer",
    "PluginError",
    "Plugins",
    "Precision",
    "Run",
    "RunFailedError",
    "Schedule",
    "Splits",
    "Trainer",
    "evaluate",
    "train",
]

if not TYPE_CHECKING:

    def __getattr__(name):
        from importlib import import_module

        if name in _SECTIONS:
            from gatle.config import schema
            from gatle.config.recorder import RECORDERS

            return RECORDERS[getattr(schema, name)]
        if name not in _MODULES:
            message = f"module 'gatle' has no attribute {name!r}"
            raise AttributeError(message)
        return getattr(import_module(_MODULES[name]), name)

    def __dir__():
        return __all__
