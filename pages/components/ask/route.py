"""The path of a question: its rounds side by side, and its steps on the map of the chain and in a list beside it."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from core.case import Round, Trace
from core.decide import SEARCHES, Verdict, confidence_of
from core.decide.flow import FACT_GROUNDING
from core.reply.display_rounding import number, whole
from core.thresholds import Preset
from core.words import ROUTES
from pages.components.ask.route_steps import path_steps
from pages.components.shared.chain_map import BOXES, WIDTH, Lit, PathStep, drawing, shapes
from pages.components.shared.safe_display import count_text, plain

TITLES = {
    "first": "First search", "refined 1": "Asked again", "refined 2": "Asked again, wider",
    "corrected": "Rewritten from the book", "rechecked": "Looked at again",
}  # fmt: skip
_ROUND = 300


@dataclass(frozen=True, kw_only=True)
class RoundText:
    """One round in words.

    name: its title. lines: what happened in it, as Markdown. reason: why the answer is that of this round; "" for other
    rounds.
    """

    name: str
    lines: tuple[str, ...]
    reason: str


def rounds(trace: Trace, verdict: Verdict) -> None:
    """Draw the rounds side by side; draw nothing if there is only one round."""
    texts = round_texts(trace, verdict)
    if len(texts) < 2:
        return
    with st.container(horizontal=True, gap="small"):
        for text in texts:
            with st.container(border=True, width=_ROUND, key=f"round {text.name}"):
                st.markdown(round_text(text))


def round_text(text: RoundText) -> str:
    """One round as Markdown."""
    mark = (
        f":green[:material/check_circle: **This is the answer that is given.**] {plain(text.reason)}"
        if text.reason
        else ""
    )
    return "  \n".join(line for line in (f"**{TITLES[text.name]}**", *text.lines, mark) if line)


def round_texts(trace: Trace, verdict: Verdict) -> list[RoundText]:
    """The rounds on the path of `verdict`, in order: the searches, then the correction and the recheck."""
    count = 1 + sum(step.startswith("refine ") for step in verdict.steps)
    searches = [search for name in SEARCHES[:count] if (search := trace.round(name))]
    texts = [_search_text(search, searches[:n], verdict) for n, search in enumerate(searches)]
    judged_round = trace.round(verdict.round.of) if verdict.round.name == "rechecked" else verdict.round
    for name, step, describe in (("corrected", "correct", _correction_text), ("rechecked", "recheck", _recheck_text)):
        second = trace.round(name, judged_round.name)
        if step in verdict.steps and second is not None:
            texts.append(describe(judged_round, second, verdict))
    return texts


def _search_text(search: Round, earlier: Sequence[Round], verdict: Verdict) -> RoundText:
    query = f"“{plain(search.case.query)}”"
    if earlier and search.case.query != earlier[-1].case.query:
        query = f":blue-background[{query}]"
    elif earlier:
        query = f"{query} :gray[(the same words)]"
    if (value := confidence_of(search)) is None:
        return RoundText(name=search.name, lines=(query, "the search broke"), reason="")
    confidence = whole(value)
    lines = (query, f"evidence **{confidence}/100**", _passages(search, earlier))
    gives_answer = verdict.answered and verdict.route != "deliver_corrected" and verdict.round.name == search.name
    return RoundText(name=search.name, lines=lines, reason=_choice_reason(verdict) if gives_answer else "")


def _passages(search: Round, earlier: Sequence[Round]) -> str:
    """A text: how many passages the round `search` has, and how many of them the last of the `earlier` rounds does not
    have."""
    passages = count_text(len(search.case.evidence), "passage")
    if not earlier:
        return passages
    old_ids = {p.id for p in earlier[-1].case.passages}
    new = sum(p.id not in old_ids for p in search.case.passages)
    return f"{passages}, {new} of them new" if new else f"{passages}, none of them new"


def _choice_reason(verdict: Verdict) -> str:
    if any(step.startswith("refine ") for step in verdict.steps):
        return "Its evidence is the best of all searches."
    return "Nothing better was found." if "recheck" in verdict.steps else "The supported part of it is delivered."


def _correction_text(judged_round: Round, correction: Round, verdict: Verdict) -> RoundText:
    if not correction.case.sentences:
        lines = ("The book has no sentences from which the answer could be rewritten.",)
        return RoundText(name="corrected", lines=lines, reason="")
    old = {s.text for s in judged_round.case.sentences}
    same_count = sum(s.text in old for s in correction.case.sentences)
    change_text = count_text(len(correction.case.sentences) - same_count, "sentence")
    lines = (plain(correction.case.draft.text), f"{change_text} rewritten, {same_count} kept")
    if verdict.route == "deliver_corrected":
        return RoundText(name="corrected", lines=lines, reason="It passes the checks that the first one failed.")
    return RoundText(name="corrected", lines=(*lines, "It does not pass the checks either."), reason="")


def _recheck_text(judged_round: Round, recheck: Round, verdict: Verdict) -> RoundText:
    is_better, score = verdict.round is recheck, verdict.checks[FACT_GROUNDING].value
    change = "is the same" if judged_round.case.sentences == recheck.case.sentences else "was written anew"
    result = "It is not better than the first check."
    if is_better and score is not None:
        result = f"stage 2 **{number(score)}**"
    lines = (_passages(recheck, [judged_round]), f"the answer {change}", result)
    return RoundText(name="rechecked", lines=lines, reason="It is better supported." if is_better else "")


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
"""The box of the map where a path ends, by (last box of the path on the spine, route). The spine is the main line of
the map."""
_SPINE_OF = {"correct": "answer", "recheck": "stage 2"}
"""For each box beside the spine, the box on the spine that it belongs to."""


def lit(steps: Sequence[PathStep], verdict: Verdict) -> Lit:
    """What to highlight on the map for these steps of a question: boxes, lines and end."""
    path = Lit(route=verdict.route)
    last: PathStep | None = None
    for step in steps[:-1]:
        if last and step.box == "answer" and last.box in ("correct", "recheck"):
            path.lines |= {("correct", "corrected"): step.label} if verdict.route == "deliver_corrected" else {}
            continue  # the second judgement of the answer belongs to the box that required it
        if last and last.box != step.box:
            path.go(last.box, "retrieve" if last.box == "refine" else step.box, last.label)
        path.visited.append(step.box)
        last = step
    _add_end(path, last, verdict)
    return path


def _add_end(path: Lit, last: PathStep, verdict: Verdict) -> None:
    """Add to `path` the box in which it ends, and the line to that box from the box of the last step."""
    if last.box == "split":
        path.end = "split"
        return
    if last.box == "recheck":
        path.go("recheck", "stage 2", last.label)
    if (last.box, verdict.route) == ("write", "deliver"):  # stage 1 is off, but the answer claims nothing
        path.go("write", "stage 1", last.label)
        path.passed.append("stage 1")
        last = PathStep(box="stage 1", label="claims nothing", sentence="")
    start = _SPINE_OF.get(last.box, last.box)
    path.end = _STOPS[start][verdict.route]
    if verdict.route != "deliver_corrected":
        path.go(start, path.end, _end_label(last, verdict))


def _end_label(last: PathStep, verdict: Verdict) -> str:
    if verdict.route == "deliver_part":
        return f"{sum(c.done == 'kept' for c in verdict.changes)} of {len(verdict.changes)} kept"
    if last.box == "recheck":
        return f"{verdict.tier} tier"
    return "" if (last.box, verdict.route) in (("correct", "refuse"), ("answer", "refuse")) else last.label


_LIST = 330
"""Width of the list in pixels; on a narrow screen it moves below the map."""


def route_box(trace: Trace, verdict: Verdict, preset: Preset, key: str = "route") -> None:
    """Draw the map and the list of steps. key: a prefix for the widget keys."""
    steps = path_steps(trace, verdict, preset)
    with st.container(horizontal=True, gap="medium"):
        with st.container(width=WIDTH, key=f"{key}_map"):
            drawing(key, picture_title(steps, verdict), shapes(lit(steps, verdict), steps))
        with st.container(width=_LIST, key=f"{key}_list"):
            st.markdown("**Step by step**")
            st.markdown(step_list(steps))


def picture_title(steps: Sequence[PathStep], verdict: Verdict) -> str:
    """The text alternative of the map: the boxes of the path, and the route that it ends on."""
    boxes = ", ".join(dict.fromkeys(BOXES[step.box].text for step in steps[:-1]))
    return f"Decision path of this question: {boxes}. It ends: {ROUTES[verdict.route].words}."


def step_list(steps: Sequence[PathStep]) -> str:
    """The steps as a numbered Markdown list; text of books and users is escaped."""
    names = [BOXES[step.box].text if step.box in BOXES else "" for step in steps]
    lines = [f"{lead(name)} {plain(step.sentence)}" for name, step in zip(names[:-1], steps[:-1], strict=True)]
    return "\n".join(f"1. {line}" for line in [*lines, f"**{plain(steps[-1].sentence)}**"])


def lead(name: str) -> str:
    """The name of a box as the bold beginning of a line."""
    return f"**{plain(name)}{'' if name.endswith('?') else ':'}**"
