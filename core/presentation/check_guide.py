"""The text of the Guide on a check, for educators and tuners who must know how far to trust the check."""

import re

from core.check import Check

_PARTS = re.compile(r"(.*?)\s*Catches\s+(.*?)\s*Blind to\s+(.*)")


def check_guide(check: Check) -> dict[str, str]:
    """Four texts by title, from the docstring of the check: what it asks, how it measures that ("" if that is obvious),
    what it catches, and what it cannot see. Raises ValueError if the docstring lacks one of the last two."""
    asks, _, rest = check.doc().partition("\n\n")
    parts = _PARTS.fullmatch(" ".join(rest.split()))
    if parts is None:
        raise ValueError(f"The docstring of {check.name} must say what it catches and what it is blind to.")
    texts = (" ".join(asks.split()), *(text[:1].upper() + text[1:] for text in parts.groups()))
    return dict(zip(("Asks", "How", "Catches", "Blind to"), texts, strict=True))
