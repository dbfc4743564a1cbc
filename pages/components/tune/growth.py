"""How often a set that runs is opened again to draw what it has."""

import math


def growth(done: int) -> int:
    """A number that rises when a fifth more questions are measured. done: questions measured so far."""
    return int(math.log(done + 1, 1.2))
