"""Which sentences of a passage bear on the question."""

import numpy as np

DROP = 0.65
"""A sentence whose cosine lies this far below the passage's best one is dropped. A heading repeats the words of the
question, and the sentence under it that answers lies 0.4 to 0.6 below it: what answers is for the reader to say.
"""


def bearing(cosines: np.ndarray) -> tuple[int, ...]:
    """Places of the sentences to keep, given the cosine of each with the question: shape (sentences,).

    The best one and its neighbours always stay: a sentence is read with what stands around it.
    """
    best = int(np.argmax(cosines))
    keep = {i for i, c in enumerate(cosines) if c >= cosines[best] - DROP} | {best - 1, best, best + 1}
    return tuple(sorted(i for i in keep if 0 <= i < len(cosines)))
