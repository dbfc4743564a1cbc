"""Each sentence of an answer without the guardrail: do the passages say it, and what has the guardrail against it?"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from core.case import Round
from core.chain.delivery import objections, restricted
from core.chain.judged_sentences import JudgedSentence, source_of
from core.chain.right_marks import bearing_passages
from core.chain.routing import SUPPORT
from core.chain.verdicts import Verdict
from core.text.words import overlap
from core.thresholds import Preset

MOST = 40
"""Most sentences that are looked at one by one without the guardrail."""


@dataclass(frozen=True, kw_only=True)
class Contrast:
    """One sentence without the guardrail beside with it.

    state: the passages say it, leave it open though nothing stops it, or it fails. One that only says that there is no
    answer is left open.

    why: what stands against it. instead: what the passage of this number says otherwise, "" and 0 without one.
    """

    text: str
    state: Literal["said", "open", "fails"]
    why: str = ""
    instead: str = ""
    passage: int = 0


def contrasts(verdict: Verdict, preset: Preset) -> tuple[Contrast, ...]:
    """Every sentence of the judged answer, of all parts of a question; at most MOST of each."""
    if verdict.parts:
        return tuple(c for part in verdict.parts for c in contrasts(part, preset))
    measured, sentences = verdict.round, verdict.sentences[:MOST]
    if not sentences:
        return ()
    if verdict.route == "deliver":
        return tuple(Contrast(text=s.text, state="said" if s.supported else "open") for s in sentences)
    if len(sentences) < len(verdict.sentences):
        measured = restricted(measured, range(len(sentences)))
    against = objections(measured, preset)
    return tuple(_contrast(measured, n, s, why) for n, (s, why) in enumerate(zip(sentences, against, strict=True)))


def _contrast(measured: Round, n: int, sentence: JudgedSentence, why: str) -> Contrast:
    """Sentence `n`, with `why` against it."""
    instead, passage = _otherwise(measured, n) if why and _denied(measured, n, sentence) else ("", 0)
    state = "fails" if why else "open" if sentence.abstains else "said"
    return Contrast(text=sentence.text, state=state, why=why, instead=instead, passage=passage)


def _denied(measured: Round, n: int, sentence: JudgedSentence) -> bool:
    """Whether the passages say otherwise than sentence `n`: by the evidence nearest in meaning, else by the label."""
    signals = measured.signals.get(SUPPORT)
    if signals is None:
        return sentence.label == "contradiction"
    return bool(signals["denies"][n] > signals["says"][n] or signals["rivals"][n] > 0)


def _otherwise(measured: Round, n: int) -> tuple[str, int]:
    """The sentence of a passage that says otherwise than sentence `n`, and the passage's number from 1: the one that is
    nearest in meaning, else of the passage that contradicts it the most the one that shares most of its words."""
    if bearing := bearing_passages(measured, n):
        return source_of(measured, n), bearing[0]
    signals = measured.signals["entailment"]
    against = np.where(signals["considered"][n] > 0, signals["contradiction"][n], -1.0)
    place = int(against.argmax())
    window = measured.windows[n][place] if measured.windows else ()
    passage, said = measured.case.passages[place], measured.case.sentences[n].text
    if not window:
        return "", 0
    return passage.sentences[max(window, key=lambda i: overlap(said, passage.sentences[i]))], place + 1
