"""Sentences of an answer that pair things and attributes the other way round than the passages: contradictions."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np

from core.case import Case, Passage
from core.features.premises import Windows
from core.judgements import LABELS
from core.text.answer_sentences import told
from core.text.swapped_roles import Found, swapped_in

Swap = Found
"""The place of a passage, and those of its sentences that say it the other way round."""


def swaps_of(case: Case) -> Mapping[int, Swap]:
    """The place of each sentence of the answer that swaps roles, with where the passages say otherwise."""
    return dict(_swaps([s.text for s in case.sentences], [_stated(p) for p in case.passages]))


def with_swaps(
    swaps: Mapping[int, Swap], considered: np.ndarray, grid: np.ndarray, windows: Windows
) -> tuple[np.ndarray, np.ndarray, Windows]:
    """`considered` (sentence, passage), `grid` (sentence, passage, label) and `windows` with each swap as what it is: a
    contradiction by the passage that says it the other way round, which is then considered."""
    considered, grid, marked = considered.copy(), grid.copy(), [list(row) for row in windows]
    for n, (passage, places) in swaps.items():
        considered[n, passage] = 1.0
        grid[n, passage] = np.eye(len(LABELS))[LABELS.index("contradiction")]
        marked[n][passage] = places
    return considered, grid, tuple(map(tuple, marked))


def _swaps(sentences: Sequence[str], passages: Sequence[Sequence[str]]) -> Iterator[tuple[int, Found]]:
    """Each sentence that swaps roles, by itself or with the one beside it, and where the passages say otherwise."""
    for n, sentence in enumerate(sentences):
        if found := swapped_in(sentence, passages):
            yield n, found
    for n, (one, other) in enumerate(pairwise(sentences)):
        if found := swapped_in(f"{one.rstrip('.')}; {other}", passages):
            yield from ((n, found), (n + 1, found))


def _stated(passage: Passage) -> list[str]:
    """The sentences of a passage, "" for those that only ask, and those that were not read well."""
    return ["" if n in passage.broken else text for n, text in enumerate(told(passage.sentences))]
