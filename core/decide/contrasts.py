"""Compares each sentence of the judged answer, which would go out without the guardrail, with the passages, and gives
the reason why the guardrail does not deliver the sentence.
"""

from dataclasses import dataclass
from typing import Literal

from core.case import SentenceFacts
from core.decide.delivery import objections, restrict
from core.decide.judged_sentences import JudgedSentence
from core.decide.verdicts import Verdict
from core.thresholds import Preset

MOST = 40
"""Maximum number of sentences of one answer that are compared."""


@dataclass(frozen=True, kw_only=True)
class Contrast:
    """One sentence of the answer as it would go out without the guardrail, compared with the passages.

    state: "fails" if the guardrail would not deliver the sentence; "open" if it would, but the passages do not support
    the sentence or it only says that there is no answer; else "said". why: the reason for "fails"; else "". instead:
    the passage sentence that should replace this sentence or that contradicts it; "" if there is none. passage: the
    number, from 1, of the passage of `instead`; 0 if there is none.
    """

    text: str
    state: Literal["said", "open", "fails"]
    why: str = ""
    instead: str = ""
    passage: int = 0


def contrasts(verdict: Verdict, preset: Preset) -> tuple[Contrast, ...]:
    """Return a contrast for each sentence of the judged answer, at most MOST. For a question in parts, those of all
    parts, at most MOST for each.
    """
    if verdict.parts:
        return tuple(c for part in verdict.parts for c in contrasts(part, preset))
    measured_round, sentences_to_compare = verdict.round, verdict.sentences[:MOST]
    if not sentences_to_compare:
        return ()
    if verdict.route == "deliver":
        return tuple(Contrast(text=s.text, state="said" if s.supported else "open") for s in sentences_to_compare)
    if len(sentences_to_compare) < len(verdict.sentences):
        measured_round = restrict(measured_round, range(len(sentences_to_compare)))
    rows = zip(sentences_to_compare, objections(measured_round, preset), measured_round.facts, strict=True)
    return tuple(_contrast(sentence, why, facts) for sentence, why, facts in rows)


def _contrast(sentence: JudgedSentence, why: str, facts: SentenceFacts) -> Contrast:
    """The contrast of one sentence. why: the reason why it cannot be delivered, "" if it can."""
    instead, passage, other = "", 0, facts.replacement
    if why and not sentence.supported and other and other.citations and other.text != sentence.text:
        instead, passage = other.text, other.citations[0]
    if why and not instead:
        instead, passage = facts.denial, facts.denial_passage
    state = "fails" if why else "open" if sentence.abstains else "said"
    return Contrast(text=sentence.text, state=state, why=why, instead=instead, passage=passage)
