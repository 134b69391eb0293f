"""Muon: updates of orthogonal matrices for hidden layers, AdamW for everything else."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from gatle.errors import ConfigError
from gatle.optim.groups import NORMS
from gatle.optim.names import named

_EMBEDDINGS = (nn.Embedding, nn.EmbeddingBag)
_CONVOLUTIONS = (nn.Conv1d, nn.Conv2d, nn.Conv3d)


def muon(
    param_groups: Iterable[Any],
    *,
    model: nn.Module | None = None,
    lr: float = 1e-3,
    momentum: float = 0.95,
    nesterov: bool = True,
    ns_steps: int = 5,
    adjust_lr: str = "match_rms_adamw",
    weight_decay: float = 0.01,
    adamw: Sequence[str] | None = None,
    adamw_rate: float = 1.0,
    betas: tuple[float, float] = (0.9, 0.999),
    eps: float = 1e-8,
    fused: bool = True,
) -> torch.optim.Optimizer:
    """Return torch's Muon for hidden matrices and torch's AdamW for the rest, in one optimizer.

    Muon is that of Jordan et al., 2024 (https://kellerjordan.github.io/posts/muon/). Departures:
    the update is scaled after Liu et al., 2025 (https://arxiv.org/abs/2502.16982), so that one rate
    and one decay, those of AdamW, serve both; `adjust_lr = "original"` is Jordan's scale, which
    wants a rate about twenty times higher and an `adamw_rate` of about 0.05. The momentum is
    torch's running mean, not a sum. A kernel is a matrix `[out, in * height * width]`.

    Args:
        param_groups: Parameters, or groups of them.
        model: Tells which parameters are hidden matrices; gatle passes it. Without it all
            parameters of two and more dimensions are.
        lr: Learning rate per step.
        momentum: Decay of the running mean of gradients, per step.
        nesterov: Look ahead along the momentum.
        ns_steps: Newton-Schulz iterations that make the update orthogonal.
        adjust_lr: How an update is scaled by its shape: `match_rms_adamw` or `original`.
        weight_decay: Decoupled decay, per step and unit of learning rate.
        adamw: Paths of modules or globs of the matrices that AdamW takes; by default those of the
            output layer, taken to be the last registered module that holds a matrix.
        adamw_rate: A factor on the rate of what AdamW takes.
        betas: AdamW's decay of gradient and squared gradient, per step.
        eps: Added to AdamW's denominator.
        fused: Use torch's fused kernel for AdamW.

    Raises:
        ConfigError: If there is no hidden matrix, or a name in `adamw` matches none.
    """
    both = {"lr": lr, "weight_decay": weight_decay}
    own = {"momentum": momentum, "nesterov": nesterov, "ns_steps": ns_steps}
    optimizer = MuonAndAdamW(
        param_groups,
        matrices=None if model is None else hidden_matrices(model, adamw),
        muon=both | own | {"adjust_lr_fn": adjust_lr},
        adamw=both | {"betas": (betas[0], betas[1]), "eps": eps, "fused": fused},
        adamw_rate=adamw_rate,
    )
    if not any(group["matrices"] for group in optimizer.param_groups):
        what = "optimizer 'muon' found no hidden matrix among the trained parameters"
        raise ConfigError(what, where="In optimizer", fix="use 'adamw'")
    return optimizer


def hidden_matrices(model: nn.Module, adamw: Sequence[str] | None = None) -> list[nn.Parameter]:
    """Return the parameters that map one hidden layer to another.

    Matrices and the kernels of convolutions do; norms, embeddings, transposed convolutions and
    whatever else has more than two dimensions do not, nor does what `adamw` names, by default the
    last registered module that holds a matrix.

    Raises:
        ConfigError: If a name in `adamw` matches no matrix.
    """
    embeddings = {p for m in model.modules() if isinstance(m, _EMBEDDINGS) for p in m.parameters()}
    layers: list[dict[str, nn.Parameter]] = []
    for path, module in model.named_modules():
        own = module.named_parameters(prefix=path, recurse=False)
        layers.append({name: p for name, p in own if _is_matrix(module, p)})
    layers = [layer for layer in layers if layer]
    found = {name: p for layer in layers for name, p in layer.items()}
    if adamw is None:
        left_out = list(layers[-1]) if layers else []
    else:
        matched = named(adamw, found, key="optimizer.params.adamw", kind="matrix")
        left_out = [name for names in matched.values() for name in names]
    others = embeddings | {found[name] for name in left_out}
    return [p for p in dict.fromkeys(found.values()) if p not in others]


def _is_matrix(module: nn.Module, parameter: nn.Parameter) -> bool:
    if isinstance(module, NORMS):
        return False
    return parameter.ndim == 2 or (parameter.ndim > 2 and isinstance(module, _CONVOLUTIONS))


class MuonAndAdamW(torch.optim.Optimizer):
    """Two of torch's optimizers behind one list of groups and one state.

    torch's Muon takes matrices only, so a kernel is moved through a stand-in that is a view of it,
    or a copy that is written back where its memory layout allows no view.
    """

    def __init__(
        self,
        param_groups: Iterable[Any],
        *,
        matrices: Collection[Tensor] | None,
        muon: dict[str, Any],
        adamw: dict[str, Any],
        adamw_rate: float,
    ) -> None:
        self._matrices = None if matrices is None else set(matrices)
        self._settings = {True: muon, False: adamw}
        self._rates = {True: 1.0, False: adamw_rate}
        self._muon: torch.optim.Muon | None = None
        self._adamw: torch.optim.AdamW | None = None
        self._kernels: list[tuple[Tensor, Tensor]] = []
        super().__init__(param_groups, {})

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add a group as up to two: its hidden matrices, and the rest."""
        params = param_group["params"]
        params = [params] if isinstance(params, Tensor) else list(params)
        for kind in (True, False):
            if chosen := [p for p in params if self._is_hidden(p) == kind]:
                group = self._settings[kind] | param_group | {"params": chosen, "matrices": kind}
                super().add_param_group(group | {"lr": group["lr"] * self._rates[kind]})
        self._share()

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Load groups and state, as torch does."""
        super().load_state_dict(state_dict)
        self._share()

    @torch.no_grad()
    def step(  # type: ignore[override]  # torch's overloads differ by the closure alone
        self, closure: Callable[[], float] | None = None
    ) -> float | None:
        """Move all parameters that have a gradient."""
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        if self._adamw is not None:
            self._adamw.step()
        if self._muon is not None:
            self._step_matrices(self._muon)
        return loss

    def _step_matrices(self, muon: torch.optim.Muon) -> None:
        groups = [group for group in self.param_groups if group["matrices"]]
        for group, mirror in zip(groups, muon.param_groups, strict=True):
            mirror |= {key: value for key, value in group.items() if key != "params"}
        for kernel, matrix in self._kernels:
            matrix.data = kernel.detach().flatten(1)
            matrix.grad = None if kernel.grad is None else kernel.grad.flatten(1)
        muon.step()  # type: ignore[no-untyped-call]  # untyped in torch
        for kernel, matrix in self._kernels:
            matrix.grad = None
            if not kernel.is_contiguous():
                kernel.copy_(matrix.view_as(kernel))

    def _share(self) -> None:
        """Give both optimizers the groups and the state of this one."""
        rest = [group for group in self.param_groups if not group["matrices"]]
        if rest:
            self._adamw = torch.optim.AdamW(rest)
            self._adamw.state = self.state
        self._kernels, mirrors = [], []
        state: dict[Tensor, Any] = {}
        for group in self.param_groups:
            if group["matrices"]:
                seen = [self._stand_in(parameter) for parameter in group["params"]]
                mirrors.append(group | {"params": seen})
                state |= {m: self.state[p] for m, p in zip(seen, group["params"], strict=True)}
        if mirrors:
            self._muon = torch.optim.Muon(mirrors)
            self._muon.state.update(state)

    def _stand_in(self, parameter: Tensor) -> Tensor:
        if parameter.ndim == 2:
            return parameter
        matrix = parameter.detach().flatten(1)
        self._kernels.append((parameter, matrix))
        return matrix

    def _is_hidden(self, parameter: Tensor) -> bool:
        return parameter.ndim >= 2 if self._matrices is None else parameter in self._matrices
