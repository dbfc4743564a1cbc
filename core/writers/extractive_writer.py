"""The writer that quotes: it picks the stretches of the evidence that answer the question, and never invents."""

from collections.abc import Sequence
from itertools import islice
from typing import Any

import numpy as np

from core.case import Draft, Evidence, Sentence
from core.models.answer_hints import hints_of, stretches_for
from core.models.stretches import Stretch
from core.platform.jobs import TURNS
from core.text.answer_sentences import with_marks
from core.text.question_plan import QuestionPlan, plan_of, side_questions
from core.text.words import content

MAX_SENTENCES = 3
"""Most sentences of an answer of several stretches; a list alone may have more."""
MOST_WORDS = 90
"""Most words of one."""
NEARLY = 0.05
"""The shortest part of a stretch that answers at most so much less probably is taken in its place."""
ALSO = 0.75
"""A further stretch joins when it answers at least this probably."""
OTHER_SIDE = 0.1
"""One on the other side of a difference joins when it answers at least this probably: it is only half of an answer."""


class ExtractiveWriter:
    """Picks the stretches of the evidence that answer, each sentence cited, the one that answers best first.

    It depends on signals only: no threshold decides what it writes.
    """

    name = "extractive"

    def __init__(self, models: Any) -> None:
        self.models = models

    def write(self, query: str, evidence: tuple[Evidence, ...]) -> Draft:
        """A draft of one stretch, or of several that each add something; empty where no sentence states anything."""
        with TURNS.taken():
            ranked = self.ranked(query, evidence)
            by_side = [self.ranked(question, evidence) for question in side_questions(query)]
        chosen = _both_sides(ranked, by_side, plan_of(query)) or _chosen(ranked, plan_of(query))
        places = dict.fromkeys(place for stretch in chosen for place in stretch.places)
        sentences = tuple(Sentence(text=evidence[p].passage.sentences[n], citations=(p + 1,)) for p, n in places)
        return Draft(text=with_marks(sentences), sentences=sentences, writer=self.name)

    def ranked(self, query: str, evidence: tuple[Evidence, ...]) -> list[tuple[Stretch, float]]:
        """The stretches that may answer with P(each answers), the best first."""
        stretches = stretches_for(query, evidence, self.models)
        if not stretches:
            return []
        answers = self.models.reader.weights(hints_of(query, stretches, evidence, self.models))
        order = np.argsort(-answers, kind="stable")
        return [(stretches[n], float(answers[n])) for n in order]


def _both_sides(
    ranked: Sequence[tuple[Stretch, float]], by_side: Sequence[Sequence[tuple[Stretch, float]]], plan: QuestionPlan
) -> list[Stretch]:
    """What each side of a difference is, where both are surer than any stretch that tells the difference; else [].

    by_side: for each side the stretches that may say what it is, the best first.
    """
    best = [
        next(((s, sure) for s, sure in stretches if side <= set(content(s.text))), None)
        for side, stretches in zip(_sides(plan), by_side, strict=False)
    ]
    if len(best) < 2 or None in best or min(sure for _, sure in best) < ranked[0][1]:
        return []
    one, other = (_shortest(*top, stretches) for top, stretches in zip(best, by_side, strict=True))
    apart = not set(one.places) & set(other.places)
    return [one, other] if apart and len(f"{one.text} {other.text}".split()) <= MOST_WORDS else []


def _chosen(ranked: Sequence[tuple[Stretch, float]], plan: QuestionPlan) -> list[Stretch]:
    """The best stretch; of a difference or a comparison also the best one on each side that it does not name; and those
    that answer surely and say something else. Of each the shortest part that is enough."""
    if not ranked:
        return []
    chosen = [_first(ranked, plan)]
    for side in _sides(plan):
        if not any(side <= set(content(s.text)) for s in chosen):
            on_side = (s for s, sure in ranked if sure >= OTHER_SIDE and side <= set(content(s.text)))
            chosen += [s for s in islice(on_side, 1) if _adds(s, chosen)]
    for stretch, sure in ranked[1:]:
        part = _shortest(stretch, sure, ranked) if sure >= ALSO else None
        if part and _adds(part, chosen):
            chosen.append(part)
    return chosen


def _first(ranked: Sequence[tuple[Stretch, float]], plan: QuestionPlan) -> Stretch:
    """The shortest part of the best stretch that is enough; all of its list where several things are asked for."""
    best, sure = ranked[0]
    if plan.kind == "list" or plan.count > 1:
        lists = (s for s, _ in ranked if s.is_list and set(best.places) <= set(s.places))
        if whole := next(lists, None):
            return whole
    return _shortest(best, sure, ranked)


def _shortest(stretch: Stretch, sure: float, ranked: Sequence[tuple[Stretch, float]]) -> Stretch:
    """The shortest part of a stretch that answers nearly as probably as all of it (`sure`); its best sentence, by
    itself or with what it needs, is in it."""
    own = {s.core: probability for s, probability in sorted(ranked, key=lambda one: -len(one[0].places))}
    best = max(stretch.places, key=lambda place: own.get(place, 0.0))
    inside = [(s, probability) for s, probability in ranked if {best} <= set(s.places) <= set(stretch.places)]
    parts = [s for s, probability in inside if probability >= sure - NEARLY]
    return min(parts, key=lambda s: len(s.text.split()))


def _sides(plan: QuestionPlan) -> list[set[str]]:
    """The content words that tell each side of a difference or a comparison from the other."""
    if plan.kind not in ("difference", "comparison"):
        return []
    words = [set(content(thing)) for thing in plan.things]
    own = [some - set().union(*(w for w in words if w is not some)) or some for some in words]
    return [some for some in own if some]


def _adds(stretch: Stretch, chosen: Sequence[Stretch]) -> bool:
    """True when it shares no sentence with a chosen one, says other things than each, and leaves the answer short."""
    held = set(content(stretch.text))
    for other in chosen:
        words = set(content(other.text))
        if set(other.places) & set(stretch.places) or len(held & words) > 0.7 * min(len(held), len(words)):
            return False
    together = (*chosen, stretch)
    few = sum(len(s.places) for s in together) <= MAX_SENTENCES
    return few and sum(len(s.text.split()) for s in together) <= MOST_WORDS
