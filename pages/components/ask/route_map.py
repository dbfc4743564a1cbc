"""The way that a question took, lit up on the map of the chain, with its steps as a list beside it."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import streamlit as st

from core.case import Trace
from core.chain import Verdict
from core.thresholds import Preset
from pages.components.ask.route_steps import ENDS, Leg, legs
from pages.components.shared.chain_map import (
    BOX,
    HEIGHT,
    LINES,
    PLACES,
    SPINE,
    WIDTH,
    Line,
    Place,
    Shape,
    box,
    drawing,
    line,
    text,
)
from pages.components.shared.safe_display import plain

SIZE = (WIDTH, HEIGHT)
_ORDER = [place.name for place in SPINE]
_STRAIGHT = {(one.start, one.end) for one in LINES}
_PASSED = {"parts": "one thing asked"}
"""What stands at a box that a question passed without a step of its own."""
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
_COLOURS = {"refuse": "bad", "clarify": "back", "escalate": "back"}


@dataclass(kw_only=True)
class Lit:
    """What is lit: the boxes that were visited or passed, the lines with their words, and the end with its route."""

    visited: list[str] = field(default_factory=list)
    passed: list[str] = field(default_factory=list)
    lines: dict[tuple[str, str], str] = field(default_factory=dict)
    end: str = ""
    route: str = ""

    def go(self, start: str, end: str, said: str) -> None:
        """Light the line from one box to another, or all of the spine between them."""
        if (start, end) in _STRAIGHT:
            self.lines[start, end] = said
            return
        first, last = _ORDER.index(start), _ORDER.index(end)
        for one, other in zip(_ORDER[first:last], _ORDER[first + 1 : last + 1], strict=True):
            self.lines[one, other] = said if one == start else _PASSED.get(one, "not asked")
        for name in _ORDER[first + 1 : last]:
            (self.visited if name in _PASSED else self.passed).append(name)


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


def shapes(way: Lit | None = None, legs: Sequence[Leg] = ()) -> list[Shape]:
    """The whole map, with `way` lit up; nothing is without it."""
    way = way or Lit()
    told = {place: " ".join(leg.told for leg in legs if leg.place == place) for place in PLACES}
    pale = [one for one in LINES if (one.start, one.end) not in way.lines]
    taken = [one for one in LINES if (one.start, one.end) in way.lines]
    drawn = [line(one.points, "pale") for one in pale] + [line(one.points, "taken") for one in taken]
    words = [_word(one, one.word, "pale") for one in pale]
    words += [_word(one, way.lines[one.start, one.end] or one.word, "taken") for one in taken]
    boxes = [_box(place, way, f"{place.about} {told[place.name]}".strip()) for place in PLACES.values()]
    return [*drawn, *(w for w in words if w["text"]), *boxes]


def _word(one: Line, words: str, look: str) -> Shape:
    return text(*one.at, words, look, one.anchor)


def _box(place: Place, way: Lit, hover: str) -> Shape:
    ends = place.name == way.end
    words = ENDS[way.route] if ends else place.text
    look = "pale" if way.route else "passed" if place.end else ""
    if ends:
        look = _COLOURS.get(way.route, "good")
    elif place.name in way.visited:
        look = "taken"
    elif place.name in way.passed:
        look = "passed"
    return box((place.x, place.y), BOX, words, look, hover, 16 if place.end or place.name == "deliver" else 5)


_LIST = 330
"""Pixels that the list takes beside the map; where there is no room it stands below."""


def route_box(trace: Trace, verdict: Verdict, preset: Preset, key: str = "route") -> None:
    """The map and the list."""
    steps = legs(trace, verdict, preset)
    with st.container(horizontal=True, gap="medium"):
        with st.container(width=WIDTH, key=f"{key}_map"):
            drawing(key, picture_title(steps, verdict), SIZE, shapes(lit(steps, verdict), steps))
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
