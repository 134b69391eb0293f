"""Parameter groups by rule: what does not decay, what moves at another rate, what stays.

Every group that moves at a rate of its own carries it, and a schedule multiplies the rates of all
groups by one factor, so their ratios last for the whole run.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from torch import nn

from gatle.config.schema import Optimizer as Rules
from gatle.errors import ConfigError
from gatle.optim.names import named, top_level
from gatle.plugins import did_you_mean

NORMS = (
    nn.BatchNorm1d,
    nn.BatchNorm2d,
    nn.BatchNorm3d,
    nn.SyncBatchNorm,
    nn.InstanceNorm1d,
    nn.InstanceNorm2d,
    nn.InstanceNorm3d,
    nn.LayerNorm,
    nn.GroupNorm,
    nn.RMSNorm,
)
"""Modules whose parameters scale and shift what passes through them."""


def make_groups(model: nn.Module, rules: Rules, *, lr: float | None = None) -> list[dict[str, Any]]:
    """Return the parameters that are trained, in groups of equal settings.

    Groups stand in the order in which their first parameter is registered; a tied parameter counts
    once, under its first name.

    Args:
        model: The model; the parameters that `rules.freeze` names lose their `requires_grad`.
        rules: The section `[optimizer]` of the config.
        lr: The rate that factors multiply; `None` if the optimizer does not tell.

    Raises:
        ConfigError: If a rule names what the model does not have, or needs a rate nobody knows.
    """
    freeze(model, rules.freeze)
    trained = {name: p for name, p in model.named_parameters() if p.requires_grad}
    if rules.freeze and not trained:
        what = "every parameter is frozen, so there is nothing to train"
        raise ConfigError(what, where="In optimizer.freeze", fix="freeze less")
    factors = _factors(model, rules, trained)
    spared = _norms_and_biases(model) if rules.no_decay == "norms-and-biases" else set()
    members: dict[tuple[float, bool], list[nn.Parameter]] = {}
    for name, parameter in trained.items():
        key = (factors.get(name, 1.0), parameter in spared)
        members.setdefault(key, []).append(parameter)
    if factors and lr is None:
        what = "layer_decay and rates multiply a learning rate, and the optimizer has no default"
        raise ConfigError(what, where="In optimizer", fix="set optimizer.params.lr")
    return [
        {"params": parameters}
        | ({"lr": lr * factor} if factors and lr is not None else {})
        | ({"weight_decay": 0.0} if is_spared else {})
        for (factor, is_spared), parameters in members.items()
    ]


def freeze(model: nn.Module, patterns: Iterable[str]) -> None:
    """Turn training off for the parameters that patterns name.

    The running statistics of a frozen batch norm still move.

    Raises:
        ConfigError: If a pattern names none.
    """
    parameters = dict(model.named_parameters(remove_duplicate=False))
    for names in named(patterns, parameters, key="optimizer.freeze").values():
        for name in names:
            parameters[name].requires_grad = False


def _factors(model: nn.Module, rules: Rules, trained: Iterable[str]) -> dict[str, float]:
    """Return the factor on the rate of every parameter, or nothing if no rule gives one."""
    factors: dict[str, float] = {}
    if rules.layer_decay is not None:
        factors = depth_factors(model, rules.layer_decay_blocks or "", rules.layer_decay)
    found = named(rules.rates, trained, key="optimizer.rates", kind="trained parameter")
    own: dict[str, str] = {}
    for pattern in sorted(found, key=lambda pattern: (len(pattern), pattern)):
        own |= dict.fromkeys(found[pattern], pattern)  # the longest comes last, and counts
    for name, pattern in own.items():
        factors[name] = factors.get(name, 1.0) * rules.rates[pattern]
    return factors


def depth_factors(model: nn.Module, path: str, decay: float) -> dict[str, float]:
    """Return for every parameter `decay` to the power of its distance from the top.

    After ELECTRA (Clark et al., 2020, https://arxiv.org/abs/2003.10555) and BEiT (Bao et al., 2021,
    https://arxiv.org/abs/2106.08254): of n blocks, block i from 0 has `decay ** (n - i)`, what is
    registered before the blocks (embeddings, stem) has `decay ** (n + 1)`, and what is registered
    after them (head) has 1. Only children that hold parameters count as blocks.

    Args:
        model: The model.
        path: The module whose children are the blocks, as `backbone.blocks`.
        decay: The ratio of a block's rate to that of the block above it.

    Raises:
        ConfigError: If there is no such module, or it holds no blocks.
    """
    blocks = _children_with_parameters(model, path)
    position = {name: index for index, name in enumerate(blocks)}
    factors: dict[str, float] = {}
    power = len(blocks) + 1
    for name, _ in model.named_parameters():
        inside = name.removeprefix(f"{path}.") if name.startswith(f"{path}.") else ""
        block = position.get(inside.partition(".")[0])
        if block is not None:
            factors[name], power = decay ** (len(blocks) - block), 0
        else:
            factors[name] = decay**power
    return factors


def _children_with_parameters(model: nn.Module, path: str) -> list[str]:
    modules = dict(model.named_modules())
    where, fix = "In optimizer.layer_decay_blocks", "write the path of the module with the blocks"
    if not path or path not in modules:
        have = top_level(name for name, _ in model.named_children())
        what = f"the model has no module {path!r}{did_you_mean(path, filter(None, modules))}"
        raise ConfigError(f"{what} ({have})", where=where, fix=fix)
    children = modules[path].named_children()
    blocks = [name for name, child in children if next(child.parameters(), None) is not None]
    if not blocks:
        kind = type(modules[path]).__name__
        what = f"module {path!r}, a {kind}, contains no modules with parameters"
        raise ConfigError(what, where=where, fix=fix)
    return blocks


def _norms_and_biases(model: nn.Module) -> set[nn.Parameter]:
    """Return all parameters of fewer than two dimensions, and all of normalization modules."""
    small = {parameter for parameter in model.parameters() if parameter.ndim <= 1}
    norms = (module for module in model.modules() if isinstance(module, NORMS))
    return small | {p for module in norms for p in module.parameters(recurse=False)}
