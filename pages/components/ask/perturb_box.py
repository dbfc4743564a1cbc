"""The box "Break it": change one thing in the answer, judge it on the same passages, compare the verdicts."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

import streamlit as st

from core.case import Passage, Trace
from core.chain import CheckResult, Verdict, next_step, verdict
from core.check import Check
from core.evaluation.perturb import WAYS, Broken, Way
from core.platform.quotas import QuotaError
from core.presentation.check_tiles import reason
from core.thresholds import Preset
from pages.components.ask.verdict_box import figures, headline
from pages.components.shared.progress import waiting
from pages.components.shared.question_state import (
    Breaking,
    asked,
    break_answer,
    breaking,
    mend_answer,
    sensitivity_of,
)  # fmt: skip
from pages.components.shared.safe_display import plain, show
from pages.components.shared.session import DETAILS, DETAILS_FIELD, usage, value

if TYPE_CHECKING:
    from core.graph import Explorer

LABELS: dict[Way, str] = {
    "number": "Change a number", "negation": "Negate a sentence", "name": "Swap a name", "citation": "Drop a citation",
}  # fmt: skip
DONE: dict[Way, str] = {
    "number": "Number changed", "negation": "Sentence negated", "name": "Name swapped", "citation": "Citation dropped",
}  # fmt: skip
NONE_CAUGHT = "No check caught this: the broken answer would be given out."
_TRIES = 8
"""Random seeds that are tried to find another perturbation."""


def break_box(trace: Trace, first: Verdict, preset: Preset) -> None:
    """Draw the buttons that perturb the answer, and the comparison of both verdicts once one was pressed.

    Draw one sentence instead if the answer is not delivered as written and none was perturbed. first: the verdict on
    the original answer.
    """
    draft, current = first.round.case.draft, breaking()
    if current and (current.trace is None or not _is_of(current, trace, first)):
        current = None
    if not (first.route == "deliver" or current) or draft is None:
        st.caption("Only an answer that goes out as it was written can be broken.")
        return
    st.caption("Introduce an error into the answer and see whether a check notices. Press again for another change.")
    _buttons(trace, draft.text, first.round.case.passages, current)
    if current:
        _comparison(current.broken, first, verdict(current.trace, preset), preset)


def _buttons(trace: Trace, text: str, passages: tuple[Passage, ...], current: Breaking | None) -> None:
    with st.container(horizontal=True, gap="small"):
        for kind, label in LABELS.items():
            broken = another(kind, text, passages, current.broken if current else None)
            st.button(
                label, key=f"break {kind}", icon=":material/edit:", disabled=not broken.changed,
                help=plain(broken.why) or None, on_click=_break,
                args=(Breaking(question=trace.question, text=text, broken=broken),),
            )  # fmt: skip
    if reasons := [broken.why for kind in WAYS if not (broken := _broken(kind, text, passages, 0)).changed]:
        st.caption(plain(" ".join(reasons)))


def another(kind: Way, text: str, passages: tuple[Passage, ...], current: Broken | None) -> Broken:
    """A perturbation of this kind that differs from `current`, the one on screen, if there is one."""
    perturbations = (_broken(kind, text, passages, random_seed) for random_seed in range(_TRIES))
    first = next(perturbations)
    if current is None or current.way != kind:
        return first
    options = list(dict.fromkeys([first, *perturbations]))
    return options[(options.index(current) + 1) % len(options)] if current in options else first


@lru_cache(maxsize=256)
def _broken(kind: Way, text: str, passages: tuple[Passage, ...], random_seed: int) -> Broken:
    return WAYS[kind](text, passages, random_seed)


def _break(perturbed: Breaking) -> None:
    """Set the perturbed answer to judge and rerun the whole page; a callback."""
    break_answer(perturbed)
    st.rerun()


def is_to_be_read(trace: Trace, preset: Preset) -> bool:
    """True if the visible perturbed answer of this question needs measuring under `preset`."""
    current = breaking()
    if current is None or value(DETAILS_FIELD) != DETAILS[-1]:
        return False
    if not _is_of(current, trace, sensitivity_of(trace).verdict(preset)):
        return False
    known = _valid_trace(current)
    return known is None or next_step(known, preset).action == "measure"


def read_broken(trace: Trace, preset: Preset, explorer: "Explorer") -> None:
    """Measure the visible perturbed answer as far as `preset` needs it."""
    if not is_to_be_read(trace, preset):
        return
    current = breaking()
    known = _valid_trace(current)
    try:
        if known is None:
            usage().take(questions=1)
    except QuotaError as error:
        mend_answer()
        show(error)
        return
    with waiting("Reading the broken answer against the same passages …", "breaking", mend_answer):
        judged = explorer.complete(known or explorer.judge_instead(trace, current.broken.answer), preset)
    break_answer(replace(current, trace=judged, measured_with=asked().measured_with))


def _is_of(perturbed: Breaking, trace: Trace, original: Verdict) -> bool:
    """True if `perturbed` is a perturbation of the answer that `original` judges."""
    draft = original.round.case.draft
    return draft is not None and (perturbed.question, perturbed.text) == (trace.question, draft.text)


def _valid_trace(perturbed: Breaking) -> Trace | None:
    """The trace of the perturbed answer; None if it was measured with other settings than the question on screen."""
    question = asked()
    return perturbed.trace if question and perturbed.measured_with == question.measured_with else None


def _comparison(broken: Broken, first: Verdict, second: Verdict, preset: Preset) -> None:
    st.markdown(f"**{DONE[broken.way]}:** {change(broken)}")
    st.markdown(said(first, second, broken.way))
    for column, title, side, text in zip(
        st.columns(2, gap="small"), ("As it was", "Broken"), (first, second),
        (plain(first.round.case.draft.text), tracked(broken)), strict=True,
    ):  # fmt: skip
        with column, st.container(border=True, key=f"side {title}"):
            st.markdown(f"**{title}:** {headline(side)}  \n{figures(side, preset)}")
            st.markdown(text)
            if side.route != "deliver":
                st.caption(plain(side.explanation))
                st.caption(plain(f"What goes out: {side.answer}"))


def change(broken: Broken) -> str:
    """The old words, an arrow and the new words, as Markdown."""
    after = f"**{plain(broken.after)}**" if broken.after.strip() else "*left out*"
    before = f"**{plain(broken.before)}**" if broken.before.strip() else "*nothing*"
    return f"{before} :material/arrow_forward: {after}"


def tracked(broken: Broken) -> str:
    """The perturbed answer as Markdown, with the old words struck out before the new ones."""
    start, end = broken.answer[: broken.place], broken.answer[broken.place + len(broken.after) :]
    old = f"~~{plain(broken.before)}~~" if broken.before.strip() else ""
    new = f":blue-background[**{plain(broken.after)}**]" if broken.after.strip() else ""
    changed = " ".join(part for part in (old, new) if part)
    return f"{plain(start)}{_space(start[-1:] + broken.before[:1])}{changed}{_space(end[:1])}{plain(end)}"


def _space(neighbours: str) -> str:
    """A space if one of these characters, the neighbours of a position, is white space; else ""."""
    return " " if any(letter.isspace() for letter in neighbours) else ""


def said(original: Verdict, changed: Verdict, way: Way) -> str:
    """Which checks noticed the change, or that none did, as Markdown. way: what was changed.

    An answer that goes out after a citation was dropped still cites enough, so there is nothing to catch.
    """

    def names(results: Sequence[CheckResult]) -> str:
        return ", ".join(f"{plain(Check.registry[r.name].plain)} :gray[({plain(r.name)})]" for r in results)

    new = [r for name, r in changed.checks.items() if r.state == "failed" and original.checks[name].state != "failed"]
    blocking, watching = ([r for r in new if r.blocks == blocks] for blocks in (True, False))
    note = f" Monitor only: {names(watching)}." if watching else ""
    if changed.route == "deliver" and way == "citation":
        cited = changed.checks["citations"]
        return f":gray[:material/info: **Nothing to catch:** {plain(reason(cited))}]{note}"
    if changed.route == "deliver":
        return f":red[:material/visibility_off: **{NONE_CAUGHT}**]{note}"
    if blocking:
        count = "one check" if len(blocking) == 1 else f"{len(blocking)} checks"
        reasons = "".join(f"\n- {names([r])}: {plain(r.why)}" for r in blocking)
        return f":green[:material/check_circle: **Caught by {count}**]{note}\n{reasons}"
    is_stopped_anyway = original.route != "deliver"
    why = "the answer is stopped with the change as it is without it" if is_stopped_anyway else "something broke"
    return f":gray[:material/radio_button_unchecked: **No check caught the change itself:** {why}.]{note}"
