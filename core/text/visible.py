"""Text as a person sees it: what does not show, or strikes out what stands there, is no part of what is said."""

import re
import unicodedata

_OVERLAYS = "\u0334-\u0338\u20d2\u20d3\u20d8-\u20da\u20dd-\u20e0\u20e2-\u20e6\u20ea\u20eb"
"""Marks that are written across the letter before them, so that it looks struck out, or around it."""
_BLANKS = "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef"
"""Letters and marks that show nothing, though they count as letters and marks."""
_UNSEEN = re.compile(f"[{_OVERLAYS}{_BLANKS}]")
_JOINERS = "\u200c\u200d"
"""They shape letters of Indian scripts and of Arabic, and hide words of others."""


def visible(text: str) -> str:
    """`text` with its line breaks, without characters that control, hide, turn or strike out what is read."""
    if text.isascii() and text.isprintable():
        return text
    composed = unicodedata.normalize("NFC", _UNSEEN.sub("", text))
    return "".join(_shown(c, composed[n - 1 : n]) for n, c in enumerate(composed))


def _shown(character: str, before: str) -> str:
    if character == "\n" or unicodedata.category(character)[0] != "C":
        return character
    if character in _JOINERS and _joins(before):
        return character
    return " " if character.isspace() else ""


def _joins(letter: str) -> bool:
    """True for a letter or a sign after which a joiner has a meaning: none of Latin, Greek or Cyrillic."""
    return letter > "\u0590" and unicodedata.category(letter)[0] in "LM"
