"""What goes out of an answer: the whole, the sentences that hold, or the book's own words. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from core.case import Draft, Round, Sentence, Signals
from core.chain.check_results import Results, blocking, in_force, judge_answer, ordered
from core.chain.correction import CORRECTION, abstentions, rewritten
from core.chain.messages import left_out, marks_put_right
from core.chain.right_marks import mark_change, with_right_marks
from core.chain.routing import SUPPORT
from core.check import Check
from core.checks import all_checks
from core.checks.entailment import read_of, said_by_passages
from core.text.answer_sentences import leans, with_marks
from core.thresholds import Preset

LEANS = "It leans on a sentence that is left out."
AGAIN = "Said again from the passages."
UNSAID = "The passages do not say it."
OBJECTIONS: Mapping[str, str] = {
    "model_failure": "It could not be checked.",
    "abstained": "It says that there is no answer.",
    "computed": "It is computed, and was not checked.",
    "interest": "It is not something to say here.",
    "hallucination_detected": "The passages say otherwise, or do not hold something in it.",
    "unreadable_citations": "It has a citation that cannot be read.",
    "invalid_citations": "It cites a passage that is not there.",
    "missing_citations": "It does not say where it comes from.",
    "low_grounding": UNSAID,
    "beside_question": "It does not answer what was asked.",
    "hedging": "It hedges, or says nothing.",
}
"""Why a sentence is left out, by the reason of the first check that objects to it."""


@dataclass(frozen=True, kw_only=True)
class Change:
    """What became of one sentence of the judged answer, or of all of it where it was written again as a whole.

    after is "" for a sentence that is left out. why: of a sentence that is kept, what became of its marks. confidence:
    the probability that the passages bear out what goes out, of what is left out that of the sentence itself; None when
    it was not read against them.
    """

    done: Literal["kept", "changed", "left_out"]
    before: str
    after: str
    why: str
    confidence: float | None


@dataclass(frozen=True, kw_only=True)
class Delivery:
    """What goes out: the round that holds it, sentence by sentence how it came about, and the answer checks on it.

    `round` has the draft that goes out and the signals of just its sentences; `checks` are made anew over these.
    """

    round: Round
    changes: tuple[Change, ...]
    checks: Results

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        return self.round.case.sentences

    @property
    def text(self) -> str:
        """What goes out of the answer, without a word on what is left out."""
        draft = self.round.case.draft
        return draft.text if draft else ""

    @property
    def left_out(self) -> int:
        return sum(c.done == "left_out" for c in self.changes)

    @property
    def told(self) -> str:
        """What the user reads: the text, and a word on what is left out of it."""
        note = left_out(self.left_out)
        return f"{self.text}\n\n{note}" if note else self.text

    @property
    def marks_put_right(self) -> str:
        """The note on citation marks that were changed; "" where no mark changed."""
        return marks_put_right([c.why for c in self.changes if c.done == "kept" and c.why])


def whole(measured: Round, checks: Results, preset: Preset | None = None) -> Delivery:
    """The judged answer as it is, with what the checks said of it; its marks put right where `preset` says so."""
    out = measured if preset is None else with_right_marks(measured, preset)
    changes = tuple(
        Change(done="kept", before=s.text, after=s.text, why=mark_change(s, new), confidence=c)
        for s, new, c in zip(measured.case.sentences, out.case.sentences, support(measured), strict=True)
    )
    return Delivery(round=out, changes=changes, checks=checks)


def corrected(judged: Round, again: Round, checks: Results) -> Delivery:
    """The answer of `judged` as the round `again` says it, sentence by sentence or written again as a whole."""
    if again.case.draft.writer != CORRECTION:
        return Delivery(round=again, changes=(_written_again(judged, again),), checks=checks)
    said = dict(zip(again.case.sentences, support(again), strict=True))
    changes = tuple(
        _rewrite(r.before, r.after, said.get(r.after, own))
        for r, own in zip(rewritten(judged), support(judged), strict=True)
    )
    return Delivery(round=again, changes=changes, checks=checks)


def part(measured: Round, preset: Preset) -> Delivery | None:
    """The sentences that the passages say and that no blocking check objects to, as an answer of their own, with those
    that say of something else that there is no answer.

    None when there is no such sentence, when all are (the whole fails by something else), or when what is left over
    fails a blocking check in its turn.
    """
    against = objections(measured, preset)
    kept = tuple(n for n, why in enumerate(against) if not why)
    if not kept or len(kept) == len(against):
        return None
    rest = restricted(measured, kept)
    checks = judge_answer(rest, preset)
    if blocking(checks):
        return None
    return Delivery(round=with_right_marks(rest, preset), changes=_cuts(measured, against), checks=checks)


def without(measured: Round, kept: Sequence[int]) -> Delivery:
    """The sentences at the places `kept` as an answer of their own, whatever any check says of them."""
    against = ["" if n in kept else UNSAID for n in range(len(measured.case.sentences))]
    return Delivery(round=restricted(measured, kept), changes=_cuts(measured, against), checks={})


def restricted(measured: Round, kept: Sequence[int]) -> Round:
    """`measured` as if the answer had only the sentences at the places `kept`; nothing is measured anew.

    Each sentence was measured by itself, so what was measured on it stays true of it.
    """
    case, places = measured.case, list(kept)
    sentences = tuple(case.sentences[n] for n in places)
    draft = Draft(text=with_marks(sentences), sentences=sentences, writer=case.draft.writer, given=case.draft.given)
    signals = {c.name: _cut(c, measured.signals[c.name], places) for c in all_checks() if c.name in measured.signals}
    windows = tuple(measured.windows[n] for n in places) if measured.windows else ()
    told = {name: of.of(places) if (of := getattr(case, name)) else None for name in ("opinion", "judgement")}
    return replace(measured, case=replace(case, draft=draft, **told), signals=signals, windows=windows)


def leaning_of(measured: Round) -> np.ndarray:
    """For each sentence whether it leans on the one before it: (sentence,)."""
    return np.array([leans(s.text) for s in measured.case.sentences], dtype=bool)


def held_back(objected: np.ndarray, leaning: np.ndarray) -> np.ndarray:
    """Which sentences stay out: those objected to, and those that lean on one that is out: (..., sentence)."""
    out = np.array(objected)
    for n in range(1, out.shape[-1]):
        out[..., n] |= out[..., n - 1] & leaning[..., n]
    return out


def support(measured: Round) -> list[float | None]:
    """P(the passages bear it out) of each sentence by the check `support`, P(entailment) where that was not measured;
    None where it was not read against passages."""
    signals, read = measured.signals.get(SUPPORT), read_of(measured)
    if signals is not None:
        return [None if np.isnan(p) else float(p) for p in signals["probability"]]
    return [None] * len(measured.case.sentences) if read is None else read[:, 0].tolist()


def objections(measured: Round, preset: Preset) -> list[str]:
    """For each sentence why it cannot go out, "" for one that can, as one of an abstention among others may."""
    own = [
        "" if nothing else _objection(restricted(measured, [n]), preset)
        for n, nothing in enumerate(abstentions(measured))
    ]
    leaning = leaning_of(measured)
    out = held_back(np.array([bool(why) for why in own], dtype=bool), leaning)
    return [
        "" if not o else LEANS if n and out[n - 1] and leaning[n] else why
        for n, (o, why) in enumerate(zip(out, own, strict=True))
    ]


def _objection(alone: Round, preset: Preset) -> str:
    """Why this answer of one sentence cannot go out; "" when it can."""
    failed = ordered({r.reason for r in blocking(judge_answer(alone, preset))})
    if failed:
        return OBJECTIONS[failed[0]]
    return "" if in_force(SUPPORT, preset) or said_by_passages(alone)[0] else UNSAID


def _cuts(measured: Round, objections: Sequence[str]) -> tuple[Change, ...]:
    return tuple(
        Change(done="left_out" if why else "kept", before=s.text, after="" if why else s.text, why=why, confidence=c)
        for s, why, c in zip(measured.case.sentences, objections, support(measured), strict=True)
    )


def _cut(check: Check, signals: Signals, places: list[int]) -> Signals:
    """The signals of one check for the sentences at `places` only; those that know no sentences stay."""
    axes = {
        name: signal.items.index("sentence") for name, signal in check.signals().items() if "sentence" in signal.items
    }
    return {n: np.take(a, places, axis=axes[n]) if n in axes else a for n, a in signals.items()}


def _written_again(judged: Round, again: Round) -> Change:
    """The whole answer as one change: which new sentence stands for which old one nobody knows."""
    before, after = (" ".join(s.text for s in r.case.sentences) for r in (judged, again))
    sure = [c for c in support(again) if c is not None]
    return Change(done="changed", before=before, after=after, why=AGAIN, confidence=min(sure, default=None))


def _rewrite(before: Sentence, after: Sentence | None, confidence: float | None) -> Change:
    if after is None:
        return Change(done="left_out", before=before.text, after="", why=UNSAID, confidence=confidence)
    if after.text == before.text:
        return Change(done="kept", before=before.text, after=after.text, why="", confidence=confidence)
    return Change(done="changed", before=before.text, after=after.text, why=AGAIN, confidence=confidence)
