"""The results of the checks for each sentence of a draft: its support, its passages, and whether it abstains."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from core.case import Round, Sentence, SentenceFacts
from core.check import Bound, mode_of
from core.checks import check_of
from core.checks.citations import supported_mask
from core.checks.entailment import label_indices, read_of, said_by_passages
from core.checks.hedging import is_abstention
from core.checks.support import quoted_for
from core.decide.delivery import bearing_passages
from core.judgements import LABELS
from core.thresholds import Preset

Abstention = Literal["right", "over_cautious"]
ABSTENTIONS: Mapping[Abstention, str] = {
    "right": "That is right: the passages do not answer the question.",
    "over_cautious": "That is over-cautious: the passages answer the question.",
}
"""The sentence for each kind of abstention; it is shown after the text of the reason `abstained`."""


def abstention_of(measured_round: Round, preset: Preset) -> Abstention | None:
    """Return "right" or "over_cautious" if the answer of one round is an abstention, else None.

    It is "right" if P(the passages answer the question) is below the threshold `min_answer_relevance`. None also if the
    check `hedging` did not run.
    """
    signals = measured_round.signals.get("hedging")
    if signals is None or not is_abstention(bound := Bound(**signals)):
        return None
    limit = check_of("answer_relevance").bind(preset).min_answer_relevance
    return "over_cautious" if bound.answerable >= limit else "right"


WORDS = {
    "entailment": "supports the sentence (entailment)", "neutral": "leaves it open (neutral)",
    "contradiction": "contradicts the sentence (contradiction)",
}  # fmt: skip
"""NLI label -> its meaning in plain words, with its name: "supports the sentence (entailment)"."""


@dataclass(frozen=True, kw_only=True)
class JudgedSentence:
    """One sentence with its citations and its NLI label.

    citations: numbers of passages from 1. attributed: True if the sentence has no marks and the citations were found
    for it by the project. label: None if NLI did not run; entailment, neutral, contradiction are its three
    probabilities. supported: True if the passages support the sentence, by the check `support` if that blocks, else by
    the label. source: the passage sentence that decided on the support, "" if none was compared. abstains: True if the
    sentence only says that there is no answer; it then has no label. objection: why the guardrail would not deliver it,
    "" if it would; then instead: the passage sentence that should replace it or that contradicts it, "" if there is
    none, and instead_passage: the number of its passage, 0 if there is none.
    """

    text: str
    citations: tuple[int, ...]
    attributed: bool
    label: str | None
    entailment: float | None
    neutral: float | None
    contradiction: float | None
    supported: bool = False
    source: str = ""
    abstains: bool = False
    objection: str = ""
    instead: str = ""
    instead_passage: int = 0

    @property
    def state(self) -> Literal["said", "open", "fails"]:
        """fails: the guardrail would not deliver it. open: it would, but the passages do not support the sentence, or
        the sentence only says that there is no answer. said: the passages support it.
        """
        return "fails" if self.objection else "said" if self.supported and not self.abstains else "open"


def judged_sentences(
    measured_round: Round, preset: Preset, objections: Sequence[str] = ()
) -> tuple[JudgedSentence, ...]:
    """The sentences of the draft of one round, in order. objections: one for each of them (facts.py); () for none."""
    case, support, probabilities = measured_round.case, measured_round.signals.get("support"), read_of(measured_round)
    labels = np.full(len(case.sentences), -1) if probabilities is None else label_indices(probabilities)
    is_supported, abstains = _supported(measured_round, preset), measured_round.flags("abstains")
    sentences = []
    for n, sentence in enumerate(case.sentences):
        label, values = (None, [None] * 3) if labels[n] < 0 else (LABELS[labels[n]], probabilities[n].tolist())
        judged = JudgedSentence(
            text=sentence.text, **_citations(measured_round, n, sentence, preset), supported=bool(is_supported[n]),
            source="" if support is None else quoted_for(case, Bound(**support), n), label=label,
            **dict(zip(LABELS, values, strict=True)),
            abstains=bool(abstains[n]), objection=objections[n] if objections else "",
        )  # fmt: skip
        sentences.append(_with_book(judged, measured_round.facts[n]) if judged.objection else judged)
    return tuple(sentences)


def _with_book(sentence: JudgedSentence, facts: SentenceFacts) -> JudgedSentence:
    """A sentence that cannot be delivered, with what the passages say instead of it. What was measured as its denial
    may be a title or a row of a table, which ends in no full stop; such a text says nothing, so it is not shown."""
    other = facts.replacement
    if not sentence.supported and other and other.citations and other.text != sentence.text:
        return replace(sentence, instead=other.text, instead_passage=other.citations[0])
    if not facts.denial.rstrip("\"'”’)]").endswith((".", "!", "?")):
        return sentence
    return replace(sentence, instead=facts.denial, instead_passage=facts.denial_passage)


def _supported(measured_round: Round, preset: Preset) -> np.ndarray:
    """True for each sentence that the passages support: bool (sentence,)."""
    signals = measured_round.signals.get("support")
    support = check_of("support")
    if signals is None or mode_of(support, preset) != "blocks":
        return said_by_passages(measured_round)
    return signals["probability"] >= support.bind(preset).min_support


def deciding(measured_round: Round, passage: int) -> dict[int, int]:
    """Return {index of a sentence in the passage: index of the answer sentence on which it decided}, for all sentences
    that were in a deciding NLI premise.

    passage: index of the passage. If a passage sentence decided on several answer sentences, the first counts.
    """
    sentence_by_index: dict[int, int] = {}
    signals = measured_round.signals.get("entailment")
    for s, windows in enumerate(measured_round.windows):
        if signals is not None and signals["considered"][s][passage]:
            sentence_by_index |= {i: s for i in windows[passage] if i not in sentence_by_index}
    return sentence_by_index


def _citations(measured_round: Round, n: int, sentence: Sentence, preset: Preset) -> dict:
    """{"citations", "attributed"} of sentence `n`: its own marks. If it has no mark, the passages that support it or
    the one that shares most words, and "attributed" is then True.
    """
    signals = measured_round.signals.get("citations")
    bound = check_of("citations").bind(preset)
    is_unmarked = not sentence.citations and not sentence.unreadable
    if signals is None or not is_unmarked or not measured_round.case.evidence:
        return {"citations": sentence.citations, "attributed": False}
    bearing = bearing_passages(measured_round, n) if supported_mask(Bound(**signals), bound)[n] else ()
    by_words = (int(signals["nearest"][n]) + 1,) if signals["attribution"][n] >= bound.min_attribution else ()
    return {"citations": bearing or by_words, "attributed": bool(bearing or by_words)}
