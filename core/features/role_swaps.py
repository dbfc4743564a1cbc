"""Sentences of an answer that swap the attributes of two things against the passages, and so contradict them."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np

from core.case import Case
from core.features.premises import Windows
from core.judgements import LABELS
from core.text.answer_sentences import told
from core.text.swapped_roles import Location, swapped_in


def swaps_of(case: Case) -> Mapping[int, Location]:
    """{index of a sentence of the answer that swaps roles: location of the contradicting sentences}."""
    passages = [["" if n in p.broken else text for n, text in enumerate(told(p.sentences))] for p in case.passages]
    return dict(_swaps([s.text for s in case.sentences], passages))


def with_swaps(
    swaps: Mapping[int, Location], considered: np.ndarray, grid: np.ndarray, windows: Windows
) -> tuple[np.ndarray, np.ndarray, Windows]:
    """`considered` (sentence, passage), `grid` (sentence, passage, label) and `windows`, where each swap counts as a
    contradiction by its passage, which is then considered for the sentence."""
    considered, grid, rows = considered.copy(), grid.copy(), [list(row) for row in windows]
    for n, (passage, sentences) in swaps.items():
        considered[n, passage] = 1.0
        grid[n, passage] = np.eye(len(LABELS))[LABELS.index("contradiction")]
        rows[n][passage] = sentences
    return considered, grid, tuple(map(tuple, rows))


def _swaps(sentences: Sequence[str], passages: Sequence[Sequence[str]]) -> Iterator[tuple[int, Location]]:
    """(index, location) of each sentence that swaps roles, alone or together with its neighbour."""
    for n, sentence in enumerate(sentences):
        if location := swapped_in(sentence, passages):
            yield n, location
    for n, (one, other) in enumerate(pairwise(sentences)):
        if location := swapped_in(f"{one.rstrip('.')}; {other}", passages):
            yield from ((n, location), (n + 1, location))
