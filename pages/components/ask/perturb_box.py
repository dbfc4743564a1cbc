"""Break this answer: one change in it, judged on the same passages, both verdicts side by side."""

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


def break_box(trace: Trace, first: Verdict, preset: Preset) -> None:
    """One sentence where no answer is given out and none was broken."""
    draft, held = first.round.case.draft, breaking()
    if held and (held.trace is None or not _is_of(held, trace, first)):
        held = None
    if not (first.route == "deliver" or held) or draft is None:
        st.caption("Only an answer that goes out as it was written can be broken.")
        return
    st.caption("Spoil one thing in the answer and see whether a check notices. Press again for another change.")
    _buttons(trace, draft.text, first.round.case.passages, held)
    if held:
        _beside(held.broken, first, verdict(held.trace, preset), preset)


def _buttons(trace: Trace, text: str, passages: tuple[Passage, ...], held: Breaking | None) -> None:
    with st.container(horizontal=True, gap="small"):
        for way, label in LABELS.items():
            broken = another(way, text, passages, held.broken if held else None)
            st.button(
                label, key=f"break {way}", icon=":material/edit:", disabled=not broken.changed,
                help=plain(broken.why) or None, on_click=_break,
                args=(Breaking(question=trace.question, text=text, broken=broken),),
            )  # fmt: skip
    if reasons := [broken.why for way in WAYS if not (broken := _broken(way, text, passages, 0)).changed]:
        st.caption(plain(" ".join(reasons)))


def another(way: Way, text: str, passages: tuple[Passage, ...], shown: Broken | None) -> Broken:
    """A way of breaking an answer that is not the one on screen, if there is another."""
    found = (_broken(way, text, passages, seed) for seed in range(_TRIES))
    first = next(found)
    if shown is None or shown.way != way:
        return first
    options = list(dict.fromkeys([first, *found]))
    return options[(options.index(shown) + 1) % len(options)] if shown in options else first


@lru_cache(maxsize=256)
def _broken(way: Way, text: str, passages: tuple[Passage, ...], seed: int) -> Broken:
    return WAYS[way](text, passages, seed)


def _break(chosen: Breaking) -> None:
    """Judge this broken answer; a callback."""
    break_answer(chosen)
    st.rerun()


def is_to_be_read(trace: Trace, preset: Preset) -> bool:
    """True where an answer to this question was broken, is looked at, and models have to read it under `preset`."""
    held = breaking()
    if held is None or value(DETAILS_FIELD) != DETAILS[-1]:
        return False
    if not _is_of(held, trace, sensitivity_of(trace).verdict(preset)):
        return False
    known = _known(held)
    return known is None or next_step(known, preset).action == "measure"


def read_broken(trace: Trace, preset: Preset, explorer: "Explorer") -> None:
    """Models read the broken answer as far as `preset` needs it, where it is looked at."""
    if not is_to_be_read(trace, preset):
        return
    held, known = breaking(), _known(breaking())
    try:
        if known is None:
            usage().take(questions=1)
    except QuotaError as error:
        mend_answer()
        show(error)
        return
    with waiting("Reading the broken answer against the same passages …", "breaking", mend_answer):
        judged = explorer.complete(known or explorer.judge_instead(trace, held.broken.answer), preset)
    break_answer(replace(held, trace=judged, measured_with=asked().measured_with))


def _is_of(held: Breaking, trace: Trace, now: Verdict) -> bool:
    """True for an answer that was broken from the one that `now` is about."""
    draft = now.round.case.draft
    return draft is not None and (held.question, held.text) == (trace.question, draft.text)


def _known(held: Breaking) -> Trace | None:
    """What models read of it under the settings of the question on screen."""
    now = asked()
    return held.trace if now and held.measured_with == now.measured_with else None


def _beside(broken: Broken, first: Verdict, second: Verdict, preset: Preset) -> None:
    st.markdown(f"**{DONE[broken.way]}:** {change(broken)}")
    st.markdown(said(first, second))
    for column, title, shown, text in zip(
        st.columns(2, gap="small"), ("As it was", "Broken"), (first, second),
        (plain(first.round.case.draft.text), tracked(broken)), strict=True,
    ):  # fmt: skip
        with column, st.container(border=True, key=f"side {title}"):
            st.markdown(f"**{title}:** {headline(shown)}  \n{figures(shown, preset)}")
            st.markdown(text)
            if shown.route != "deliver":
                st.caption(plain(shown.explanation))
                st.caption(plain(f"What goes out: {shown.answer}"))


def change(broken: Broken) -> str:
    """The old words, an arrow and the new ones."""
    after = f"**{plain(broken.after)}**" if broken.after.strip() else "*left out*"
    before = f"**{plain(broken.before)}**" if broken.before.strip() else "*nothing*"
    return f"{before} :material/arrow_forward: {after}"


def tracked(broken: Broken) -> str:
    """The broken answer with the old words struck out and the new ones behind them."""
    start, end = broken.answer[: broken.place], broken.answer[broken.place + len(broken.after) :]
    old = f"~~{plain(broken.before)}~~" if broken.before.strip() else ""
    new = f":blue-background[**{plain(broken.after)}**]" if broken.after.strip() else ""
    changed = " ".join(part for part in (old, new) if part)
    return f"{plain(start)}{_space(start[-1:] + broken.before[:1])}{changed}{_space(end[:1])}{plain(end)}"


def _space(beside: str) -> str:
    """A blank where the text has one at a place of which these are the letters beside it."""
    return " " if any(letter.isspace() for letter in beside) else ""


def said(first: Verdict, second: Verdict) -> str:
    """Which checks noticed the change, or that none did, in plain words."""
    new = [r for name, r in second.checks.items() if r.state == "failed" and first.checks[name].state != "failed"]
    blocking, watching = ([r for r in new if r.blocks == blocks] for blocks in (True, False))
    watched = f" Only watching: {_named(watching)}." if watching else ""
    if second.route == "deliver":
        return f":red[:material/visibility_off: **{NONE_CAUGHT}**]{watched}"
    if blocking:
        whys = "".join(f"\n- {_named([r])}: {plain(r.why)}" for r in blocking)
        return f":green[:material/check_circle: **Caught by {_counted(blocking)}**]{watched}\n{whys}"
    why = "the answer is stopped with the change as it is without it" if first.route != "deliver" else "something broke"
    return f":gray[:material/radio_button_unchecked: **No check caught the change itself:** {why}.]{watched}"


def _counted(results: Sequence[CheckResult]) -> str:
    return "one check" if len(results) == 1 else f"{len(results)} checks"


def _named(results: Sequence[CheckResult]) -> str:
    """Each check in plain words with its name beside them."""
    return ", ".join(f"{plain(Check.registry[r.name].plain)} :gray[({plain(r.name)})]" for r in results)
