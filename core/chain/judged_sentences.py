"""The judgement on each sentence of an answer: its source, what the passages say about it, and what becomes of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from core.case import Round, Sentence
from core.chain.check_results import in_force
from core.chain.correction import abstentions
from core.chain.delivery import objections, restricted
from core.chain.right_marks import bearing_passages
from core.chain.routing import SUPPORT
from core.check import Bound, Check
from core.checks.citations import found_by_meaning
from core.checks.entailment import labelled, read_of, said_by_passages
from core.checks.support import quoted_for
from core.judgements import LABELS
from core.text.words import overlap
from core.thresholds import Preset

if TYPE_CHECKING:
    from core.chain.verdicts import Verdict

WORDS = {"entailment": "says it", "neutral": "leaves it open", "contradiction": "says otherwise"}
"""What a passage does with a sentence, in plain words, by NLI label."""
MOST = 40
"""Largest number of sentences that are compared one by one without the guardrail."""


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


@dataclass(frozen=True, kw_only=True)
class Contrast:
    """One sentence without the guardrail, compared with the guardrail.

    state: "said" if the passages say it, "open" if they leave it open and nothing stops it, or if it only abstains,
    else "fails". why: the objection. instead, passage: the sentence that says otherwise and the number of its passage;
    "" and 0 without one.
    """

    text: str
    state: Literal["said", "open", "fails"]
    why: str = ""
    instead: str = ""
    passage: int = 0


def contrasts(verdict: "Verdict", preset: Preset) -> tuple[Contrast, ...]:
    """Every sentence of the judged answer, for all parts of a question; at most MOST of each part."""
    if verdict.parts:
        return tuple(c for part in verdict.parts for c in contrasts(part, preset))
    measured, sentences = verdict.round, verdict.sentences[:MOST]
    if not sentences:
        return ()
    if verdict.route == "deliver":
        return tuple(Contrast(text=s.text, state="said" if s.supported else "open") for s in sentences)
    if len(sentences) < len(verdict.sentences):
        measured = restricted(measured, range(len(sentences)))
    reasons = objections(measured, preset)
    return tuple(_contrast(measured, n, s, why) for n, (s, why) in enumerate(zip(sentences, reasons, strict=True)))


def _contrast(measured: Round, n: int, sentence: JudgedSentence, why: str) -> Contrast:
    """The contrast of sentence `n`, with the objection `why`."""
    instead, passage = _contradiction(measured, n) if why and _is_denied(measured, n, sentence) else ("", 0)
    state = "fails" if why else "open" if sentence.abstains else "said"
    return Contrast(text=sentence.text, state=state, why=why, instead=instead, passage=passage)


def _is_denied(measured: Round, n: int, sentence: JudgedSentence) -> bool:
    """Do the passages contradict sentence `n`: by the evidence closest in meaning if there is any, else by
    the label?
    """
    signals = measured.signals.get(SUPPORT)
    if signals is None:
        return sentence.label == "contradiction"
    return bool(signals["denies"][n] > signals["says"][n] or signals["rivals"][n] > 0)


def _contradiction(measured: Round, n: int) -> tuple[str, int]:
    """The sentence that contradicts sentence `n`, and the number of its passage from 1.

    It is the one closest in meaning, else the one with most words in common in the passage that contradicts most. ("",
    0) if none was compared.
    """
    if bearing := bearing_passages(measured, n):
        return source_of(measured, n), bearing[0]
    signals = measured.signals["entailment"]
    contradictions = np.where(signals["considered"][n] > 0, signals["contradiction"][n], -1.0)
    passage_index = int(contradictions.argmax())
    window = measured.windows[n][passage_index] if measured.windows else ()
    passage, text = measured.case.passages[passage_index], measured.case.sentences[n].text
    if not window:
        return "", 0
    return passage.sentences[max(window, key=lambda i: overlap(text, passage.sentences[i]))], passage_index + 1
