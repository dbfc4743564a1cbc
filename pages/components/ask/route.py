"""The way of a question: its rounds side by side, and its steps lit up on the map of the chain and listed beside it."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from core.case import Round, Trace
from core.chain import ROUNDS, Verdict, confidence_of
from core.chain.display_rounding import beside, number
from core.chain.facts import limits
from core.chain.routing import GROUNDING
from core.thresholds import Preset
from pages.components.ask.route_steps import ENDS, legs
from pages.components.shared.chain_map import PLACES, WIDTH, Leg, Lit, drawing, shapes
from pages.components.shared.safe_display import counted, plain

TITLES = {
    "first": "First search", "refined 1": "Asked again", "refined 2": "Asked again, wider",
    "corrected": "Said again from the passages", "rechecked": "Looked at again",
}  # fmt: skip
_ROUND = 300


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
            with st.container(border=True, width=_ROUND, key=f"round {one.name}"):
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


_STOPS = {
    "clear": {"clarify": "clarify"},
    "query": {"refuse": "refuse query"},
    "write": {"refuse": "refuse write"},
    "stage 1": {"deliver": "deliver 1", "refuse": "stop 1", "escalate": "stop 1"},
    "answer": {
        "deliver": "deliver", "deliver_part": "part", "refuse": "refuse answer", "deliver_corrected": "corrected",
    },
    "stage 2": {"deliver": "deliver", "refuse": "stop 2", "escalate": "stop 2"},
}  # fmt: skip
"""Where a route ends, by the last box of the spine and the route."""
_SPINE_OF = {"correct": "answer", "recheck": "stage 2"}
"""The box of the spine to which one beside it belongs."""


def lit(legs: Sequence[Leg], verdict: Verdict) -> Lit:
    """The way of `legs` on the map."""
    found = Lit(route=verdict.route)
    before: Leg | None = None
    for leg in legs[:-1]:
        if before and leg.place == "answer" and before.place in ("correct", "recheck"):
            found.lines |= {("correct", "corrected"): leg.said} if verdict.route == "deliver_corrected" else {}
            continue  # the second look at the answer is a part of the box that asked for it
        if before and before.place != leg.place:
            found.go(before.place, "retrieve" if before.place == "refine" else leg.place, before.said)
        found.visited.append(leg.place)
        before = leg
    _ended(found, before, verdict)
    return found


def _ended(found: Lit, last: Leg, verdict: Verdict) -> None:
    """The line to the end, and the end."""
    if last.place == "split":
        found.end = "split"
        return
    if last.place == "recheck":
        found.go("recheck", "stage 2", last.said)
    if (last.place, verdict.route) == ("write", "deliver"):  # stage 1 is off, yet the turn claims nothing
        found.go("write", "stage 1", last.said)
        found.passed.append("stage 1")
        last = Leg(place="stage 1", said="claims nothing", told="")
    start = _SPINE_OF.get(last.place, last.place)
    found.end = _STOPS[start][verdict.route]
    if verdict.route != "deliver_corrected":
        found.go(start, found.end, _said_at_the_end(last, verdict))


def _said_at_the_end(last: Leg, verdict: Verdict) -> str:
    kept = sum(c.done == "kept" for c in verdict.changes)
    if verdict.route == "deliver_part":
        return f"{kept} of {len(verdict.changes)} hold"
    if last.place == "recheck":
        return f"{verdict.tier} tier"
    return "" if (last.place, verdict.route) in (("correct", "refuse"), ("answer", "refuse")) else last.said


_LIST = 330
"""Pixels that the list takes beside the map; where there is no room it stands below."""


def route_box(trace: Trace, verdict: Verdict, preset: Preset, key: str = "route") -> None:
    """The map and the list."""
    steps = legs(trace, verdict, preset)
    with st.container(horizontal=True, gap="medium"):
        with st.container(width=WIDTH, key=f"{key}_map"):
            drawing(key, picture_title(steps, verdict), shapes(lit(steps, verdict), steps))
        with st.container(width=_LIST, key=f"{key}_list"):
            st.markdown("**Step by step**")
            st.markdown(listed(steps))


def picture_title(steps: Sequence[Leg], verdict: Verdict) -> str:
    """What the map shows, for those who cannot see it."""
    passed = ", ".join(dict.fromkeys(PLACES[leg.place].text for leg in steps[:-1]))
    return f"The way of this question through the checks: {passed}. It ends: {ENDS[verdict.route].lower()}."


def listed(steps: Sequence[Leg]) -> str:
    """The steps as a numbered list of Markdown; what a book or a person wrote in it is escaped."""
    names = [PLACES[leg.place].text if leg.place in PLACES else "" for leg in steps]
    lines = [f"{lead(name)} {plain(leg.told)}" for name, leg in zip(names[:-1], steps[:-1], strict=True)]
    return "\n".join(f"1. {one}" for one in [*lines, f"**{plain(steps[-1].told)}**"])


def lead(name: str) -> str:
    """The name of a box before what is said of it."""
    return f"**{plain(name)}{'' if name.endswith('?') else ':'}**"
