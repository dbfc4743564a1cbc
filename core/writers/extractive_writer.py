"""The extractive writer: it quotes the stretches of the evidence that answer the question, and never invents."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from core.case import Draft, Evidence, Sentence, with_marks
from core.models.stretches import Stretch, hints_of, stretches_for
from core.platform.jobs import turn_at_models
from core.text.answer_sentences import has_back_reference
from core.text.quantities import numbers
from core.text.questions import QuestionPlan, asks_for_account, plan_of, side_questions
from core.text.words import content

MAX_SENTENCES = 3
"""Maximum sentences of an answer of several stretches; a single list may have more."""
MOST_WORDS = 90
"""Maximum words of an answer of several stretches."""
NEARLY = 0.05
"""A stretch is replaced by its shortest part whose probability of answering is lower by at most this."""
ALSO = 0.75
"""Minimum probability of a further stretch."""
POINTER = 0.1
"""The probability that is subtracted in the ranking from a stretch that begins with "such" or "it" and lacks the
sentence before it: readers cannot tell what it is about."""
OTHER_SIDE = 0.1
"""Minimum probability of a stretch on the other side of a difference. It is low, since that is only half an answer."""


class ExtractiveWriter:
    """Quotes the stretches of the evidence that answer, the best one first, with a citation for each sentence.

    It depends on signals only; no threshold affects what it writes.
    """

    name = "extractive"

    def __init__(self, models: Any) -> None:
        self.models = models

    def write(self, query: str, evidence: tuple[Evidence, ...]) -> Draft:
        """A draft of one stretch, or of several that each add something; empty if no sentence states anything."""
        with turn_at_models():
            ranked = self.rank(query, evidence)
            by_side = [self.rank(question, evidence) for question in side_questions(query)]
        stretches = _both_sides(ranked, by_side, plan_of(query)) or _select_stretches(ranked, query)
        indices = dict.fromkeys(index for stretch in stretches for index in stretch.indices)
        sentences = tuple(Sentence(text=evidence[p].passage.sentences[n], citations=(p + 1,)) for p, n in indices)
        return Draft(text=with_marks(sentences), sentences=sentences, writer=self.name)

    def rank(self, query: str, evidence: tuple[Evidence, ...]) -> list[tuple[Stretch, float]]:
        """The stretches that may answer, each with P(it answers), the best first; one that begins with a pointer stands
        lower by POINTER.
        """
        stretches = stretches_for(query, evidence, self.models)
        if not stretches:
            return []
        answers = self.models.reader.weights(hints_of(query, stretches, evidence, self.models))
        points = np.array([has_back_reference(stretch.text) for stretch in stretches])
        order = np.argsort(POINTER * points - answers, kind="stable")
        return [(stretches[n], float(answers[n])) for n in order]


def _both_sides(
    ranked: Sequence[tuple[Stretch, float]], by_side: Sequence[Sequence[tuple[Stretch, float]]], plan: QuestionPlan
) -> list[Stretch]:
    """For each side of a difference, one stretch, if both stretches are likelier to answer than the best stretch on the
    whole question; else [].

    by_side: for each side, the stretches that may describe it, the best first.
    """
    best = [
        next(((s, probability) for s, probability in stretches if side <= set(content(s.text))), None)
        for side, stretches in zip(_sides(plan), by_side, strict=False)
    ]
    likeliest = max((probability for _, probability in ranked), default=0.0)  # a pointer may stand before it
    if len(best) < 2 or None in best or min(probability for _, probability in best) < likeliest:
        return []
    one, other = (_shortest(*top, stretches) for top, stretches in zip(best, by_side, strict=True))
    apart = not set(one.indices) & set(other.indices)
    return [one, other] if apart and len(f"{one.text} {other.text}".split()) <= MOST_WORDS else []


def _select_stretches(ranked: Sequence[tuple[Stretch, float]], query: str) -> list[Stretch]:
    """The best stretch and further ones that add something, each reduced to the shortest sufficient part.

    For a difference, the best stretch on each side not yet named is added, if possible one that does not name the
    first side again, then any likely answer.
    """
    if not ranked:
        return []
    plan = plan_of(query)
    stretches, sides = [_first(ranked, query)], _sides(plan)
    for side in sides:
        if not any(side <= set(content(s.text)) for s in stretches):
            on_side = [s for s, probability in ranked if probability >= OTHER_SIDE and side <= set(content(s.text))]
            on_side.sort(key=lambda s: any(other <= set(content(s.text)) for other in sides if other is not side))
            stretches += [s for s in on_side[:1] if _adds(s, stretches)]
    for stretch, probability in ranked[1:]:
        part = _shortest(stretch, probability, ranked) if probability >= ALSO else None
        if part and not has_back_reference(part.text) and _adds(part, stretches):  # it would point at another stretch
            stretches.append(part)
    return stretches


def _first(ranked: Sequence[tuple[Stretch, float]], query: str) -> Stretch:
    """The shortest sufficient part of the best stretch, or its whole list if the question asks for several things. An
    account goes on to the end of the stretch, because its first sentence alone seems to answer.
    """
    (best, probability), plan = ranked[0], plan_of(query)
    if plan.kind == "list" or plan.count > 1:
        lists = (s for s, _ in ranked if s.is_list and set(best.indices) <= set(s.indices))
        if whole := next(lists, None):
            return whole
    part = _shortest(best, probability, ranked, _sides(plan))
    if not asks_for_account(query):
        return part
    account = best.indices[best.indices.index(part.indices[0]) :]
    return next((s for s, _ in ranked if s.indices == account), part)


def _shortest(
    stretch: Stretch, sure: float, ranked: Sequence[tuple[Stretch, float]], sides: Sequence[set[str]] = ()
) -> Stretch:
    """The shortest part of a stretch that contains its best sentence and answers with nearly the same probability.

    sure: the probability that the whole stretch answers. sides: of a difference; a part names each side that the whole
    stretch names.
    """
    own = {s.core: probability for s, probability in sorted(ranked, key=lambda one: -len(one[0].indices))}
    best = max(stretch.indices, key=lambda index: own.get(index, 0.0))
    inside = [(s, probability) for s, probability in ranked if {best} <= set(s.indices) <= set(stretch.indices)]
    named = [side for side in sides if side <= set(content(stretch.text))]
    parts = [s for s, probability in inside
             if probability >= sure - NEARLY and all(side <= set(content(s.text)) for side in named)]  # fmt: skip
    return min(parts, key=lambda s: (has_back_reference(s.text), len(s.text.split())))


def _sides(plan: QuestionPlan) -> list[set[str]]:
    """For each side of a difference, the content words that only this side has; [] for other questions."""
    if plan.kind != "difference":
        return []
    words = [set(content(thing)) for thing in plan.things]
    distinct = [side - set().union(*(other for other in words if other is not side)) or side for side in words]
    return [side for side in distinct if side]


def _adds(stretch: Stretch, stretches: Sequence[Stretch]) -> bool:
    """True if `stretch` shares no sentence and few words with any of `stretches`, or gives another figure for the same
    thing, and the answer stays short."""
    words, figures = set(content(stretch.text)), numbers(stretch.text)
    for other in stretches:
        other_words, other_figures = set(content(other.text)), numbers(other.text)
        says_the_same = len(words & other_words) > 0.7 * min(len(words), len(other_words))
        # Two books may differ only in their figures of one thing.
        both = {**figures, **other_figures}
        bare, other_bare = ([w for w in content(text) if w not in both] for text in (stretch.text, other.text))
        disagrees = bare == other_bare and figures != other_figures
        if set(other.indices) & set(stretch.indices) or (says_the_same and not disagrees):
            return False
    together = (*stretches, stretch)
    few = sum(len(s.indices) for s in together) <= MAX_SENTENCES
    return few and sum(len(s.text.split()) for s in together) <= MOST_WORDS
