"""One card a check: what was asked, what was found, how far from the limit, and why."""

import streamlit as st

from core.chain import CheckResult, Verdict
from core.check import Check
from pages.components.digits import compared
from pages.components.plain import plain
from pages.components.sliders import GROUPS

STATES = {
    "passed": ("green", ":material/check_circle:", "passed"),
    "failed": ("red", ":material/cancel:", "failed"),
    "not_run": ("gray", ":material/radio_button_unchecked:", "not run"),
}
"""Colour, shape and word of each state."""
WIDTH = 244


def cards(verdict: Verdict) -> None:
    """The checks of both stages, each group with its count."""
    for stage, title in GROUPS.items():
        results = [r for r in verdict.checks.values() if r.stage == stage]
        st.markdown(f"**{title}:** {count(results)}")
        with st.container(horizontal=True, gap="small"):
            for result in results:
                with st.container(border=True, width=WIDTH, key=f"card_{result.name}"):
                    st.markdown(card(result))


def count(results: list[CheckResult]) -> str:
    """How many of those that ran have passed."""
    ran = [r for r in results if r.state != "not_run"]
    return f"{sum(r.state == 'passed' for r in ran)} of {len(ran)} checks passed" if ran else "no check ran"


def card(result: CheckResult) -> str:
    """One check as Markdown; everything that a book or a person wrote in it is escaped."""
    colour, icon, word = STATES[result.state]
    check = Check.registry[result.name]
    lines = [
        f":{colour}[{icon} **{plain(check.plain)}**]",
        f":{colour}[{word}{_cause(result)}] :gray[· {plain(result.name)} · {_mode(result)}]",
    ]
    if result.margin is not None:
        lines.append(numbers(result, check))
    lines.append(plain(result.why))
    return "  \n".join(line for line in lines if line)


def numbers(result: CheckResult, check: Check) -> str:
    """Value beside limit with their unit, and the signed margin."""
    drawn = compared(result, check)
    asked = f"{drawn.relation} {drawn.limit} {drawn.unit}"
    colour = STATES[result.state][0]
    return f"**{plain(drawn.value)}**, {plain(asked)} :{colour}[**{plain(drawn.margin)}**]"


def _cause(result: CheckResult) -> str:
    if result.cause == "error":
        return ", it broke" + (", so nothing is delivered" if result.blocks else "")
    return f", {result.cause}" if result.cause else ""


def _mode(result: CheckResult) -> str:
    return {"blocks": "blocks", "watches": "watches only", "off": "off"}[result.mode]
