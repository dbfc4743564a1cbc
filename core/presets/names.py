"""Presets as people call them."""

from core.presets import presets
from core.thresholds import Preset


def titled(name: str) -> str:
    """A preset's name as people say it: seed_a is Seed A; what somebody saved is called as they called it."""
    if name not in presets():
        return name
    word, _, letter = name.partition("_")
    return f"{word.capitalize()} {letter.upper()}".strip()


def told(base: Preset, moved: int) -> str:
    """A preset and how far it is from there: "Strict, with 2 limits moved"."""
    limits = "1 limit" if moved == 1 else f"{moved} limits"
    return f"{titled(base.name)}, with {limits} moved" if moved else titled(base.name)
