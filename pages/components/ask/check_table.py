"""Every check: one mark each in the order of the chain, and a table with one line each that opens for more."""

from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path
from types import MappingProxyType
from typing import Any

import streamlit as st

from core.chain import CheckResult, Verdict
from core.chain.check_results import REASONS, passed
from core.chain.display_rounding import compared, signed, threshold_value
from core.chain.routing import CLARITY
from core.check import GROUPS, Check
from core.sweep.sensitivity import in_the_way
from core.sweep.settings_grid import Move
from core.thresholds import Threshold
from pages.components.shared.safe_display import plain

STATES = {
    "passed": ("green", ":material/check_circle:", "passed"),
    "failed": ("red", ":material/cancel:", "failed"),
    "not_run": ("gray", ":material/radio_button_unchecked:", "not run"),
}
"""Colour, shape and word of each state."""
# Not isolated, so that its marks are those of the page.
_table = st.components.v2.component(
    "guardrail.checks", html='<div class="checks"></div>', js=Path(__file__).with_suffix(".js").read_text("utf-8"),
    isolate_styles=False,
)  # fmt: skip
NAMED = 3
"""Most checks that are named in words as those that decided."""
MODES = {"blocks": "blocks", "watches": "watches only", "off": "off"}


def strip(verdict: Verdict) -> None:
    """One mark a check, its name and its state on hover."""
    said = [(look(r), escape(f"{Check.registry[r.name].plain}: {state(r)}")) for r in verdict.checks.values()]
    marks = "".join(
        f'<span class="mark {look}" role="img" aria-label="{text}" title="{text}"></span>' for look, text in said
    )
    title = escape(f"The checks: {count(verdict.checks.values())}")
    st.html(f'<div class="marks-of-checks" role="group" aria-label="{title}">{marks}</div>')


def count(results: Iterable[CheckResult]) -> str:
    """How many passed, failed, only watch and did not run, in words: "12 passed, 1 failed, 3 only watch"."""
    shown = [look(r) for r in results]
    words = {"passed": "passed", "failed": "failed", "watching": "only watch", "not_run": "not run"}
    return ", ".join(f"{shown.count(name)} {said}" for name, said in words.items() if shown.count(name))


def check_table(verdict: Verdict, moves: Mapping[str, Move] = MappingProxyType({})) -> None:
    """The checks of both stages, each group with its count, and the count for what goes out instead.

    moves: for each limit by its key the smallest move at which its check changes its mind.
    """
    if verdict.route in ("deliver_part", "deliver_corrected") and verdict.delivery:
        out = passed(list(verdict.delivery.checks.values()))
        st.caption(f"Of the answer as it was judged. Of what goes out instead: {out}.")
    lines = []
    for stage, title in GROUPS.items():
        results = [r for r in verdict.checks.values() if r.stage == stage]
        lines += [{"group": f"{title}: {passed(results)}"}, *(line(r, moves) for r in results)]
    _table(key="checks_table", data={"title": "Every check with its value, its limit and why", "lines": lines})


def line(result: CheckResult, moves: Mapping[str, Move]) -> dict[str, Any]:
    """One check as the table takes it; it sets every text as text, so that nothing in it need be escaped."""
    check = Check.registry[result.name]
    found = {"look": look(result), "plain": check.plain, "state": state(result), "why": result.why,
             "name": f"{result.name}, {MODES[result.mode]}", "more": []}  # fmt: skip
    if result.margin is None:
        return found
    near = [moves[t.key] for t in check.thresholds().values() if t.key in moves]
    drawn = compared(result, check, *(m.new for m in near if m.key == f"{check.name}.{result.by}"))
    return found | {
        "value": drawn.value, "limit": f"{drawn.relation} {drawn.limit}", "unit": drawn.unit, "margin": drawn.margin,
        "fails": result.state == "failed", "bar": bar(result, check),
        "more": [*(distance(m, check.thresholds()[m.key.partition(".")[2]], result) for m in near), *parts(result)],
    }  # fmt: skip


def parts(result: CheckResult) -> list[str]:
    """What the value is made of, in one line; [] where it is made of nothing else."""
    said = [
        f"{part.label} {part.value:.2f}" if part.most == 1 else f"{part.label} {part.value:.0f}"
        for part in result.parts
    ]
    return [f"made of: {', '.join(said)}"] if said else []


def look(result: CheckResult) -> str:
    """The mark of a check: passed, failed, watching, or not_run; one that broke and blocks has failed."""
    if result.cause == "error" and result.blocks:
        return "failed"
    return "watching" if result.mode == "watches" and result.state != "not_run" else result.state


def state(result: CheckResult) -> str:
    """The state of a check in words."""
    if result.cause == "error":
        return "it broke" + (", so nothing is delivered" if result.blocks else "")
    if result.mode == "watches" and result.state != "not_run":
        return f"watches, {result.state}"
    return f"{STATES[result.state][2]}{f', {result.cause}' if result.cause else ''}"


def bar(result: CheckResult, check: Check) -> dict[str, Any] | None:
    """Value and limit on the scale of the limit's own slider, in percent; None for a rule without one."""
    threshold = check.thresholds().get(result.by)
    if threshold is None:
        return None
    return {"value": place(threshold, result.value), "limit": place(threshold, result.limit),
            "stricter": "lower" if threshold.stricter == "lower" else "higher"}  # fmt: skip


def place(threshold: Threshold, value: float) -> float:
    """Where a value lies on its slider, 0 to 100; at its end where it lies beyond."""
    share = (value - threshold.low) / (threshold.high - threshold.low)
    return round(100 * min(max(share, 0.0), 1.0), 1)


def numbers(result: CheckResult, check: Check) -> str:
    """Value beside limit with their unit, and the signed margin, as Markdown."""
    drawn, colour = compared(result, check), STATES[result.state][0]
    asked = f"{drawn.relation} {drawn.limit} {drawn.unit}"
    return f"**{plain(drawn.value)}**, {plain(asked)} :{colour}[**{plain(drawn.margin)}**]"


def distance(move: Move, threshold: Threshold, result: CheckResult) -> str:
    """The value of one limit at which the check changes its mind, and how far off that is."""
    by = signed(move.new - move.old, 0 if threshold.whole else 2)
    turns = "passes" if result.state == "failed" else "fails"
    return f"{turns} with {threshold.label} {threshold_value(threshold, move.new)} ({by})"


def decided(verdict: Verdict) -> str:
    """The checks that decided, the main one first, each with its numbers, as Markdown; "" where none stopped anything.

    Nothing of a question in parts, each of which has a verdict of its own.
    """
    stopping = [verdict.checks[name] for name in in_the_way(verdict) if not verdict.parts]
    if verdict.route == "clarify":
        stopping = [r for r in stopping if r.name == CLARITY]
    stopping.sort(key=lambda r: list(REASONS).index(r.reason))
    more = f" and {len(stopping) - NAMED} more" if len(stopping) > NAMED else ""
    return "; ".join(map(_stopped, stopping[:NAMED])) + more


def _stopped(result: CheckResult) -> str:
    check = Check.registry[result.name]
    if result.margin is None:
        return f"“{plain(check.plain)}” :gray[(it broke)]"
    drawn = compared(result, check)
    asked = plain(f"{drawn.unit} (asked: {drawn.relation} {drawn.limit})")
    return f"“{plain(check.plain)}” :red[**{plain(drawn.value)}**] :gray[{asked}]"
