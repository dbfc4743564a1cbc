"""Decides which text is delivered: the whole answer, the sentences that pass, or sentences of the passages. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from core.case import Draft, Round, Sentence, with_marks
from core.check import Bound
from core.checks import all_checks, check_of
from core.checks.citations import supported_mask
from core.checks.entailment import read_of
from core.decide.check_results import Results, judge
from core.decide.facts import UNSUPPORTED
from core.decide.messages import omission_note
from core.thresholds import Preset


def bearing_passages(measured_round: Round, index: int) -> tuple[int, ...]:
    """The numbers, from 1, of the passages that decided on the support of a sentence; () if there are none."""
    signals = measured_round.signals.get("support")
    return () if signals is None else tuple(int(p) + 1 for p in np.flatnonzero(signals["first"][index]))


def with_right_marks(measured_round: Round, preset: Preset) -> Round:
    """Return `measured_round` with corrected marks.

    If some passage supports a sentence, and `preset` allows the correction, numbers that lead to no passage go, and the
    passages that decided on its support take the place of other passages.
    """
    signals, marks = measured_round.signals.get("citations"), []
    if signals is None:
        return measured_round
    right = supported_mask(Bound(**signals), check_of("citations").bind(preset))
    for n, sentence in enumerate(measured_round.case.sentences):
        citations = tuple(c + 1 for c in measured_round.case.cited(sentence)) if right[n] else sentence.citations
        bearing = bearing_passages(measured_round, n) if right[n] else ()
        cites_only_others = bearing and sentence.citations and not set(citations) & set(bearing)
        marks.append(bearing if cites_only_others else citations)
    return _cited(measured_round, marks)


def _cited(measured_round: Round, marks: Sequence[tuple[int, ...]]) -> Round:
    """Return `measured_round` with these marks, one tuple for each sentence; the same object if no mark changes."""
    case = measured_round.case
    sentences = tuple(replace(s, citations=m) for s, m in zip(case.sentences, marks, strict=True))
    if sentences == case.sentences:
        return measured_round
    draft: Draft = replace(case.draft, text=with_marks(sentences), sentences=sentences)
    return replace(measured_round, case=replace(case, draft=draft))


CORRECTION = "correction"
"""The writer's name in a draft that a correction made."""
REWRITE_REASON = "Rewritten from the book."


@dataclass(frozen=True, kw_only=True)
class Change:
    """The change of one sentence of the judged answer, or of the whole answer if it was rewritten as a whole.

    before, after: the text before and after the change; after is "" if the sentence is left out. why: why it was
    changed or left out; for a kept sentence the change of its citation marks, "" for none. confidence: the probability
    that the passages support `after`, or `before` if the sentence is left out; None if it was not compared with
    passages.
    """

    done: Literal["kept", "changed", "left_out"]
    before: str
    after: str
    why: str
    confidence: float | None


@dataclass(frozen=True, kw_only=True)
class Delivery:
    """The delivered answer. round: has the delivered draft, and the signals of its sentences only. changes: one for
    each judged sentence, or one for an answer rewritten as a whole. checks: the answer checks on the delivered draft.
    """

    round: Round
    changes: tuple[Change, ...]
    checks: Results

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        return self.round.case.sentences

    @property
    def text(self) -> str:
        """The text that is delivered, without the note on sentences that are left out."""
        draft = self.round.case.draft
        return draft.text if draft else ""

    @property
    def left_out(self) -> int:
        return sum(c.done == "left_out" for c in self.changes)

    @property
    def full_text(self) -> str:
        """The text for the user, with the note on sentences that are left out."""
        note = omission_note(self.left_out)
        return f"{self.text}\n\n{note}" if note else self.text

    @property
    def marks_put_right(self) -> str:
        """The note on citation marks that were changed; "" if no mark changed."""
        changed = [c.why for c in self.changes if c.done == "kept" and c.why]
        return f"Citations corrected: {', '.join(changed)}." if changed else ""


def confidences(changes: Sequence[Change]) -> str:
    """The confidence in each sentence that is kept, in percent; "" if none was measured."""
    kept = [change.confidence for change in changes if change.done == "kept"]
    percentages = [(n, f"{100 * c:.0f} %") for n, c in enumerate(kept, 1) if c is not None]
    if len(kept) == 1 and percentages:
        return f"Support of the sentence: {percentages[0][1]}."
    return f"Support: {', '.join(f'sentence {n} {percent}' for n, percent in percentages)}." if percentages else ""


def whole(measured_round: Round, checks: Results, preset: Preset | None = None) -> Delivery:
    """Deliver the judged answer as it is, with citation marks corrected where `preset` asks for it (None: nowhere)."""
    out, changes = measured_round if preset is None else with_right_marks(measured_round, preset), []
    sentences = zip(measured_round.case.sentences, out.case.sentences, support(measured_round), strict=True)
    for before, after, confidence in sentences:
        old, new = ("".join(f"[{n}]" for n in sentence.citations) for sentence in (before, after))
        changes.append(_change(before, after, "" if old == new else f"{old} became {new}", confidence))
    return Delivery(round=out, changes=tuple(changes), checks=checks)


