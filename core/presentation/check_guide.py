"""The Guide's text on a check, for whoever wants to know how far to trust it; read from the docstring of the check."""

import re

from core.check import Check

_PARTS = re.compile(r"(.*?)\s*Catches\s+(.*?)\s*Blind to\s+(.*)")


def check_guide(check: Check) -> dict[str, str]:
    """What a check asks, how it measures that ("" if obvious), what it catches and what it is blind to, each by its
    title. Raises ValueError if the docstring lacks a part."""
    asks, _, rest = check.doc().partition("\n\n")
    parts = _PARTS.fullmatch(" ".join(rest.split()))
    if parts is None:
        raise ValueError(f"The docstring of {check.name} must say what it catches and what it is blind to.")
    texts = (" ".join(asks.split()), *(text[:1].upper() + text[1:] for text in parts.groups()))
    return dict(zip(("Asks", "How", "Catches", "Blind to"), texts, strict=True))
