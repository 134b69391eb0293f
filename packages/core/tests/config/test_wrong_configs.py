"""What users read when a config is wrong: every message, word for word."""

from __future__ import annotations

import pytest

from gatle import optim
from gatle.config import ConfigProblems
from gatle.config.components import parameters
from gatle.errors import ConfigError
from gatle.hookspecs import PROVIDERS

RIGHT = "[data]\nname = 'digits'\n[model]\nname = 'small-cnn'\n"

TOML = [
    # Keys.
    ("max_epochs = 3", "1: max_epochs: unknown key here; it belongs to loop.max_epochs"),
    ("epochs = 3", "1: epochs: unknown key; did you mean loop.max_epochs?"),
    ("sede = 3", "1: sede: unknown key; did you mean 'seed'?"),
    ("[optimizr]", "5: optimizr: unknown key; did you mean 'optimizer'?"),
    ("[loop]\nmax-epochs = 3", "6: loop.max-epochs: unknown key; did you mean 'max_epochs'?"),
    (
        "[loop]\nbatch_size = 3",
        "6: loop.batch_size: unknown key here; it belongs to data.batch_size",
    ),
    (
        "[loop]\nname = 'x'",
        "6: loop.name: unknown key; valid keys are accumulate, log_every, "
        "log_grad_norm, max_epochs",
    ),
    (
        "[optimizer]\nlr = 1",
        "6: optimizer.lr: unknown key; a parameter of the component is written optimizer.params.lr",
    ),
    (
        "metrics = [{name = 'accuracy', topk = 5}]",
        "1: metrics.0.topk: unknown key; a parameter of the component is written "
        "metrics.0.params.topk",
    ),
    # Values.
    ("loop = 3", "1: loop: expected a table, got 3"),
    ("loss = 'focal'", "1: loss: expected a table, got 'focal'; write loss.name = 'focal'"),
    ("metrics = 'accuracy'", "1: metrics: expected a list, got 'accuracy'; write ['accuracy']"),
    ("metrics = [3]", "1: metrics.0: expected a table, got 3"),
    ("seed = -1", "1: seed: expected a number not below 0, got -1"),
    (f"seed = {2**63}", f"1: seed: expected a number below {2**63}, got {2**63}"),
    ("[loop]\nmax_epochs = '3'", "6: loop.max_epochs: expected a whole number, got '3'"),
    ("[loop]\nmax_epochs = true", "6: loop.max_epochs: expected a whole number, got True"),
    ("[loop]\nmax_epochs = 1.5", "6: loop.max_epochs: expected a whole number, got 1.5"),
    ("[loop]\naccumulate = 0", "6: loop.accumulate: expected a number not below 1, got 0"),
    (
        "[optimizer]\nlayer_decay = 1.5",
        "6: optimizer.layer_decay: expected a number not above 1, got 1.5",
    ),
    ("[optimizer]\nclip_norm = 0", "6: optimizer.clip_norm: expected a number above 0, got 0"),
    (
        "[optimizer.rates]\n'head.0' = -1.0",
        "6: optimizer.rates.head.0: expected a number above 0, got -1.0",
    ),
    (
        "[optimizer]\nfreeze = 'head'",
        "6: optimizer.freeze: expected a list, got 'head'; write ['head']",
    ),
    (
        "[optimizer]\nno_decay = 'norms'",
        "6: optimizer.no_decay: expected one of 'none' or 'norms-and-biases', got 'norms'",
    ),
    ("[optimizer]\nname = 3", "6: optimizer.name: expected text, got 3"),
    (
        "[schedule]\nwarmup_epochs = inf",
        "6: schedule.warmup_epochs: expected a finite number, got inf",
    ),
    (
        "[precision]\ndtype = 'bf61'",
        "6: precision.dtype: expected one of 'auto', 'fp32', 'bf16' or 'fp16', got 'bf61'; "
        "did you mean 'bf16'?",
    ),
    ("[plugins]\nload = 'x'", "6: plugins.load: expected a list, got 'x'; write ['x']"),
    # Names.
    (
        "task = 'classify'",
        "1: task: no task is called 'classify'; did you mean 'classification'? "
        "Fix: choose one of {tasks}",
    ),
    (
        "[loss]\nname = 'crossentropy'",
        "6: loss.name: no loss is called 'crossentropy'; did you mean 'cross-entropy'? "
        "Fix: choose one of {losses}",
    ),
    (
        "metrics = ['acuracy']",
        "1: metrics.0: no metric is called 'acuracy'; did you mean 'accuracy'? "
        "Fix: choose one of {metrics}",
    ),
    (
        "[optimizer]\nname = 'adamww'",
        "6: optimizer.name: no optimizer is called 'adamww'; did you mean 'adamw'? "
        "Fix: choose one of {optimizers}",
    ),
    (
        "[schedule]\nname = 'warmup_cosine'",
        "6: schedule.name: no schedule is called 'warmup_cosine'; did you mean 'warmup-cosine'? "
        "Fix: choose one of {schedules}",
    ),
    (
        "[checkpoint]\nformat = 'trch'",
        "6: checkpoint.format: no checkpoint format is called 'trch'; did you mean 'torch'? "
        "Fix: choose one of {checkpoint_formats}",
    ),
    (
        "[launch]\nlauncher = 'slurm'",
        "6: launch.launcher: no launcher is called 'slurm'. Fix: choose one of {launchers}",
    ),
    # Parameters.
    (
        "[optimizer]\nparams = { lrr = 1 }",
        "6: optimizer.params.lrr: 'adamw' takes no parameter 'lrr'; did you mean 'lr'? "
        "(it takes {adamw})",
    ),
    (
        "[optimizer.params]\nmomentum = 1",
        "6: optimizer.params.momentum: 'adamw' takes no parameter 'momentum' (it takes {adamw})",
    ),
    # Combinations.
    (
        "[schedule]\nwarmup_epochs = 1\nwarmup_steps = 2",
        "5: schedule: warmup_epochs = 1 and warmup_steps = 2 exclude each other; keep one of them",
    ),
    (
        "[optimizer]\nlayer_decay = 0.5",
        "6: optimizer.layer_decay: needs layer_decay_blocks, the path of the module with the "
        "blocks, as 'features'",
    ),
    (
        "[optimizer]\nlayer_decay_blocks = 'features'",
        "6: optimizer.layer_decay_blocks: does nothing without layer_decay; set both",
    ),
    (
        "[checkpoint]\nscore = 'accuracy'",
        "6: checkpoint.score: no evaluation gives 'accuracy'; did you mean 'valid/accuracy'? "
        "(it gives valid/loss, valid/accuracy)",
    ),
    (
        "[checkpoint]\nscore = 'valid/f1'",
        "6: checkpoint.score: no evaluation gives 'valid/f1' (it gives valid/loss, valid/accuracy)",
    ),
    # Sections of plugins.
    (
        "[plugin.helo]",
        "5: plugin.helo: no plugin has a section 'helo'; did you mean 'hello'?",
    ),
    ("[plugin.hello]\nsiz = 1", "6: plugin.hello.siz: unknown key; did you mean 'size'?"),
    ("[plugin.hello]\nsize = 'a'", "6: plugin.hello.size: expected a whole number, got 'a'"),
    ("[plugin.hello]\nsize = 10", "6: plugin.hello.size: expected a number not above 9, got 10"),
    ("[plugin.hello]\napi_key = 12", "6: plugin.hello.api_key: expected text, got '**********'"),
    ("[plugin.needs]", "5: plugin.needs.token: is required"),
    ("plugin.hello = 3", "1: plugin.hello: expected a table, got 3"),
]

