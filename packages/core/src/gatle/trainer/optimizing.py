"""From the section `[optimizer]` to an optimizer over the groups it asks for."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from gatle.config import Component, Resolved
from gatle.config.components import defaults
from gatle.optim import make_groups
from gatle.trainer.building import build, expect


def build_optimizer(resolved: Resolved, model: nn.Module) -> torch.optim.Optimizer:
    """Build the optimizer of a model; without a rule it gets plain parameters, as ever.

    An optimizer that takes a parameter `model` is given it.

    Raises:
        ConfigError: If a rule does not fit the model, or the component breaks its contract.
    """
    component, rules = resolved.components["optimizer"], resolved.config.optimizer
    groups: list[Any] = make_groups(model, rules, lr=_rate(component))
    if len(groups) == 1 and set(groups[0]) == {"params"}:
        groups = groups[0]["params"]
    known = set(defaults(component.target)) - set(component.params)
    optimizer = build(component, groups, **({"model": model} if "model" in known else {}))
    expect(component, optimizer, torch.optim.Optimizer)
    checked: torch.optim.Optimizer = optimizer
    return checked


def _rate(component: Component) -> float | None:
    """Return the learning rate that the config or else the optimizer's signature gives."""
    rate = component.params.get("lr", defaults(component.target).get("lr"))
    is_number = isinstance(rate, int | float) and not isinstance(rate, bool)
    return float(rate) if is_number else None
