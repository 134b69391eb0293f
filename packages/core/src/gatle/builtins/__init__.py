"""Core's own components, registered through the hooks that strangers use."""

from __future__ import annotations

from collections.abc import Iterator

from gatle.plugin import (
    Callback,
    Check,
    CheckpointFormat,
    Dataset,
    Launcher,
    LaunchRequest,
    Loss,
    Metric,
    Model,
    Optimizer,
    Recipe,
    Schedule,
    Task,
    hookimpl,
)


@hookimpl
def gatle_tasks() -> Iterator[Task]:
    """Offer core's tasks."""
    yield Task(
        name="classification",
        target="gatle.trainer.trainer:Classification",
        summary="One class per sample; batches are (inputs, targets).",
    )


@hookimpl
def gatle_datasets() -> Iterator[Dataset]:
    """Offer core's data sets."""
    yield Dataset(
        name="digits",
        target="gatle.data.digits:digits",
        summary="1,797 real handwritten digits, 8 x 8 pixels, in the box.",
    )


@hookimpl
def gatle_models() -> Iterator[Model]:
    """Offer core's models."""
    yield Model(
        name="small-cnn",
        target="gatle.models:SmallCNN",
        summary="Three convolutions and a linear head, for small pictures.",
    )


@hookimpl
def gatle_losses() -> Iterator[Loss]:
    """Offer core's losses."""
    yield Loss(
        name="cross-entropy",
        target="gatle.losses:cross_entropy",
        summary="Cross-entropy over classes, with label smoothing.",
    )


@hookimpl
def gatle_metrics() -> Iterator[Metric]:
    """Offer core's metrics."""
    yield Metric(
        name="accuracy",
        target="gatle.metrics:Accuracy",
        summary="The share of samples whose highest score is at their class.",
        higher_is_better=True,
    )
    yield Metric(
        name="accuracy-top5",
        target="gatle.metrics:TopKAccuracy",
        summary="The share of samples whose class is among the k best scores, 5 by default.",
        higher_is_better=True,
    )
    yield Metric(
        name="balanced-accuracy",
        target="gatle.metrics:BalancedAccuracy",
        summary="The mean recall over the classes that occur.",
        higher_is_better=True,
    )
    yield Metric(
        name="macro-f1",
        target="gatle.metrics:MacroF1",
        summary="The mean F1 over the classes that occur.",
        higher_is_better=True,
    )


@hookimpl
def gatle_optimizers() -> Iterator[Optimizer]:
    """Offer core's optimizers."""
    yield Optimizer(
        name="adam", target="gatle.optim:adam", summary="Adam with torch's fused kernel."
    )
    yield Optimizer(
        name="adamw", target="gatle.optim:adamw", summary="AdamW with torch's fused kernel."
    )
    yield Optimizer(
        name="muon",
        target="gatle.optim:muon",
        summary="Muon for hidden matrices and kernels, AdamW for the rest.",
    )
    yield Optimizer(
        name="sgd", target="gatle.optim:sgd", summary="SGD with momentum, torch's fused kernel."
    )


@hookimpl
def gatle_schedules() -> Iterator[Schedule]:
    """Offer core's learning-rate schedules."""
    summaries = {
        "constant": "The same rate throughout.",
        "cosine": "Half a cosine over the whole run.",
        "multistep": "A fall at each of given epochs.",
        "one-cycle": "One rise and one deeper fall, both half cosines.",
        "step": "A fall after every so many epochs.",
        "warmup-cosine": "A linear warm-up, then half a cosine.",
        "warmup-stable-decay": "A linear warm-up, a plateau, and a straight fall.",
    }
    for name, summary in summaries.items():
        target = f"gatle.optim:{name.replace('-', '_')}"
        yield Schedule(name=name, target=target, summary=summary)


@hookimpl
def gatle_checkpoint_formats() -> Iterator[CheckpointFormat]:
    """Offer core's checkpoint formats."""
    yield CheckpointFormat(
        name="torch",
        target="gatle.checkpoint.torch_format:TorchFormat",
        summary="One torch.save file per part, read with weights_only=True.",
    )


@hookimpl
def gatle_launchers() -> Iterator[Launcher]:
    """Offer core's launchers."""
    yield Launcher(
        name="in-process",
        target="gatle.launch.in_process:in_process",
        summary="One process, this one.",
    )


@hookimpl(trylast=True)
def gatle_choose_launcher(request: LaunchRequest) -> str:
    """Choose the launcher that is always there, when nobody else answered."""
    return "in-process"


@hookimpl
def gatle_callbacks() -> Iterator[Callback]:
    """Offer core's callbacks."""
    yield Callback(
        name="early-stopping",
        target="gatle.callbacks.early_stopping:EarlyStopping",
        summary="Ends the run when its score no longer improves.",
    )
    yield Callback(
        name="ema",
        target="gatle.callbacks.ema:EMA",
        summary="Averages the weights, and evaluates with the average.",
    )


@hookimpl
def gatle_recipes() -> Iterator[Recipe]:
    """Offer core's recipes."""
    yield Recipe(
        name="digits",
        target="gatle.builtins.recipes:digits",
        summary="A small CNN on real handwritten digits; seconds on two cores.",
    )


@hookimpl
def gatle_checks() -> Iterator[Check]:
    """Offer core's checks."""
    yield Check(
        name="versions",
        target="gatle.doctor.checks:versions",
        summary="Installed versions fit what gatle-core requires.",
    )
    yield Check(
        name="installation",
        target="gatle.doctor.checks:installation",
        summary="The imported gatle is gatle-core's own.",
    )
    yield Check(
        name="device", target="gatle.doctor.checks:device", summary="What training would run on."
    )
    yield Check(
        name="runs-folder",
        target="gatle.doctor.checks:runs_folder",
        summary="The folder for runs can be written and has room.",
    )
