"""How often a set that runs is opened again to draw what it has."""

import math


def growth(done_count: int) -> int:
    """A number that rises when a fifth more questions are measured. done_count: questions measured so far."""
    return int(math.log(done_count + 1, 1.2))
