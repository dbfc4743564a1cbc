"""What is answered to a turn that asks nothing of the books: a greeting, one's own words, what a tool gave."""

from collections.abc import Sequence

import numpy as np

from core.case import Draft, Question, Sentence
from core.query.turn import last_answer, tool_texts
from core.text.drafts import without_marks
from core.text.words import content, sentences

MOST_SENTENCES = 4
"""Longest reply."""


def reply(question: Question, kind: str, greeting: str) -> Draft:
    """A draft for a turn of this `kind`. It only repeats what was said or given before, or the house's `greeting`."""
    told = {"about_last_turn": [last_answer(question)], "tool_result": tool_texts(question)}.get(kind, [greeting])
    said = [s for text in told for s in sentences(text)]
    if kind == "about_last_turn":
        said = [without_marks(s) for s in said]
    picked = tuple(Sentence(text=said[n]) for n in _closest(question.query, said))
    return Draft(text=" ".join(s.text for s in picked), sentences=picked, writer="reply")


def _closest(query: str, said: Sequence[str]) -> list[int]:
    """Places of the sentences that share most words with `query`, in their order; the first ones when none does."""
    asked = set(content(query))
    shared = np.array([len(asked & set(content(s))) for s in said], dtype=float)
    best = np.argsort(-shared, kind="stable")[:MOST_SENTENCES]
    return sorted(int(n) for n in best if shared[n] > 0 or not shared.any())