MODEL_NAMES = [
    (
        "small_cnn",
        "no model is called 'small_cnn'; did you mean 'small-cnn'? Fix: choose one of {models}",
    ),
    (
        "shared",
        "model 'shared' is offered by 'hello' (gatle-hello) and 'other' (gatle-other). "
        "Fix: write hello/shared or other/shared",
    ),
    ("timm/resnet18.a1", "no model is called 'timm/resnet18.a1'. Fix: choose one of {models}"),
    (
        "dangling",
        "'dangling' could not be loaded: AttributeError: module 'gatle' has no attribute "
        "'dangling'. Offered by plugin 'hello' (gatle-hello)",
    ),
    (
        "nowhere.net:Net",
        "there is no module 'nowhere' in {home} nor among installed packages. "
        "Fix: check the path 'nowhere.net'",
    ),
    (
        "models.mpl:Net",
        "there is no module 'models.mpl' in {home} nor among installed packages; "
        "did you mean 'models.mlp'? Fix: check the path 'models.mpl'",
    ),
    ("models.mlp:Nett", "'models.mlp' has no 'Nett'; did you mean 'Net'? Fix: name one of Net"),
    ("models.mlp", "'models.mlp' has no 'Model'. Fix: name one of Net"),
    (
        "models.mlp:WIDTH",
        "'models.mlp:WIDTH' is of type int, expected a function or a class. "
        "Fix: name something that can be called",
    ),
    ("models.mlp:WIDTH.deep", "'models.mlp.WIDTH' has no 'deep'. Fix: define 'deep'"),
    (
        "models/mlp.py:Net",
        "'models/mlp.py:Net' is a file, expected a dotted path. Fix: write models.mlp:Net",
    ),
    (
        "models.lacks:Net",
        "importing 'models.lacks' failed: ModuleNotFoundError: No module named "
        "'not_there_at_all'. At {home}/models/lacks.py:3",
    ),
    (
        "models.syntax:Net",
        "importing 'models.syntax' failed: SyntaxError: invalid syntax. "
        "At {home}/models/syntax.py:1",
    ),
    (
        "models.raises:Net",
        "importing 'models.raises' failed: RuntimeError: boom. At {home}/models/raises.py:2",
    ),
]

