"""A large first letter, which stands beside the lines of its paragraph, back at the start of its word."""

from collections.abc import Sequence
from dataclasses import replace

from core.pdf.page import Line, Word

_LARGER = 1.4
"""Times the size of the text beside it."""


def capitals(lines: Sequence[Line]) -> tuple[Line, ...]:
    """`lines` without letters that stand alone and large before a word that wants one, which has it now."""
    found = list(lines)
    for letter in [line for line in lines if len(line.text) == 1 and line.text.isupper()]:
        home = next((n for n, line in enumerate(found) if _is_begun(line, letter)), None)
        if home is not None:
            first, *rest = found[home].words
            whole = Word(text=letter.text + first.text, left=letter.left, right=first.right)
            found[home] = replace(found[home], words=(whole, *rest))
            found.remove(letter)
    return tuple(found)


def _is_begun(line: Line, letter: Line) -> bool:
    """Does `letter` stand right before the first word of `line`, higher than it, or hanging down beside it?"""
    close = -0.2 * letter.size < line.left - letter.right < line.size
    level = letter.top - line.size < (line.top + line.bottom) / 2 < letter.bottom
    return close and level and letter.size > _LARGER * line.size and line.text[:1].islower()
