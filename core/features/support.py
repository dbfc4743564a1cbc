"""The support of each sentence of a draft by the passages, and facts and roles that they do not hold."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from core.case import Case, Signals
from core.features.claim_evidence import Premise, SentenceReading, Windows
from core.judgements import LABELS
from core.models.support_hints import HINTS, SupportWeights, logit
from core.text.answer_sentences import has_back_reference, without_questions
from core.text.rival_words import contrary_words
from core.text.swapped_roles import Location, swapped_in
from core.text.words import content, overlap, words


def swaps_of(case: Case) -> Mapping[int, Location]:
    """{index of a sentence of the answer that swaps roles: location of the contradicting sentences}."""
    passages = [
        ["" if n in p.broken else text for n, text in enumerate(without_questions(p.sentences))] for p in case.passages
    ]
    sentences = [s.text for s in case.sentences]
    swaps: dict[int, Location] = {}
    for n, sentence in enumerate(sentences):
        if location := swapped_in(sentence, passages):
            swaps[n] = location
    for n, (one, other) in enumerate(pairwise(sentences)):
        if has_back_reference(other):  # it speaks of the same thing as the sentence before it
            continue
        if location := swapped_in(f"{one.rstrip('.')}; {other}", passages):
            swaps |= {n: location, n + 1: location}
    return swaps


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


_SIGNALS = ("says", "denies", "weakest", "unheld", "rivals", "shared", "agrees", "differs")
"""The hints that are signals of the check unchanged."""
MAX_COUNT = 2
"""The cap of the counts of unheld facts and rivals: more of them add nothing."""


@dataclass(frozen=True, kw_only=True)
class SentenceSupport:
    """The hints on one sentence. unheld: number of facts without evidence. rivals: number of contrary words. shared:
    the share of its words in the evidence. agrees, differs: P(evidence and sentence give the same, another answer).
    premises: the best supporting premise of each claim; () without evidence. swap: the premise that swaps the
    attributes of the sentence, which denies it whatever the models measure."""

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
        """The values of the hints in the order of HINTS."""
        hints = {
            "near": logit(self.says), "against": logit(self.denies),
            "claims": logit(self.weakest),
            "unheld": min(self.unheld, MAX_COUNT), "rivals": min(self.rivals, MAX_COUNT),
            "shared": self.shared, "differs": self.differs,
        }  # fmt: skip
        return [float(hints[name]) for name in HINTS]

    @property
    def deciding(self) -> list[Premise]:
        """The premises that decide: the swap if there is one; else, for each claim, the premise that denies it, or the
        one that supports it most."""
        if self.swap:
            return [self.swap]
        each = zip(self.reading.claims, self.premises, strict=True)
        return [claim.denying or premise for claim, premise in each] if self.premises else []

    @property
    def says(self) -> float:
        """P(entailment) of the sentence by the nearest evidence, weighted; 0 for a swap."""
        return 0.0 if self.swap else self.reading.whole.near_entailment

    @property
    def denies(self) -> float:
        """P(contradiction) of the sentence by the nearest evidence, weighted; 1 for a swap."""
        return 1.0 if self.swap else self.reading.whole.contradiction

    @property
    def weakest(self) -> float:
        """The lowest P(entailment) of a claim, each by its best premise; 0 for a swap."""
        return 0.0 if self.swap else min(claim.entailment for claim in self.reading.claims)


def support_signals(supports: Sequence[SentenceSupport], passages: int, weights: SupportWeights) -> Signals:
    """The signals of the check `support`. passages: the number of passages of the case. The signals first and last are
    (sentence, passage): the range of deciding sentences of each passage, counted from 1; 0 for none."""
    first, last = np.zeros((len(supports), passages)), np.zeros((len(supports), passages))
    for n, one in enumerate(supports):
        for passage, sentence in (index for premise in one.deciding for index in premise.indices):
            first[n, passage] = min(first[n, passage] or sentence + 1, sentence + 1)
            last[n, passage] = max(last[n, passage], sentence + 1)
    columns = {name: [getattr(one, name) for one in supports] for name in _SIGNALS}
    hints = np.array([one.hints for one in supports], dtype=float).reshape(len(supports), len(HINTS))
    return {"probability": weights(hints), "first": first, "last": last, **columns}


def supporting_premises(case: Case, readings: Sequence[SentenceReading]) -> list[tuple[Premise, ...]]:
    """For each sentence, the best supporting premise of each of its claims; () without evidence."""
    return [
        tuple(p for claim in reading.claims if (p := claim.supporting(case.cited(sentence))) is not None)
        for sentence, reading in zip(case.sentences, readings, strict=True)
    ]


def sentence_support(
    case: Case,
    readings: Sequence[SentenceReading],
    premises: Sequence[tuple[Premise, ...]],
    unheld: Sequence[int],
    swaps: Mapping[int, Location],
    reader: Any,
) -> list[SentenceSupport]:
    """The hints on every sentence of the answer. premises: of `supporting_premises`. unheld: for each sentence, the
    number of facts without evidence. swaps: {index of a sentence: location of the passage sentences that swap it}."""
    result = []
    for n, (sentence, reading, some, count) in enumerate(zip(case.sentences, readings, premises, unheld, strict=True)):
        texts = [premise.text for claim in reading.claims if (premise := claim.likeliest) is not None]
        evidence = "\n".join(dict.fromkeys([*texts, *reading.whole.around[:1]]))
        agrees, differs = _agreement(case, sentence.text, reading, reader)
        support = SentenceSupport(
            reading=reading, unheld=count, rivals=len(contrary_words(sentence.text, "\n".join(dict.fromkeys(texts)))),
            shared=overlap(sentence.text, evidence), agrees=agrees, differs=differs, premises=some,
            swap=_swap_premise(case, swaps[n]) if n in swaps else None,
        )  # fmt: skip
        result.append(support)
    return result


def _swap_premise(case: Case, swap: Location) -> Premise:
    """The passage sentences of a swap as a premise."""
    passage, sentences = swap
    indices = tuple((passage, n) for n in sentences)
    text = " ".join(case.passages[passage].sentences[n] for n in sentences)
    return Premise(indices=indices, core=indices, nearness=1.0, text=text)


def _agreement(case: Case, sentence: str, reading: SentenceReading, reader: Any) -> tuple[float, float]:
    """(P(same answer), P(different answers)) of evidence and sentence to the question, by the reader, each in [0, 1].
    Both are 0 without evidence and for a turn that asks nothing."""
    wide = list(dict.fromkeys(reading.whole.around))
    if case.kind != "question" or not wide:
        return 0.0, 0.0
    question = case.question.standalone
    own, *spans = reader.read(question, [sentence, *wide])
    text, best = max(zip(wide, spans, strict=True), key=lambda one: one[1].probability)
    both = own.probability * best.probability
    answers = (sentence[slice(*own.span)], text[slice(*best.span)])
    first, second = (set(content(span)) or set(words(span)) for span in answers)
    # The share of the words of the shorter answer that the longer one holds.
    similarity = len(first & second) / min(len(first), len(second)) if first and second else 0.0
    return both * similarity, both * (1 - similarity)