PYTHON = [
    ("def get_config(:\n", "the config raised SyntaxError: invalid syntax. At c.py:1."),
    (
        "x = 1\ny = x / 0\n",
        "the config raised ZeroDivisionError: division by zero. At c.py:2.",
    ),
    (
        "from gatle import Confg\n",
        "the config raised ImportError: cannot import name 'Confg' from 'gatle' ({gatle}). "
        "At c.py:1.",
    ),
    (
        "x = 1\n",
        "c.py defines no get_config(). "
        "Fix: add a function get_config() that returns gatle.Config(...).",
    ),
    (
        "\ndef get_config():\n    pass\n",
        "get_config() returned None, expected a gatle.Config or a dict. At c.py:2. "
        "Fix: return gatle.Config(...).",
    ),
    (
        "def get_config(name):\n    pass\n",
        "the config raised TypeError: get_config() missing 1 required positional argument: "
        "'name'. At c.py.",
    ),
    (
        "import gatle\n\ndef get_config():\n    return gatle.Model('small-cnn')\n",
        "the config raised TypeError: gatle.Model takes its values by name, as "
        "gatle.Model(name=...). At c.py:4.",
    ),
    (
        "import gatle\n\ndef get_config():\n    return gatle.Config().lop\n",
        "the config raised AttributeError: gatle.Config has no field 'lop'; "
        "did you mean 'loop'? At c.py:4.",
    ),
    (
        "import gatle\n\ndef get_config():\n    return gatle.Config().model.name\n",
        "the config raised AttributeError: gatle.Model has no 'name' yet; set it first. At c.py:4.",
    ),
]


def filled(message, manager, **more):
    """Return a message with the names that are there today, so that more may be added."""
    names = {kind: ", ".join(manager.registry(kind).names) for kind in PROVIDERS}
    adamw = ", ".join(parameters(optim.adamw, skip=1))
    return message.format(**names, adamw=adamw, **more)


def one_problem(caught):
    first, *rest = str(caught.value).splitlines()
    assert first.endswith("has 1 problem:")
    return "\n".join(line.removeprefix("  ") for line in rest)


@pytest.mark.parametrize(("text", "message"), TOML)
def test_a_wrong_file_is_named_line_by_line(resolved, with_plugins, text, message):
    text = f"{RIGHT}{text}\n" if text.startswith("[") else f"{text}\n{RIGHT}"
    with pytest.raises(ConfigProblems) as caught:
        resolved(text, manager=with_plugins)
    assert one_problem(caught) == f"c.toml:{filled(message, with_plugins)}"


@pytest.mark.parametrize(("name", "message"), MODEL_NAMES)
def test_a_name_that_stands_for_nothing(resolved, with_plugins, home, name, message):
    with pytest.raises(ConfigProblems) as caught:
        resolved(f"data.name = 'digits'\nmodel.name = '{name}'\n", manager=with_plugins)
    expected = filled(message, with_plugins, home=home)
    assert one_problem(caught) == f"c.toml:2: model.name: {expected}"


def test_a_missing_parameter_is_named(resolved):
    with pytest.raises(ConfigProblems) as caught:
        resolved("data.name = 'digits'\nmodel.name = 'models.mlp:Net'\n")
    expected = "c.toml:2: model.params.hidden: 'models.mlp:Net' needs the parameter 'hidden'"
    assert one_problem(caught) == expected


