"""One card a check: what was asked, what was found, how far from the limit, and why."""

from collections.abc import Mapping
from types import MappingProxyType

import streamlit as st

from core.chain import CheckResult, Verdict
from core.chain.check_results import passed
from core.check import Check
from core.sweep.settings_grid import Move
from core.thresholds import Threshold
from pages.components.shared.number_format import compared, signed, threshold_value
from pages.components.shared.plain_text import plain
from pages.components.shared.sliders import GROUPS

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
