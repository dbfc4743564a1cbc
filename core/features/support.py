"""What bears on whether the passages bear out each sentence of an answer: hints from several models and rules."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.case import Case, Signals
from core.features.claim_evidence import Premise
from core.features.claim_readings import SentenceReading
from core.models.support_hints import HINTS, SupportWeights, logit
from core.text.contrary_words import contrary_words
from core.text.swapped_roles import Location
from core.text.words import content, overlap, words

_SHOWN = ("says", "denies", "weakest", "unheld", "rivals", "shared", "agrees", "differs")
"""What the check shows as it is."""
MOST_COUNTED = 2
"""Numbers and names without evidence, and rivals, count up to here: more make nothing worse."""


@dataclass(frozen=True, kw_only=True)
class SentenceSupport:
    """What bears on one sentence. premises: for each claim the one that bears it out most; () without evidence. swap:
    what the passages say the other way round, which denies the sentence whatever the models say."""

    reading: SentenceReading
    unheld: int
    rivals: int
    shared: float
    agrees: float
    differs: float
    premises: tuple[Premise, ...]
    swap: Premise | None = None

    @property
    def hints(self) -> list[float]:
        """In the order of HINTS."""
        hints = {
            "near": logit(self.says), "against": logit(self.denies),
            "claims": logit(self.weakest),
            "unheld": min(self.unheld, MOST_COUNTED), "rivals": min(self.rivals, MOST_COUNTED),
            "shared": self.shared, "differs": self.differs,
        }  # fmt: skip
        return [float(hints[name]) for name in HINTS]

    @property
    def deciding(self) -> list[Premise]:
        """What says it the other way round; else for each claim the premise that denies it, where one does, or the one
        that bears it out most."""
        if self.swap:
            return [self.swap]
        each = zip(self.reading.claims, self.premises, strict=True)
        return [claim.denying or premise for claim, premise in each] if self.premises else []

    @property
    def says(self) -> float:
        """How surely the nearest evidence says it."""
        return 0.0 if self.swap else self.reading.whole.near_entailment

    @property
    def denies(self) -> float:
        """How surely the nearest evidence says otherwise."""
        return 1.0 if self.swap else self.reading.whole.contradiction

    @property
    def weakest(self) -> float:
        """The highest P(entailment) of the claim that has the lowest."""
        return 0.0 if self.swap else min(claim.entailment for claim in self.reading.claims)


def support_signals(found: Sequence[SentenceSupport], passages: int, weights: SupportWeights) -> Signals:
    """The signals of the check `support`. passages: how many the case has."""
    first, last = np.zeros((len(found), passages)), np.zeros((len(found), passages))
    for n, one in enumerate(found):
        for passage, place in (place for premise in one.deciding for place in premise.places):
            first[n, passage] = min(first[n, passage] or place + 1, place + 1)
            last[n, passage] = max(last[n, passage], place + 1)
    columns = {
        **{name: [getattr(one, name) for one in found] for name in _SHOWN},
    }
    hints = np.array([one.hints for one in found], dtype=float).reshape(len(found), len(HINTS))
    return {"probability": weights(hints), "first": first, "last": last, **columns}


def supporting_premises(case: Case, readings: Sequence[SentenceReading]) -> list[tuple[Premise, ...]]:
    """For each sentence the premise that bears out each of its claims most; () without evidence."""
    found = []
    for sentence, reading in zip(case.sentences, readings, strict=True):
        cited = case.cited(sentence)
        found.append(tuple(p for claim in reading.claims if (p := claim.supporting(cited)) is not None))
    return found


def sentence_support(
    case: Case,
    readings: Sequence[SentenceReading],
    premises: Sequence[tuple[Premise, ...]],
    unheld: Sequence[int],
    swaps: Mapping[int, Location],
    reader: Any,
) -> list[SentenceSupport]:
    """What bears on every sentence of the answer. unheld: how many numbers and names of each no evidence holds. swaps:
    what the passages say the other way round than the sentence at a place."""
    found = []
    for n, (sentence, reading, some, count) in enumerate(zip(case.sentences, readings, premises, unheld, strict=True)):
        said = [premise.text for claim in reading.claims if (premise := claim.likeliest) is not None]
        held = "\n".join(dict.fromkeys([*said, *reading.whole.around[:1]]))
        agrees, differs = _agreement(case, sentence.text, reading, reader)
        support = SentenceSupport(
            reading=reading, unheld=count, rivals=len(contrary_words(sentence.text, "\n".join(dict.fromkeys(said)))),
            shared=overlap(sentence.text, held), agrees=agrees, differs=differs, premises=some,
            swap=_otherwise(case, swaps[n]) if n in swaps else None,
        )  # fmt: skip
        found.append(support)
    return found


def _otherwise(case: Case, swap: Location) -> Premise:
    """What the passages say the other way round, as a premise."""
    passage, sentences = swap
    places = tuple((passage, n) for n in sentences)
    text = " ".join(case.passages[passage].sentences[n] for n in sentences)
    return Premise(places=places, core=places, nearness=1.0, text=text)


def _agreement(case: Case, sentence: str, reading: SentenceReading, reader: Any) -> tuple[float, float]:
    """How surely the reader finds the same answer to the question in the evidence and in the sentence, and how surely
    two different ones: each in [0, 1]. Both 0 where it finds none, or where the turn asks nothing."""
    wide = list(dict.fromkeys(reading.whole.around))
    if case.kind != "question" or not wide:
        return 0.0, 0.0
    question = case.question.standalone
    said, *found = reader.read(question, [sentence, *wide])
    text, best = max(zip(wide, found, strict=True), key=lambda one: one[1].probability)
    both = said.probability * best.probability
    alike = _alike(sentence[slice(*said.span)], text[slice(*best.span)])
    return both * alike, both * (1 - alike)


def _alike(one: str, other: str) -> float:
    """Share of the words of the shorter of two answers that the longer holds."""
    first, second = (set(content(text)) or set(words(text)) for text in (one, other))
    return len(first & second) / min(len(first), len(second)) if first and second else 0.0
