"""Corrects citation marks: a sentence that another passage supports than it cites gets the mark of that passage."""

from dataclasses import replace

import numpy as np

from core.case import Draft, Round, Sentence
from core.check import Bound, Check
from core.checks.citations import Citations, found_by_meaning
from core.text.answer_sentences import with_marks
from core.thresholds import Preset


def bearing_passages(measured: Round, index: int) -> tuple[int, ...]:
    """Numbers from 1 of the passages that decided on one sentence; () if none was compared. place: index of the
    sentence.
    """
    signals = measured.signals.get("support")
    return () if signals is None else tuple(int(p) + 1 for p in np.flatnonzero(signals["first"][index]))


def right_marks(measured: Round, preset: Preset) -> list[tuple[int, ...]]:
    """For each sentence, the passages that it should cite.

    These are its own, unless none of them decided on it, another passage supports it, and `preset` allows the
    correction.
    """
    signals = measured.signals.get(Citations.name)
    if signals is None:
        return [s.citations for s in measured.case.sentences]
    right = found_by_meaning(Bound(**signals), Check.registry[Citations.name].bind(preset))
    return [
        _corrected_marks(sentence, bearing_passages(measured, n)) if right[n] else sentence.citations
        for n, sentence in enumerate(measured.case.sentences)
    ]


def _corrected_marks(sentence: Sentence, bearing: tuple[int, ...]) -> tuple[int, ...]:
    """The passages in `bearing` if the sentence cites only others, else its own."""
    shared_passages = set(sentence.citations) & set(bearing)
    return bearing if bearing and sentence.citations and not shared_passages else sentence.citations


def with_right_marks(measured: Round, preset: Preset) -> Round:
    """Return `measured` with corrected marks; the same object if no mark changes."""
    marks = right_marks(measured, preset)
    case = measured.case
    sentences = tuple(replace(s, citations=m) for s, m in zip(case.sentences, marks, strict=True))
    if sentences == case.sentences:
        return measured
    draft: Draft = replace(case.draft, text=with_marks(sentences), sentences=sentences)
    return replace(measured, case=replace(case, draft=draft))


def mark_change(before: Sentence, after: Sentence) -> str:
    """The change of a sentence's marks in words, such as [3] became [1]; "" if they are the same."""
    if before.citations == after.citations:
        return ""
    old, new = ("".join(f"[{n}]" for n in sentence.citations) for sentence in (before, after))
    return f"{old} became {new}"