def correct(judged_round: Round, corrected_round: Round, checks: Results) -> Delivery:
    """Deliver the answer of `judged_round` in the version of the round `corrected_round`, each sentence with its marks.

    The correction rewrites sentence by sentence; another writer rewrites the answer as a whole. A sentence without a
    mark gets the passages that decided on its support.
    """
    marks = [
        s.citations if s.citations or s.unreadable else bearing_passages(corrected_round, n)
        for n, s in enumerate(corrected_round.case.sentences)
    ]
    out = _cited(corrected_round, marks)
    if corrected_round.case.draft.writer != CORRECTION:
        # Nobody knows which new sentence replaces which old one: the answer is one change.
        before, after = (" ".join(s.text for s in r.case.sentences) for r in (judged_round, corrected_round))
        least = min((c for c in support(corrected_round) if c is not None), default=None)
        change = Change(done="changed", before=before, after=after, why=REWRITE_REASON, confidence=least)
        return Delivery(round=out, changes=(change,), checks=checks)
    supports, changes = dict(zip(corrected_round.case.sentences, support(corrected_round), strict=True)), []
    sentences = zip(judged_round.case.sentences, judged_round.facts, support(judged_round), strict=True)
    for before, facts, confidence in sentences:
        after = before if facts.stays else facts.replacement
        why = UNSUPPORTED if after is None else "" if after.text == before.text else REWRITE_REASON
        changes.append(_change(before, after, why, supports.get(after, confidence)))
    return Delivery(round=out, changes=tuple(changes), checks=checks)


def part(measured_round: Round, objections: Sequence[str], preset: Preset) -> Delivery:
    """Deliver the sentences without an objection. objections: one for each sentence, "" for none (facts.py)."""
    rest = restrict(measured_round, [n for n, objection in enumerate(objections) if not objection])
    changes = _left_out_changes(measured_round, objections)
    return Delivery(round=with_right_marks(rest, preset), changes=changes, checks=judge(rest, preset, "answer"))


def without(measured_round: Round, indices: Sequence[int]) -> Delivery:
    """Deliver only the sentences at `indices`, whatever the checks say about them; all other sentences are left out."""
    reasons = ["" if n in indices else UNSUPPORTED for n in range(len(measured_round.case.sentences))]
    return Delivery(
        round=restrict(measured_round, indices), changes=_left_out_changes(measured_round, reasons), checks={}
    )


def restrict(measured_round: Round, sentence_indices: Sequence[int]) -> Round:
    """`measured_round` with only some sentences. Each was measured by itself, so that its signals stay valid."""
    case, indices = measured_round.case, list(sentence_indices)
    items = {(c.name, n): signal.items for c in all_checks() for n, signal in c.signals().items()}

    def taken(signal: tuple[str, str], values: np.ndarray) -> np.ndarray:
        axes = items.get(signal, ())
        return np.take(values, indices, axis=axes.index("sentence")) if "sentence" in axes else values

    sentences = tuple(case.sentences[n] for n in indices)
    draft = Draft(text=with_marks(sentences), sentences=sentences, writer=case.draft.writer, given=case.draft.given)
    opinions = {name: of.select(indices) if (of := getattr(case, name)) else None for name in ("opinion", "judgement")}
    return replace(
        measured_round, case=replace(case, draft=draft, **opinions),
        signals={c: {n: taken((c, n), a) for n, a in own.items()} for c, own in measured_round.signals.items()},
        windows=tuple(measured_round.windows[n] for n in indices) if measured_round.windows else (),
        facts=tuple(measured_round.facts[n] for n in indices) if measured_round.facts else (),
    )  # fmt: skip


def support(measured_round: Round) -> list[float | None]:
    """For each sentence, P(the passages support it) by the check `support`, or P(entailment) if that check did not run.
    None for a sentence that was not compared with passages.
    """
    signals, probabilities = measured_round.signals.get("support"), read_of(measured_round)
    if signals is not None:
        return [None if np.isnan(p) else float(p) for p in signals["probability"]]
    return [None] * len(measured_round.case.sentences) if probabilities is None else probabilities[:, 0].tolist()


def _left_out_changes(measured_round: Round, objections: Sequence[str]) -> tuple[Change, ...]:
    """One change for each sentence: left out if its text in `objections` is not empty, else kept."""
    return tuple(
        _change(s, None if objection else s, objection, c)
        for s, objection, c in zip(measured_round.case.sentences, objections, support(measured_round), strict=True)
    )


def _change(before: Sentence, after: Sentence | None, why: str, confidence: float | None) -> Change:
    """The change from one sentence to another, or to None if it is left out. why, confidence: see `Change`."""
    text = after.text if after else ""
    done = "left_out" if after is None else "kept" if text == before.text else "changed"
    return Change(done=done, before=before.text, after=text, why=why, confidence=confidence)
