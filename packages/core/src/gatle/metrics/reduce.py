"""Adding up states over ranks, exactly: the one place where evaluation meets other processes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor, distributed

from gatle.errors import ConfigError


def reduce_states(
    states: Mapping[str, Tensor], *, device: torch.device | None = None
) -> dict[str, Tensor]:
    """Return the sums of states over all ranks; in a single process, the states as they are.

    Whole numbers are added up as int64, so exactly, and floats as float64: one `all_reduce` for
    each of the two, in the order of the sorted keys. All ranks call this, with the same keys and
    the same kind of number under each. Vectors `[C]` may be shorter on some ranks, or 0-d zeros
    where nothing was counted: they are filled up with zeros to the longest.

    Args:
        states: Tensors by name. Results have their dtypes and devices.
        device: Where the sums are made, of a kind that the process group's backend takes; by
            default where the first state is.

    Raises:
        ConfigError: If a state is not a tensor of whole numbers or floats.
    """
    keys = sorted(states)
    kinds = {key: _kind(key, states[key]) for key in keys}
    if not keys or _world_size() == 1:
        return dict(states)
    device = states[keys[0]].device if device is None else device
    lengths = dict(zip(keys, _longest([states[key] for key in keys], device), strict=True))
    sums: dict[str, Tensor] = {}
    for kind in (torch.int64, torch.float64):
        flat = {
            key: _filled_up(states[key].to(device, kind), lengths[key])
            for key in keys
            if kinds[key] is kind
        }
        sums |= _all_reduce(flat)
    return {key: _like(states[key], sums[key]) for key in states}


def _world_size() -> int:
    started = distributed.is_available() and distributed.is_initialized()
    return distributed.get_world_size() if started else 1


def _kind(key: str, state: Tensor) -> torch.dtype:
    """Return the dtype in which a state is added up."""
    if not isinstance(state, Tensor):
        what = f"state {key!r} is of type {type(state).__name__}, expected a tensor"
        raise ConfigError(what, fix="return tensors from state(), for example torch.tensor(3)")
    if state.is_complex():
        what = f"state {key!r} is of dtype {state.dtype}, expected whole numbers or floats"
        raise ConfigError(what, fix="keep the real and the imaginary part as two states")
    return torch.float64 if state.is_floating_point() else torch.int64


def _longest(tensors: Sequence[Tensor], device: torch.device) -> list[int]:
    """Return for each tensor the largest number of elements that a rank holds of it."""
    lengths = torch.tensor([tensor.numel() for tensor in tensors], device=device)
    distributed.all_reduce(lengths, distributed.ReduceOp.MAX)
    return [int(length) for length in lengths.tolist()]


def _filled_up(state: Tensor, length: int) -> Tensor:
    """Return the elements of a state as a vector `[length]`, zeros at its end."""
    flat = state.reshape(-1)
    return torch.cat([flat, flat.new_zeros(length - len(flat))])


def _all_reduce(flat: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return the sums over ranks of vectors of one dtype, which travel as one."""
    if not flat:
        return {}
    packed = torch.cat(list(flat.values()))
    distributed.all_reduce(packed, distributed.ReduceOp.SUM)
    parts = torch.split(packed, [len(vector) for vector in flat.values()])
    return dict(zip(flat, parts, strict=True))


def _like(state: Tensor, total: Tensor) -> Tensor:
    """Return a sum with the dtype, the device and, if it was as long, the shape of a state."""
    shaped = total.reshape(state.shape) if total.numel() == state.numel() else total
    return shaped.to(state.device, state.dtype)
