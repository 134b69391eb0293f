"""Integer matrix products compared with exact ones, because CPU flags do not tell.

Without VNNI instructions a kernel multiplies UINT8 by INT8 and adds two neighbours in 16 bits:
2 x 255 x 127 = 64,770 does not fit and is cut to 32,767, silently. Whether that happens depends on
the kernel that is picked for a shape, on the CPU and on limits such as `ONEDNN_MAX_CPU_ISA`, so the
products themselves are looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

import torch
from torch import Tensor

FULL_RANGE = 255
REDUCED_RANGE = 127

# Rows M, depth K, columns N. Odd sizes reach the kernels' tails, one row a kernel of its own; K
# below 514 keeps every sum under 2**24, where float32 still holds each integer.
SHAPES = ((1, 63, 5), (16, 64, 16), (17, 257, 33), (64, 512, 48))

Product = Callable[[Tensor, Tensor], Tensor]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How one kind of product compares with the exact one over all probed values.

    Attributes:
        name: Which operator, with which activations.
        products: Products compared.
        wrong: Products with at least one wrong number.
        max_error: The largest difference to the exact number.
        max_exact: The largest exact number, for scale.
        unavailable: Why torch cannot compute it here; empty if it can.
    """

    name: str
    products: int = 0
    wrong: int = 0
    max_error: int = 0
    max_exact: int = 0
    unavailable: str = ""

    @property
    def exact(self) -> bool:
        """Whether every number of every product was right."""
        return self.products > 0 and self.wrong == 0

    def as_data(self) -> dict[str, Any]:
        """Return plain values for a JSON report."""
        return asdict(self) | {"exact": self.exact}


def probe_uint8(*, high: int) -> Outcome:
    """Compare UINT8 activations from 0 to `high` times INT8 weights, through oneDNN."""
    pairs = _pairs(torch.uint8, activations=(high,), low=0, high=high)
    return _compare(f"uint8 0..{high} x int8 (oneDNN linear)", _onednn_linear, pairs)


def probe_int8() -> Outcome:
    """Compare INT8 times INT8 over their full range, through `torch._int_mm`."""
    pairs = _pairs(torch.int8, activations=(127, -128), low=-128, high=127)
    return _compare("int8 x int8 (torch._int_mm)", torch._int_mm, pairs)


def _pairs(
    dtype: torch.dtype, *, activations: tuple[int, ...], low: int, high: int
) -> Iterator[tuple[Tensor, Tensor]]:
    """Yield activations `[M, K]` and weights `[K, N]`: the extremes first, then random values."""
    generator = torch.Generator().manual_seed(0)
    for rows, depth, columns in SHAPES:
        for activation in activations:
            for weight in (127, -128):
                yield (
                    torch.full((rows, depth), activation, dtype=dtype),
                    torch.full((depth, columns), weight, dtype=torch.int8),
                )
        yield (
            torch.randint(low, high + 1, (rows, depth), generator=generator).to(dtype),
            torch.randint(-128, 128, (depth, columns), generator=generator).to(torch.int8),
        )


def _compare(name: str, product: Product, pairs: Iterator[tuple[Tensor, Tensor]]) -> Outcome:
    products = wrong = max_error = max_exact = 0
    for activations, weights in pairs:
        exact = activations.to(torch.int64) @ weights.to(torch.int64)
        try:
            got = product(activations, weights)
        except (RuntimeError, NotImplementedError, AttributeError) as error:
            return Outcome(name=name, unavailable=str(error).splitlines()[0])
        error_here = int((got.to(torch.int64) - exact).abs().max())
        products += 1
        wrong += error_here > 0
        max_error = max(max_error, error_here)
        max_exact = max(max_exact, int(exact.abs().max()))
    return Outcome(
        name=name, products=products, wrong=wrong, max_error=max_error, max_exact=max_exact
    )


def _onednn_linear(activations: Tensor, weights: Tensor) -> Tensor:
    """Return the product `[M, N]` as float32, by the operator that quantized linears become."""
    columns = weights.shape[1]
    packed = torch.ops.onednn.qlinear_prepack(weights.t().contiguous(), None)
    result: Tensor = torch.ops.onednn.qlinear_pointwise(
        activations,
        1.0,  # scale of the activations
        0,  # their zero point
        packed,
        torch.ones(columns),  # scales of the weights
        torch.zeros(columns, dtype=torch.int64),  # their zero points
        None,  # bias
        1.0,  # scale of the output, unused for float32
        0,
        torch.float32,
        "none",  # nothing is fused behind it
        [],
        "",
    )
    return result
