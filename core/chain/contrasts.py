"""Compares each sentence of the judged answer, which would go out without the guardrail, with the passages, and gives
the reason why the guardrail does not deliver the sentence.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from core.case import Round
from core.chain.correction import Rewrite, rewrites_of
from core.chain.delivery import bearing_passages, objections, restrict
from core.chain.judged_sentences import JudgedSentence, source_of
from core.chain.routing import SUPPORT
from core.chain.verdicts import Verdict
from core.text.conditions import mismatches, speaks_of_another
from core.text.quantities import quantities
from core.text.sentences import sentences
from core.text.words import overlap
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
    rows = zip(sentences_to_compare, objections(measured_round, preset), rewrites_of(measured_round), strict=True)
    return tuple(_contrast(measured_round, n, s, why, rewrite) for n, (s, why, rewrite) in enumerate(rows))


def _contrast(measured_round: Round, n: int, sentence: JudgedSentence, why: str, rewrite: Rewrite) -> Contrast:
    """The contrast of sentence `n`. why: the reason why it cannot be delivered, "" if it can. rewrite: its
    correction."""
    instead, passage, after = "", 0, rewrite.after
    if why and not sentence.supported and after and after.citations and after.text != rewrite.before.text:
        instead, passage = after.text, after.citations[0]
    if why and not instead and _is_denied(measured_round, n, sentence):
        instead, passage = _contradiction(measured_round, n)
    state = "fails" if why else "open" if sentence.abstains else "said"
    return Contrast(text=sentence.text, state=state, why=why, instead=instead, passage=passage)


def _is_denied(measured_round: Round, n: int, sentence: JudgedSentence) -> bool:
    """True if the passages contradict sentence `n`, by the signals of the check `support`, or by the NLI label if that
    check did not run.
    """
    signals = measured_round.signals.get(SUPPORT)
    if signals is None:
        return sentence.label == "contradiction"
    return bool(signals["denies"][n] > signals["says"][n] or signals["rivals"][n] > 0)


def _contradiction(measured_round: Round, n: int) -> tuple[str, int]:
    """The passage sentence that contradicts sentence `n`, and the number of its passage from 1; ("", 0) if there is
    none.

    It is chosen from the passage sentences that decided on the support of sentence `n`; those about another thing than
    the question are left out, since the speed of sound in air does not contradict that in water. If no passage decided,
    it is chosen from the passage with the highest probability of a contradiction. Of several, the one that shares most
    words with sentence `n` is returned.
    """
    if bearing := bearing_passages(measured_round, n):
        claim, source = measured_round.case.sentences[n].text, sentences(source_of(measured_round, n))
        denials = [text for text in source if _may_deny(measured_round.case.question.standalone, claim, text)]
        closest = max(denials, key=lambda text: overlap(claim, text), default="")
        return closest, bearing[0] if closest else 0
    signals = measured_round.signals["entailment"]
    contradictions = np.where(signals["considered"][n] > 0, signals["contradiction"][n], -1.0)
    passage_index = int(contradictions.argmax())
    window = measured_round.windows[n][passage_index] if measured_round.windows else ()
    passage, text = measured_round.case.passages[passage_index], measured_round.case.sentences[n].text
    if not window:
        return "", 0
    return passage.sentences[max(window, key=lambda i: overlap(text, passage.sentences[i]))], passage_index + 1


def _may_deny(question: str, claim: str, text: str) -> bool:
    """True if `text` is about the subject of `question` and, should `claim` contain a quantity, contains a quantity
    too.
    """
    is_other = mismatches(question, text) or speaks_of_another(question, claim, text)
    return not is_other and (bool(quantities(text)) or not quantities(claim))
