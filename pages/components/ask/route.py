"""The path of a question: its rounds side by side, and its steps on the map of the chain and in a list beside it."""

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
    "corrected": "Rewritten from the book", "rechecked": "Looked at again",
}  # fmt: skip
_ROUND = 300


@dataclass(frozen=True, kw_only=True)
class Told:
    """One round in words. lines: Markdown. chosen: why this round gives the answer; "" for the others."""

    name: str
    lines: tuple[str, ...]
    chosen: str


def rounds(trace: Trace, verdict: Verdict, preset: Preset) -> None:
    """Draw the rounds side by side; nothing for a question with a single round."""
    texts = told_rounds(trace, verdict, preset)
    if len(texts) < 2:
        return
    with st.container(horizontal=True, gap="small"):
        for text in texts:
            with st.container(border=True, width=_ROUND, key=f"round {text.name}"):
                st.markdown(round_text(text))


def round_text(text: Told) -> str:
    """One round as Markdown."""
    mark = f":green[:material/check_circle: **This one answers.**] {plain(text.chosen)}" if text.chosen else ""
    return "  \n".join(line for line in (f"**{TITLES[text.name]}**", *text.lines, mark) if line)


def told_rounds(trace: Trace, verdict: Verdict, preset: Preset) -> list[Told]:
    """The rounds on the path of `verdict`, in order: the searches, then the correction and the recheck."""
    count = 1 + sum(step.startswith("refine ") for step in verdict.steps)
    searches = [search for name in ROUNDS[:count] if (search := trace.round(name))]
    texts = [_search(search, searches[:n], verdict, preset) for n, search in enumerate(searches)]
    judged = trace.round(verdict.round.of) if verdict.round.name == "rechecked" else verdict.round
    for name, step, describe in (("corrected", "correct", _corrected), ("rechecked", "recheck", _rechecked)):
        second = trace.round(name, judged.name)
        if step in verdict.steps and second is not None:
            texts.append(describe(judged, second, verdict))
    return texts


def _search(search: Round, earlier: Sequence[Round], verdict: Verdict, preset: Preset) -> Told:
    query = f"“{plain(search.case.query)}”"
    if earlier and search.case.query != earlier[-1].case.query:
        query = f":blue-background[{query}]"
    elif earlier:
        query = f"{query} :gray[(the same words)]"
    if (value := confidence_of(search)) is None:
        return Told(name=search.name, lines=(query, "the search broke"), chosen="")
    confidence = beside(value, *limits(preset), least=0)
    lines = (query, f"evidence **{confidence}/100**", _passages(search, earlier))
    gives_answer = verdict.answered and verdict.route != "deliver_corrected" and verdict.round.name == search.name
    return Told(name=search.name, lines=lines, chosen=_why_chosen(verdict) if gives_answer else "")


def _passages(search: Round, earlier: Sequence[Round]) -> str:
    """How many passages a round has, and how many of them are new since the last earlier round."""
    passages = counted(len(search.case.evidence), "passage")
    if not earlier:
        return passages
    known = {p.id for p in earlier[-1].case.passages}
    new = sum(p.id not in known for p in search.case.passages)
    return f"{passages}, {new} of them new" if new else f"{passages}, none of them new"


def _why_chosen(verdict: Verdict) -> str:
    if any(step.startswith("refine ") for step in verdict.steps):
        return "Its evidence is the best of all searches."
    return "Nothing better was found." if "recheck" in verdict.steps else "What holds of it goes out."


def _corrected(judged: Round, correction: Round, verdict: Verdict) -> Told:
    if not correction.case.sentences:
        lines = ("The book has no sentences from which the answer could be rewritten.",)
        return Told(name="corrected", lines=lines, chosen="")
    old = {s.text for s in judged.case.sentences}
    unchanged = sum(s.text in old for s in correction.case.sentences)
    changed = counted(len(correction.case.sentences) - unchanged, "sentence")
    lines = (plain(correction.case.draft.text), f"{changed} rewritten, {unchanged} kept")
    if verdict.route == "deliver_corrected":
        return Told(name="corrected", lines=lines, chosen="It passes the checks that the first one failed.")
    return Told(name="corrected", lines=(*lines, "It does not pass the checks either."), chosen="")


