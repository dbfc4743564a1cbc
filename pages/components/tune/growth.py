"""When a set that is being measured is opened again, to draw what is measured so far."""

import math


def growth(done_count: int) -> int:
    """An integer that rises whenever a fifth more questions are measured; the set is opened again when it does.

    done_count: questions measured so far.
    """
    return int(math.log(done_count + 1, 1.2))
