"""The rounds of a question side by side: what each asked, what it found, and which one answers."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from core.case import Round, Trace
from core.chain import ROUNDS, Verdict, confidence_of
from core.chain.facts import limits
from core.chain.number_format import beside, number
from core.chain.routing import GROUNDING
from core.thresholds import Preset
from pages.components.shared.safe_display import counted, plain

TITLES = {
    "first": "First search", "refined 1": "Asked again", "refined 2": "Asked again, wider",
    "corrected": "Said again from the passages", "rechecked": "Looked at again",
}  # fmt: skip
WIDTH = 300


@dataclass(frozen=True, kw_only=True)
class Told:
    """One round in words. chosen: why it is the one that answers, "" for the others."""

    name: str
    lines: tuple[str, ...]
    chosen: str


def rounds(trace: Trace, verdict: Verdict, preset: Preset) -> None:
    """The rounds side by side; nothing for a question that took only one."""
    told = told_rounds(trace, verdict, preset)
    if len(told) < 2:
        return
    with st.container(horizontal=True, gap="small"):
        for one in told:
            with st.container(border=True, width=WIDTH, key=f"round {one.name}"):
                st.markdown(round_text(one))


def round_text(one: Told) -> str:
    """One round as Markdown."""
    mark = f":green[:material/check_circle: **This one answers.**] {plain(one.chosen)}" if one.chosen else ""
    return "  \n".join(line for line in (f"**{TITLES[one.name]}**", *one.lines, mark) if line)


def told_rounds(trace: Trace, verdict: Verdict, preset: Preset) -> list[Told]:
    """The rounds on the way of `verdict`, in its order."""
    searched = _searched(trace, verdict)
    told = [_search(r, searched[:n], verdict, preset) for n, r in enumerate(searched)]
    judged = trace.round(verdict.round.of) if verdict.round.name == "rechecked" else verdict.round
    for name, step, tell in (("corrected", "correct", _corrected), ("rechecked", "recheck", _rechecked)):
        again = trace.round(name, judged.name)
        if step in verdict.steps and again is not None:
            told.append(tell(judged, again, verdict))
    return told


def _searched(trace: Trace, verdict: Verdict) -> list[Round]:
    count = 1 + sum(step.startswith("refine ") for step in verdict.steps)
    return [r for name in ROUNDS[:count] if (r := trace.round(name))]


def _search(one: Round, before: Sequence[Round], verdict: Verdict, preset: Preset) -> Told:
    query = f"“{plain(one.case.query)}”"
    if before and one.case.query != before[-1].case.query:
        query = f":blue-background[{query}]"
    elif before:
        query = f"{query} :gray[(the same words)]"
    if (reached := confidence_of(one)) is None:
        return Told(name=one.name, lines=(query, "the search broke"), chosen="")
    confidence = beside(reached, *limits(preset), least=0)
    lines = [query, f"evidence **{confidence}/100**", _passages(one, before)]
    return Told(name=one.name, lines=tuple(lines), chosen=_why(verdict) if _answers(one, verdict) else "")


def _passages(one: Round, before: Sequence[Round]) -> str:
    """How many passages, and how many of them the round before it had not."""
    found = counted(len(one.case.evidence), "passage")
    if not before:
        return found
    known = {p.id for p in before[-1].case.passages}
    new = sum(p.id not in known for p in one.case.passages)
    return f"{found}, {new} of them new" if new else f"{found}, the same ones"


def _answers(one: Round, verdict: Verdict) -> bool:
    """True for the round whose answer goes out as it is or in part."""
    return verdict.answered and verdict.route != "deliver_corrected" and verdict.round.name == one.name


def _why(verdict: Verdict) -> str:
    if any(step.startswith("refine ") for step in verdict.steps):
        return "Its evidence is the best of all searches."
    return "Nothing better was found." if "recheck" in verdict.steps else "What holds of it goes out."


def _corrected(judged: Round, again: Round, verdict: Verdict) -> Told:
    if not again.case.sentences:
        lines = ("The passages hold no sentences in which the answer could be said.",)
        return Told(name="corrected", lines=lines, chosen="")
    before = {s.text for s in judged.case.sentences}
    kept = sum(s.text in before for s in again.case.sentences)
    changed = counted(len(again.case.sentences) - kept, "sentence")
    lines = (plain(again.case.draft.text), f"{changed} said in other words, {kept} kept")
    held = "It passes the checks that the first one failed." if verdict.route == "deliver_corrected" else ""
    return Told(name="corrected", lines=lines if held else (*lines, "It does not pass the checks either."), chosen=held)


def _rechecked(judged: Round, again: Round, verdict: Verdict) -> Told:
    better = verdict.round is again
    written = "is the same" if judged.case.sentences == again.case.sentences else "was written anew"
    lines = (_passages(again, [judged]), f"the answer {written}", *_score(verdict, better))
    return Told(name="rechecked", lines=lines, chosen="It is better borne out." if better else "")


def _score(verdict: Verdict, better: bool) -> tuple[str, ...]:
    value = verdict.checks[GROUNDING].value
    if not better or value is None:
        return ("It is not better than the first look.",)
    return (f"stage 2 **{number(value)}**",)
