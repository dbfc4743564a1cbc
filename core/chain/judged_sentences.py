"""The results of the checks for each sentence of a draft: its support, its passages, and whether it abstains."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from core.case import Round, Sentence
from core.chain.check_results import check_named, in_force
from core.chain.correction import abstentions
from core.chain.delivery import bearing_passages
from core.chain.routing import SUPPORT
from core.check import Bound, Check
from core.checks.citations import found_by_meaning
from core.checks.entailment import labelled, read_of, said_by_passages
from core.checks.hedging import abstained
from core.checks.support import quoted_for
from core.judgements import LABELS
from core.thresholds import Preset

Abstention = Literal["right", "over_cautious"]
ABSTENTIONS: Mapping[Abstention, str] = {
    "right": "That is right: the passages do not answer the question.",
    "over_cautious": "That is over-cautious: the passages answer the question.",
}
"""Sentence for each kind; it follows the text of the reason `abstained`."""


def abstention_of(measured: Round, preset: Preset) -> Abstention | None:
    """Whether an abstaining answer of one round is right.

    It is right if the passages answer with less than the relevance that an answer must have. None for an answer that
    states something, and for one without the signals.
    """
    signals = measured.signals.get("hedging")
    if signals is None or not abstained(bound := Bound(**signals)):
        return None
    limit = check_named("answer_relevance").bind(preset).min_answer_relevance
    return "over_cautious" if bound.answerable >= limit else "right"


def joint_abstention(parts: Sequence[Abstention | None]) -> Abstention | None:
    """The same for a question in parts: None if some part is answered, "over_cautious" if one part is."""
    if not parts or None in parts:
        return None
    return "over_cautious" if "over_cautious" in parts else "right"


WORDS = {"entailment": "supports it", "neutral": "leaves it open", "contradiction": "contradicts it"}
"""What a passage does with a sentence, in plain words, by NLI label."""


@dataclass(frozen=True, kw_only=True)
class JudgedSentence:
    """One sentence with its citations and its NLI label.

    citations: numbers of passages from 1, marked in the answer, or found for it (`attributed`). label: None if NLI did
    not run. supported: whether the passages support it, by the check `support` if that blocks, else by the label.
    source: the sentence of the passages that decided, "" if none was compared. abstains: it only says that there is no
    answer, and has no label.
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


def judged_sentences(measured: Round, preset: Preset) -> tuple[JudgedSentence, ...]:
    """The sentences of the draft of one round, in order."""
    labels, supported, abstains = _labels(measured), _supported(measured, preset), abstentions(measured)
    return tuple(
        JudgedSentence(
            text=sentence.text, **_citations(measured, n, sentence, preset), supported=bool(supported[n]),
            source=source_of(measured, n),
            label=label, entailment=probabilities[0], neutral=probabilities[1], contradiction=probabilities[2],
            abstains=bool(abstains[n]),
        )
        for n, (sentence, (label, probabilities)) in enumerate(zip(measured.case.sentences, labels, strict=True))
    )  # fmt: skip


def _supported(measured: Round, preset: Preset) -> np.ndarray:
    """For each sentence, whether the passages support it: bool (sentence,)."""
    signals = measured.signals.get(SUPPORT)
    if signals is None or not in_force(SUPPORT, preset):
        return said_by_passages(measured)
    return signals["probability"] >= Check.registry[SUPPORT].bind(preset).min_support


def source_of(measured: Round, n: int) -> str:
    """The sentence of the passages that decided on sentence `n`, two if it needs both; "" if none was compared."""
    signals = measured.signals.get(SUPPORT)
    return "" if signals is None else quoted_for(measured.case, Bound(**signals), n)


def deciding(measured: Round, passage: int) -> dict[int, int]:
    """Map sentences of one passage to the sentence of the answer that they decided, by the windows of NLI.

    Keys and values are indices of sentences.
    """
    decided: dict[int, int] = {}
    signals = measured.signals.get("entailment")
    for s, windows in enumerate(measured.windows):
        if signals is not None and signals["considered"][s][passage]:
            decided |= {i: s for i in windows[passage] if i not in decided}
    return decided


def cited_page(measured: Round, passage_index: int, sentences: Sequence[Sentence | JudgedSentence]) -> int:
    """The page on which the cited text of one passage begins.

    That text is the passage sentence that `sentences` quote, else one that decided, else the first that was kept.
    """
    evidence = measured.case.evidence[passage_index]
    texts = {s.text for s in sentences if passage_index + 1 in s.citations}
    quoted = [i for i, text in enumerate(evidence.passage.sentences) if text in texts]
    relevant = quoted or sorted(deciding(measured, passage_index)) or evidence.kept
    return evidence.passage.pages[relevant[0]] if relevant else evidence.passage.page


def _citations(measured: Round, n: int, sentence: Sentence, preset: Preset) -> dict:
    """The marks of a sentence, or the passages that were found for it if it has none."""
    signals = measured.signals.get("citations")
    bound = Check.registry["citations"].bind(preset)
    is_unmarked = not sentence.citations and not sentence.unreadable
    if signals is None or not is_unmarked or not measured.case.evidence:
        return {"citations": sentence.citations, "attributed": False}
    bearing = bearing_passages(measured, n) if found_by_meaning(Bound(**signals), bound)[n] else ()
    by_words = (int(signals["nearest"][n]) + 1,) if signals["attribution"][n] >= bound.min_attribution else ()
    return {"citations": bearing or by_words, "attributed": bool(bearing or by_words)}


def _labels(measured: Round) -> list[tuple[str | None, tuple]]:
    """(label, its three probabilities) of each sentence; None where NLI did not run."""
    probabilities, unread = read_of(measured), (None, (None, None, None))
    if probabilities is None:
        return [unread] * len(measured.case.sentences)
    labels = zip(labelled(probabilities), probabilities.tolist(), strict=True)
    return [unread if i < 0 else (LABELS[i], tuple(row)) for i, row in labels]
