"""The guide to each check as text: what it asks, catches and is blind to, read from its docstring."""

import re
from dataclasses import dataclass

from core.check import Check

_PARTS = re.compile(r"(?P<how>.*?)\s*Catches\s+(?P<catches>.*?)\s*Blind to\s+(?P<blind_to>.*)")


@dataclass(frozen=True, kw_only=True)
class CheckGuide:
    """The parts of the docstring of a check. how: what it measures, "" if obvious."""

    asks: str
    how: str
    catches: str
    blind_to: str


def check_guide(check: Check) -> CheckGuide:
    """The guide to a check. Raises ValueError if its docstring lacks a part."""
    asks, _, rest = check.doc().partition("\n\n")
    parts = _PARTS.fullmatch(" ".join(rest.split()))
    if parts is None:
        raise ValueError(f"The docstring of {check.name} must say what it catches and what it is blind to.")
    catches, blind_to = (text[:1].upper() + text[1:] for text in parts.group("catches", "blind_to"))
    return CheckGuide(asks=" ".join(asks.split()), how=parts["how"], catches=catches, blind_to=blind_to)
