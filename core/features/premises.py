"""What language inference says of each sentence by each passage, from the readings on the nearest evidence."""

from collections.abc import Sequence

import numpy as np

from core.case import Case, Passage
from core.features.claim_readings import SentenceReading
from core.judgements import LABELS, decided

RESEMBLING = 3
"""The facts of a sentence without a citation may stand in this many passages, those that share most of its words."""
WINDOW = 3
"""Most sentences that a language model reads at once as a premise."""
Windows = tuple[tuple[tuple[int, ...], ...], ...]


def by_passage(case: Case, readings: Sequence[SentenceReading]) -> tuple[np.ndarray, Windows]:
    """NLI of each sentence as a whole by each passage, (sentence, passage, 3), and the sentences that were read for it;
    NaN and () where nothing was read. Of several readings of one passage the most decided counts."""
    grid = np.full((len(case.sentences), len(case.passages), len(LABELS)), np.nan)
    chosen: list[list[tuple[int, ...]]] = [[()] * len(case.passages) for _ in case.sentences]
    for s, reading in enumerate(readings):
        for premise, row in zip(reading.whole.premises, reading.whole.probabilities, strict=True):
            passages = {passage for passage, _ in premise.places}
            p = min(passages)
            if len(passages) == 1 and (np.isnan(grid[s, p, 1]) or decided(row) > decided(grid[s, p])):
                grid[s, p], chosen[s][p] = row, tuple(place for _, place in premise.places)
    return grid, tuple(map(tuple, chosen))


def considered(case: Case, readings: Sequence[SentenceReading]) -> np.ndarray:
    """1 where a sentence is judged by a passage: those that it cites, else the one of the sentence that is nearest in
    meaning: (sentence, passage).

    A second passage about something like it says otherwise far more often than it bears the sentence out: on the
    tuning half a supported answer ranks above its altered twin with an area of 0.87 by one passage, 0.84 by three.
    """
    grid = np.zeros((len(case.sentences), len(case.passages)))
    for s, (sentence, reading) in enumerate(zip(case.sentences, readings, strict=True)):
        nearest = [premise.core[0][0] for premise in reading.whole.premises[:1]]
        grid[s, list(case.cited(sentence)) or nearest] = 1
    return grid


def whole_text(passage: Passage, between: str = " ") -> str:
    """The sentences of a passage that stand whole on their page: what it can bear out."""
    return between.join(t for i, t in enumerate(passage.sentences) if i not in passage.broken)


def windows(kept: tuple[int, ...], size: int = WINDOW) -> list[tuple[int, ...]]:
    """Runs of `size` of the kept sentences, each moved on by one; one shorter run when there are fewer."""
    return [kept[i : i + size] for i in range(max(1, len(kept) - size + 1))]
