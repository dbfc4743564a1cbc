"""The hints (inputs of a fitted model) on how well the passages support each sentence of a draft."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.case import Case, Signals
from core.features.claim_evidence import Premise, SentenceReading
from core.judgements import MAX_COUNT
from core.models.support_hints import HINTS, SupportWeights, logit
from core.text.claims import clause_about
from core.text.sentences import sentences
from core.text.words import content, overlap, words

_FEW_WORDS = 3
_SIGNALS = ("says", "denies", "weakest", "unheld", "crossed", "shared", "differs")
"""The attributes of `SentenceSupport` that are signals of the check `support`, under the same names."""


@dataclass(frozen=True, kw_only=True)
class SentenceSupport:
    """The hints on whether the passages support one sentence.

    reading: NLI of the sentence and its claims. unheld: number of its facts without evidence. shared: share of its
    content words that are in the evidence. differs: P(evidence and sentence give different answers to the question).
    premises: for each claim, the premise that supports it best; () without evidence. is_short: True for a text of a few
    words, such as "In 1880.", which states something only as an answer; NLI takes it for anything that the passage says
    with these words, so the reader decides. crossed: True if it gives one of two things what the passages say of the
    other, to which the models are blind; they then count for nothing.
    """

    reading: SentenceReading
    unheld: int
    shared: float
    differs: float
    premises: tuple[Premise, ...]
    is_short: bool = False
    crossed: bool = False

    @property
    def hints(self) -> list[float]:
        """The inputs of the fitted model, in the order of HINTS; probabilities as logits."""
        hints = {
            "near": logit(self.says), "against": logit(self.denies), "claims": logit(self.weakest),
            "unheld": min(self.unheld, MAX_COUNT), "shared": self.shared, "differs": self.differs,
        }  # fmt: skip
        return [float(hints[name]) for name in HINTS]

    @property
    def deciding(self) -> list[Premise]:
        """The premises that decide on the sentence, one for each claim: the premise that contradicts the claim, or, if
        none does, the premise that supports it most.
        """
        each = zip(self.reading.claims, self.premises, strict=True)
        return [claim.denying or premise for claim, premise in each] if self.premises else []

    @property
    def says(self) -> float:
        """The highest product of P(entailment) of the whole sentence by a premise and the weight of that premise; 0 if
        it is crossed.
        """
        return 0.0 if self.crossed else self.reading.whole.near_entailment

    @property
    def denies(self) -> float:
        """The highest product of P(contradiction) of the whole sentence by a premise and the weight of that premise,
        or for a short answer `differs` if that is more; 1 if it is crossed.
        """
        by_reader = self.differs if self.is_short else 0.0
        return 1.0 if self.crossed else max(by_reader, self.reading.whole.contradiction)

    @property
    def weakest(self) -> float:
        """The lowest P(entailment) among the claims of the sentence, each by the premise that entails it most; 0 if it
        is crossed.
        """
        return 0.0 if self.crossed else min(claim.entailment for claim in self.reading.claims)


def support_signals(supports: Sequence[SentenceSupport], passages: int, weights: SupportWeights) -> Signals:
    """The signals of the check `support`. passages: number of passages of the case. weights: the fitted model.

    The signals `first` and `last` are (sentence, passage): the numbers, from 1, of the first and last sentence of the
    passage that decided on the sentence; 0 if none did.
    """
    first, last = np.zeros((len(supports), passages)), np.zeros((len(supports), passages))
    for n, one in enumerate(supports):
        for passage, sentence in (index for premise in one.deciding for index in premise.indices):
            first[n, passage] = min(first[n, passage] or sentence + 1, sentence + 1)
            last[n, passage] = max(last[n, passage], sentence + 1)
    columns = {name: [getattr(one, name) for one in supports] for name in _SIGNALS}
    hints = np.array([one.hints for one in supports], dtype=float).reshape(len(supports), len(HINTS))
    return {"probability": weights(hints), "first": first, "last": last, **columns}


def sentence_support(
    case: Case,
    readings: Sequence[SentenceReading],
    premises: Sequence[tuple[Premise, ...]],
    unheld: Sequence[int],
    crossed: Sequence[bool],
    reader: Any,
) -> list[SentenceSupport]:
    """The hints on every sentence of the answer.

    premises: for each sentence, the premises that support its claims best, one for each claim. unheld: for each
    sentence, the number of its facts without evidence. crossed: True for each sentence that gives a thing what the
    passages say of another.
    """
    result = []
    each = zip(case.sentences, readings, premises, unheld, crossed, strict=True)
    for sentence, reading, some, count, is_crossed in each:
        texts = [premise.text for claim in reading.claims if (premise := claim.likeliest) is not None]
        evidence = "\n".join(dict.fromkeys([*texts, *reading.whole.around[:1]]))
        support = SentenceSupport(
            reading=reading, unheld=count, shared=overlap(sentence.text, evidence),
            differs=_difference(case, sentence.text, reading, reader), premises=some,
            is_short=_is_short(sentence.text), crossed=is_crossed,
        )  # fmt: skip
        result.append(support)
    return result


def _is_short(text: str) -> bool:
    return len(words(text)) <= _FEW_WORDS


def _difference(case: Case, sentence: str, reading: SentenceReading, reader: Any) -> float:
    """P(evidence and sentence give different answers to the question), by the reader, in [0, 1]; 0 without evidence and
    for a turn that is no question.
    """
    wide = list(dict.fromkeys(reading.whole.around))
    if case.kind != "question" or not wide:
        return 0.0
    question = case.question.standalone
    if _is_short(sentence):  # "Asha." must be compared with that half of a sentence which the question is about
        wide = [" ".join(clause_about(text, question) for text in sentences(around)) for around in wide]
    own, *spans = reader.read(question, [sentence, *wide])
    text, best = max(zip(wide, spans, strict=True), key=lambda one: one[1].probability)
    if _is_short(sentence):  # for the reader, which expects a sentence, "In 1880." answers nothing
        answer, surely = sentence, 1.0
    else:
        answer, surely = sentence[slice(*own.span)], own.probability
    both, answers = surely * best.probability, (answer, text[slice(*best.span)])
    first, second = (set(content(span)) or set(words(span)) for span in answers)
    # The share of the words of the shorter answer that the longer one holds.
    similarity = len(first & second) / min(len(first), len(second)) if first and second else 0.0
    return both * (1 - similarity)
