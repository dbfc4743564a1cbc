"""Premises that are longer than a model reads, in overlapping windows that it reads whole."""

from collections.abc import Callable
from typing import NamedTuple

from core.text.words import sentences


class Room(NamedTuple):
    """What fits: `tokens` counts those of a text, `most` is how many a window may have."""

    tokens: Callable[[str], int]
    most: int

    def fits(self, text: str) -> bool:
        return len(text) <= self.most or self.tokens(text) <= self.most  # no token is shorter than a character


def readings(premise: str, room: Room) -> list[str]:
    """`premise` alone when it fits, else its halves, overlapping by a sentence, halved again until each fits.

    A single sentence that is too long is halved between words, the halves sharing a quarter of it.
    """
    if room.fits(premise):
        return [premise]
    parts, shared = sentences(premise), 1
    if len(parts) < 3:
        parts = premise.split()
        shared = len(parts) // 4
    if len(parts) < 3:
        middle = len(premise) // 2
        return [*readings(premise[:middle], room), *readings(premise[middle:], room)]
    middle = len(parts) // 2
    before, after = " ".join(parts[: middle + shared]), " ".join(parts[middle:])
    return [*readings(before, room), *readings(after, room)]
