"""Presets as people call them."""

from core.presets import presets
from core.thresholds import Preset


def titled(name: str) -> str:
    """A preset's name as people say it: seed_a is Seed A, as_printed As printed; a saved one is called as it is."""
    if name not in presets():
        return name
    words = name.capitalize().split("_")
    return " ".join(word.upper() if len(word) == 1 else word for word in words)


def told(base: Preset, moved: int) -> str:
    """A preset and how far it is from there: "Strict, with 2 limits moved"."""
    limits = "1 limit" if moved == 1 else f"{moved} limits"
    return f"{titled(base.name)}, with {limits} moved" if moved else titled(base.name)
