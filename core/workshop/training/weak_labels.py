"""Labels for retrieved passages that no person labelled: is it about the topic, does it answer?"""

from collections.abc import Callable, Sequence

from core.text.words import content

ABOUT_SHARE, ABOUT_TERMS = 0.6, 3
"""A passage is about the topic when it holds this share of the key terms' weight, or this many of them."""
TOUCHED, ANSWERED, FEWEST = 0.1, 0.3, 3
"""Shares of the answer's new words that an answering passage holds alone and with its neighbours; below
FEWEST new words nothing can be said."""

_ASKING = frozenset(
    content(
        "define explain describe state name give list write what how why example examples discuss difference "
        "differentiate between role function importance important following correct choose statement draw diagram "
        "prepare identify fill blanks mention suggest compare"
    )
)


class WeakLabels:
    """Labels by shared words, over passages in reading order. A passage's neighbours count: its edges are arbitrary.

    idf: how much a word weighs; documents: the document of each text.
    """

    def __init__(self, texts: Sequence[str], documents: Sequence[str], idf: Callable[[str], float]) -> None:
        self._words = [frozenset(content(t)) for t in texts]
        self._near = [self._with_neighbours(n, documents) for n in range(len(texts))]
        self._idf = idf

    def about(self, question: str, passage: int) -> bool:
        """True when the passage stands where the question's key terms are spoken of."""
        terms = _key_terms(question)
        near = self._near[passage]
        return self._share(terms, near) >= ABOUT_SHARE or len(terms & near) >= ABOUT_TERMS

    def answers(self, question: str, reference: str, passage: int) -> bool | None:
        """True when the passage says what the reference answer adds to the question; None when it adds too little.

        Words of the question count for nothing: an exercise repeats the question and answers nothing.
        """
        new = frozenset(content(reference)) - frozenset(content(question))
        if len(new) < FEWEST:
            return None
        return self._share(new, self._words[passage]) >= TOUCHED and self._share(new, self._near[passage]) >= ANSWERED

    def _with_neighbours(self, n: int, documents: Sequence[str]) -> frozenset[str]:
        places = [m for m in (n - 1, n, n + 1) if 0 <= m < len(documents) and documents[m] == documents[n]]
        return frozenset().union(*(self._words[m] for m in places))

    def _share(self, wanted: frozenset[str], held: frozenset[str]) -> float:
        """Share of the weight of `wanted` that `held` has, in [0, 1]."""
        whole = sum(self._idf(w) for w in wanted)
        return sum(self._idf(w) for w in wanted & held) / whole if whole else 0.0


def _key_terms(question: str) -> frozenset[str]:
    """What a question is about: its content words, without those that only ask."""
    terms = frozenset(content(question))
    return terms - _ASKING or terms
