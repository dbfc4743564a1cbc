"""One card a check: what was asked, found and why, how far from the limit; and the evidence confidence in its band."""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

import plotly.graph_objects as go
import streamlit as st

from core.chain import CheckResult, Verdict
from core.chain.check_results import passed
from core.chain.facts import limits, zones
from core.chain.number_format import compared, signed, threshold_value
from core.check import GROUPS, Check
from core.sweep.settings_grid import Move
from core.thresholds import Preset, Threshold
from pages.components.ask.verdict_box import confidence_drawn
from pages.components.shared.safe_display import plain

STATES = {
    "passed": ("green", ":material/check_circle:", "passed"),
    "failed": ("red", ":material/cancel:", "failed"),
    "not_run": ("gray", ":material/radio_button_unchecked:", "not run"),
}
"""Colour, shape and word of each state."""
WIDTH = 244


def cards(verdict: Verdict, moves: Mapping[str, Move] = MappingProxyType({})) -> None:
    """The checks of both stages, each group with its count, and the count for what goes out instead.

    moves: for each limit by its key the smallest move at which its check changes its mind.
    """
    if verdict.route in ("deliver_part", "deliver_corrected") and verdict.delivery:
        out = passed(list(verdict.delivery.checks.values()))
        st.caption(f"Of the answer as it was judged. Of what goes out instead: {out}.")
    for stage, title in GROUPS.items():
        results = [r for r in verdict.checks.values() if r.stage == stage]
        st.markdown(f"**{title}:** {passed(results)}")
        with st.container(horizontal=True, gap="small"):
            for result in results:
                with st.container(border=True, width=WIDTH, key=f"card_{result.name}"):
                    st.markdown(card(result, moves))


def card(result: CheckResult, moves: Mapping[str, Move] = MappingProxyType({})) -> str:
    """One check as Markdown; everything that a book or a person wrote in it is escaped."""
    colour, icon, word = STATES[result.state]
    check = Check.registry[result.name]
    lines = [
        f":{colour}[{icon} **{plain(check.plain)}**]",
        f":{colour}[{word}{_cause(result)}] :gray[· {plain(result.name)} · {_mode(result)}]",
    ]
    if result.margin is not None:
        named = [m.new for m in moves.values() if m.key == f"{check.name}.{result.by}"]
        lines.append(numbers(result, check, *named))
    lines.append(plain(result.why))
    if result.margin is not None:
        lines += [distance(moves[t.key], t, result) for t in check.thresholds().values() if t.key in moves]
    return "  \n".join(line for line in lines if line)


def numbers(result: CheckResult, check: Check, *others: float) -> str:
    """Value beside limit with their unit, and the signed margin. others: limits named beside it."""
    drawn = compared(result, check, *others)
    asked = f"{drawn.relation} {drawn.limit} {drawn.unit}"
    colour = STATES[result.state][0]
    return f"**{plain(drawn.value)}**, {plain(asked)} :{colour}[**{plain(drawn.margin)}**]"


def distance(move: Move, threshold: Threshold, result: CheckResult) -> str:
    """The value of one limit at which the check changes its mind, and how far off that is."""
    by = move.new - move.old
    at = f"{plain(threshold.label)} {plain(threshold_value(threshold, move.new))}"
    turns = "passes" if result.state == "failed" else "fails"
    return f":gray[{turns} with {at} ({plain(signed(by, 0 if threshold.whole else 2))})]"


def _cause(result: CheckResult) -> str:
    if result.cause == "error":
        return ", it broke" + (", so nothing is delivered" if result.blocks else "")
    return f", {result.cause}" if result.cause else ""


def _mode(result: CheckResult) -> str:
    return {"blocks": "blocks", "watches": "watches only", "off": "off"}[result.mode]


ZONES = {
    "never": ("never", "#c43e00"),
    "named_only": ("named only", "#8a93a1"),
    "answer": ("answer", "#00897b"),
}
"""What each zone is called, and its colour."""
MARK = "#4f83e3"  # the accent, between its light and its dark shade
_TITLES = {
    "never": "below both limits: too low to answer",
    "named_only": "enough only when documents or pages are named",
    "answer": "above the limit for any search",
}


def band(verdict: Verdict, preset: Preset) -> None:
    drawn = confidence_drawn(verdict, preset)
    figure = _figure(verdict.confidence, drawn, verdict.band, limits(preset))
    st.plotly_chart(figure, key="band", config={"displayModeBar": False}, height=150)


@lru_cache(maxsize=256)
def _figure(value: float, drawn: str, zone: str, ends: tuple[float, float]) -> go.Figure:
    named, free = ends
    bars = [_bar(name, low, high) for name, (low, high) in zones(named, free).items() if high > low]
    marker = go.Scatter(
        x=[value], y=[0.62], mode="markers", showlegend=False, cliponaxis=False,
        hovertemplate=f"evidence confidence {drawn} of 100<extra></extra>",
        marker={"symbol": "triangle-down", "size": 18, "color": MARK},
    )  # fmt: skip
    figure = go.Figure([*bars, marker])
    ticks = {0: "0", 100: "100"} | _limit_names(named, free)
    figure.update_layout(
        title={"text": f"Evidence confidence {drawn} of 100: {_TITLES[zone]}", "font": {"size": 14}, "x": 0},
        barmode="stack", margin={"l": 8, "r": 8, "t": 34, "b": 40},
        xaxis={
            "range": [-1, 101], "tickvals": list(ticks), "ticktext": list(ticks.values()), "showgrid": False,
            "zeroline": False, "tickangle": 0,
        },
        yaxis={"visible": False, "range": [-0.5, 0.9]},
    )  # fmt: skip
    for limit in (named, free):
        figure.add_vline(x=limit, line={"width": 2, "dash": "dot", "color": "#66707f"})
    figure.add_shape(type="line", x0=value, x1=value, y0=-0.4, y1=0.45, line={"width": 2, "color": "#ffffff"})
    return figure


def _bar(name: str, low: float, high: float) -> go.Bar:
    title, colour = ZONES[name]
    return go.Bar(
        x=[high - low], y=[0], base=low, orientation="h", width=0.8, showlegend=False, marker={"color": colour},
        text=title if high - low >= len(title) - 1 else "", textposition="inside", insidetextanchor="middle",
        textangle=0, textfont={"color": "#ffffff", "size": 12},
        hovertemplate=f"{title}: {low:g} to {high:g} of 100<extra></extra>",
    )  # fmt: skip


def _limit_names(named: float, free: float) -> dict[float, str]:
    """What stands under each limit, on lines of their own so that close ones do not collide."""
    if named == free:
        return {named: f"limit {named:g}"}
    return {named: f"{named:g}, documents named", free: f"<br>{free:g}, any search"}
