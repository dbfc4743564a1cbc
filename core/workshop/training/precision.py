"""In what precision a model learns on this CPU."""

from contextlib import AbstractContextManager, nullcontext

import torch


def precision() -> str:
    """bf16 where the CPU reckons in it, which halves the time; else fp32, since bf16 would be many times slower."""
    return "bf16 autocast" if torch.cpu._is_avx512_bf16_supported() or torch.cpu._is_amx_tile_supported() else "fp32"


def autocast() -> AbstractContextManager[object]:
    """What a forward pass of training or scoring runs in."""
    return nullcontext() if precision() == "fp32" else torch.autocast("cpu", dtype=torch.bfloat16)