def _rechecked(judged: Round, recheck: Round, verdict: Verdict) -> Told:
    is_better, score = verdict.round is recheck, verdict.checks[GROUNDING].value
    change = "is the same" if judged.case.sentences == recheck.case.sentences else "was written anew"
    result = "It is not better than the first look."
    if is_better and score is not None:
        result = f"stage 2 **{number(score)}**"
    lines = (_passages(recheck, [judged]), f"the answer {change}", result)
    return Told(name="rechecked", lines=lines, chosen="It is better supported." if is_better else "")


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
"""The box where a path ends, by the last box of the spine and the route."""
_SPINE_OF = {"correct": "answer", "recheck": "stage 2"}
"""The spine box of each box beside the spine."""


def lit(legs: Sequence[Leg], verdict: Verdict) -> Lit:
    """The highlighted part of the map for these steps of a question."""
    path = Lit(route=verdict.route)
    last: Leg | None = None
    for leg in legs[:-1]:
        if last and leg.place == "answer" and last.place in ("correct", "recheck"):
            path.lines |= {("correct", "corrected"): leg.said} if verdict.route == "deliver_corrected" else {}
            continue  # the second judgement of the answer belongs to the box that required it
        if last and last.place != leg.place:
            path.go(last.place, "retrieve" if last.place == "refine" else leg.place, last.said)
        path.visited.append(leg.place)
        last = leg
    _add_end(path, last, verdict)
    return path


def _add_end(path: Lit, last: Leg, verdict: Verdict) -> None:
    """Add the end box to `path` and the line from the box of the last step to it."""
    if last.place == "split":
        path.end = "split"
        return
    if last.place == "recheck":
        path.go("recheck", "stage 2", last.said)
    if (last.place, verdict.route) == ("write", "deliver"):  # stage 1 is off, but the answer claims nothing
        path.go("write", "stage 1", last.said)
        path.passed.append("stage 1")
        last = Leg(place="stage 1", said="claims nothing", told="")
    start = _SPINE_OF.get(last.place, last.place)
    path.end = _STOPS[start][verdict.route]
    if verdict.route != "deliver_corrected":
        path.go(start, path.end, _end_label(last, verdict))


def _end_label(last: Leg, verdict: Verdict) -> str:
    if verdict.route == "deliver_part":
        return f"{sum(c.done == 'kept' for c in verdict.changes)} of {len(verdict.changes)} hold"
    if last.place == "recheck":
        return f"{verdict.tier} tier"
    return "" if (last.place, verdict.route) in (("correct", "refuse"), ("answer", "refuse")) else last.said


_LIST = 330
"""Width of the list in pixels; on a narrow screen it moves below the map."""


def route_box(trace: Trace, verdict: Verdict, preset: Preset, key: str = "route") -> None:
    """Draw the map and the list of steps. key: a prefix for the widget keys."""
    steps = legs(trace, verdict, preset)
    with st.container(horizontal=True, gap="medium"):
        with st.container(width=WIDTH, key=f"{key}_map"):
            drawing(key, picture_title(steps, verdict), shapes(lit(steps, verdict), steps))
        with st.container(width=_LIST, key=f"{key}_list"):
            st.markdown("**Step by step**")
            st.markdown(listed(steps))


def picture_title(steps: Sequence[Leg], verdict: Verdict) -> str:
    """The text alternative of the map."""
    boxes = ", ".join(dict.fromkeys(PLACES[leg.place].text for leg in steps[:-1]))
    return f"Decision path of this question: {boxes}. It ends: {ENDS[verdict.route].lower()}."


def listed(steps: Sequence[Leg]) -> str:
    """The steps as a numbered Markdown list; text of books and users is escaped."""
    names = [PLACES[leg.place].text if leg.place in PLACES else "" for leg in steps]
    lines = [f"{lead(name)} {plain(leg.told)}" for name, leg in zip(names[:-1], steps[:-1], strict=True)]
    return "\n".join(f"1. {line}" for line in [*lines, f"**{plain(steps[-1].told)}**"])


def lead(name: str) -> str:
    """The name of a box as the bold beginning of a line."""
    return f"**{plain(name)}{'' if name.endswith('?') else ':'}**"
