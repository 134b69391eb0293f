"""torch's optimizers, fused where torch can."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch


def adamw(
    param_groups: Iterable[Any],
    *,
    lr: float = 1e-3,
    betas: tuple[float, float] = (0.9, 0.999),
    eps: float = 1e-8,
    weight_decay: float = 0.01,
    fused: bool = True,
) -> torch.optim.Optimizer:
    """Return AdamW (Loshchilov and Hutter, 2019, https://arxiv.org/abs/1711.05101).

    Args:
        param_groups: Parameters, or groups of them.
        lr: Learning rate per step.
        betas: Decay of the running means of gradient and squared gradient, per step.
        eps: Added to the denominator.
        weight_decay: Decoupled decay, per step and unit of learning rate.
        fused: Use torch's fused kernel; `False` for bits that equal its plain loop.
    """
    return torch.optim.AdamW(
        param_groups,
        lr=lr,
        betas=(betas[0], betas[1]),
        eps=eps,
        weight_decay=weight_decay,
        fused=fused,
    )


def adam(
    param_groups: Iterable[Any],
    *,
    lr: float = 1e-3,
    betas: tuple[float, float] = (0.9, 0.999),
    eps: float = 1e-8,
    weight_decay: float = 0.0,
    fused: bool = True,
) -> torch.optim.Optimizer:
    """Return Adam (Kingma and Ba, 2015, https://arxiv.org/abs/1412.6980).

    Args:
        param_groups: Parameters, or groups of them.
        lr: Learning rate per step.
        betas: Decay of the running means of gradient and squared gradient, per step.
        eps: Added to the denominator.
        weight_decay: L2 penalty added to the gradient; `adamw` decays the weights themselves.
        fused: Use torch's fused kernel; `False` for bits that equal its plain loop.
    """
    return torch.optim.Adam(
        param_groups,
        lr=lr,
        betas=(betas[0], betas[1]),
        eps=eps,
        weight_decay=weight_decay,
        fused=fused,
    )


def sgd(
    param_groups: Iterable[Any],
    *,
    lr: float = 0.1,
    momentum: float = 0.9,
    weight_decay: float = 0.0,
    nesterov: bool = False,
    fused: bool = True,
) -> torch.optim.Optimizer:
    """Return stochastic gradient descent with momentum.

    Args:
        param_groups: Parameters, or groups of them.
        lr: Learning rate per step.
        momentum: Decay of the running mean of gradients, per step.
        weight_decay: L2 penalty added to the gradient.
        nesterov: Look ahead along the momentum (Sutskever et al., 2013,
            https://proceedings.mlr.press/v28/sutskever13.html).
        fused: Use torch's fused kernel; `False` for bits that equal its plain loop.
    """
    return torch.optim.SGD(
        param_groups,
        lr=lr,
        momentum=momentum,
        weight_decay=weight_decay,
        nesterov=nesterov,
        fused=fused,
    )