@pytest.mark.parametrize(("text", "message"), PYTHON)
def test_a_python_config_that_does_not_run(resolved, text, message):
    import gatle

    with pytest.raises(ConfigError) as caught:
        resolved(text, name="c.py")
    assert str(caught.value) == message.format(gatle=gatle.__file__)


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("loop.max_epochs=0", "-o loop.max_epochs: expected a number not below 1, got 0"),
        (
            "optimizer.lr=1",
            "-o optimizer.lr: unknown key; a parameter of the component is written "
            "optimizer.params.lr",
        ),
        (
            "model=small-cnn",
            "-o model: expected a table, got 'small-cnn'; write model.name = 'small-cnn'",
        ),
        (
            "metrics=[accuracy]",
            "-o metrics: expected a list, got '[accuracy]'; quote the texts in it, as ['a', 'b']",
        ),
    ],
)
def test_a_wrong_option_is_named_instead_of_a_line(resolved, option, message):
    with pytest.raises(ConfigProblems) as caught:
        resolved(RIGHT, option)
    assert one_problem(caught) == message


def test_all_problems_are_reported_at_once(resolved, manager):
    text = "[loop]\nmax_epochs = 0\naccumulat = 2\n[optimizer]\nname = 'sdg'\nlr = 1\n"
    with pytest.raises(ConfigProblems) as caught:
        resolved(text, "schedule.name=cosin", "model.params.widht=3", "model.name=small-cnn")
    assert str(caught.value) == filled("\n".join(SEVEN), manager)


SEVEN = [
    "c.toml has 7 problems:",
    "  c.toml: data: is required; write data.name = 'digits' or another name",
    "  c.toml:6: optimizer.lr: unknown key; a parameter of the component is written "
    "optimizer.params.lr",
    "  c.toml:2: loop.max_epochs: expected a number not below 1, got 0",
    "  c.toml:3: loop.accumulat: unknown key; did you mean 'accumulate'?",
    "  -o model.params.widht: 'small-cnn' takes no parameter 'widht'; did you mean 'width'? "
    "(it takes num_classes, in_channels, width, dropout)",
    "  c.toml:5: optimizer.name: no optimizer is called 'sdg'; did you mean 'sgd'? "
    "Fix: choose one of {optimizers}",
    "  -o schedule.name: no schedule is called 'cosin'; did you mean 'cosine'? "
    "Fix: choose one of {schedules}",
]


def test_what_toml_cannot_hold_is_refused_before_anything_runs(resolved):
    text = """\
import gatle

def get_config():
    return gatle.Config(
        data=gatle.Data(name="digits"),
        model=gatle.Model(name="models.mlp:Net", params={"hidden": None, "act": None}),
        optimizer=gatle.Optimizer(params={"betas": [0.9, None], "lr": object()}),
        project={"notes": {1, 2}, "none": None},
    )
"""
    with pytest.raises(ConfigProblems) as caught:
        resolved(text, name="c.py")
    null = "null cannot be stored with the run, because TOML has none; leave it out"
    plain = "cannot be stored with the run; expected text, numbers, true or false, lists and tables"
    assert str(caught.value).splitlines() == [
        "c.py:3 has 5 problems:",
        f"  c.py:6: model.params.hidden: {null}",
        f"  c.py:6: model.params.act: {null}",
        f"  c.py:7: optimizer.params.betas.1: {null}",
        f"  c.py:7: optimizer.params.lr: a value of type object {plain}",
        f"  c.py:4: project.notes: a value of type set {plain}",
    ]


def test_a_live_object_without_a_name_is_refused(resolved):
    text = """\
import gatle

def get_config():
    return gatle.Config(data=gatle.Data(name="digits"), model=gatle.Model(name=lambda: 3))
"""
    with pytest.raises(ConfigProblems) as caught:
        resolved(text, name="c.py")
    assert one_problem(caught) == (
        "c.py:4: model.name: get_config.<locals>.<lambda> cannot be found again by name, "
        "so a run could not be reloaded. Fix: define it at the top level of a module"
    )


def test_a_section_that_is_broken_is_an_error_only_for_who_uses_it(resolved, with_plugins):
    assert "gone" not in resolved(RIGHT, manager=with_plugins).plugin_sections
    with pytest.raises(ConfigProblems) as caught:
        resolved(f"{RIGHT}[plugin.gone]\n", manager=with_plugins)
    assert one_problem(caught) == (
        "c.toml:5: plugin.gone: the section of plugin 'hello' (gatle-hello) failed: "
        "AttributeError: module 'gatle' has no attribute 'gone'"
    )
