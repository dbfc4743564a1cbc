"""Every check: a strip with one mark for each in the order of the chain, and a table with one expandable row each."""

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
from core.thresholds import MODE_NAMES, Threshold
from pages.components.shared.safe_display import plain

STATES = {
    "passed": ("green", ":material/check_circle:", "passed"),
    "failed": ("red", ":material/cancel:", "failed"),
    "not_run": ("gray", ":material/radio_button_unchecked:", "not run"),
}
"""Colour, icon and word of each state."""
# Not isolated, so that the style sheet of the page applies to its marks.
_table = st.components.v2.component(
    "guardrail.checks", html='<div class="checks"></div>', js=Path(__file__).with_suffix(".js").read_text("utf-8"),
    isolate_styles=False,
)  # fmt: skip
NAMED = 3
"""Most deciding checks that are named."""


def strip(verdict: Verdict) -> None:
    """Draw one mark for each check, with its name and state on hover."""
    texts = [(look(r), escape(f"{Check.registry[r.name].plain}: {state(r)}")) for r in verdict.checks.values()]
    marks = "".join(
        f'<span class="mark {look}" role="img" aria-label="{text}" title="{text}"></span>' for look, text in texts
    )
    title = escape(f"The checks: {count(verdict.checks.values())}")
    st.html(f'<div class="marks-of-checks" role="group" aria-label="{title}">{marks}</div>')


def count(results: Iterable[CheckResult]) -> str:
    """How many checks passed, failed, monitor only and did not run: "12 passed, 1 failed, 3 monitor only"."""
    looks = [look(r) for r in results]
    words = {"passed": "passed", "failed": "failed", "watching": "monitor only", "not_run": "not run"}
    return ", ".join(f"{looks.count(name)} {text}" for name, text in words.items() if looks.count(name))


def check_table(verdict: Verdict, moves: Mapping[str, Move] = MappingProxyType({})) -> None:
    """Draw the checks by group with counts, and the count for what goes out instead of the judged answer.

    moves: for each limit, by key, the smallest move that changes the result of its check.
    """
    if verdict.route in ("deliver_part", "deliver_corrected") and verdict.delivery:
        counts = passed(list(verdict.delivery.checks.values()))
        st.caption(f"Of the answer as it was judged. Of what goes out instead: {counts}.")
    lines = []
    for stage, title in GROUPS.items():
        results = [r for r in verdict.checks.values() if r.stage == stage]
        lines += [{"group": f"{title}: {passed(results)}"}, *(line(r, moves) for r in results)]
    _table(key="checks_table", data={"title": "Every check with its value, its limit and why", "lines": lines})


def line(result: CheckResult, moves: Mapping[str, Move]) -> dict[str, Any]:
    """The row of a check as check_table.js takes it. The script sets text as text, so nothing is escaped here."""
    check = Check.registry[result.name]
    row = {"look": look(result), "plain": check.plain, "state": state(result), "why": result.why,
           "name": f"{result.name}, {MODE_NAMES[result.mode]}", "more": []}  # fmt: skip
    if result.margin is None:
        return row
    own_moves = [moves[t.key] for t in check.thresholds().values() if t.key in moves]
    figures = compared(result, check, *(m.new for m in own_moves if m.key == f"{check.name}.{result.by}"))
    return row | {
        "value": figures.value, "limit": f"{figures.relation} {figures.limit}", "unit": figures.unit,
        "margin": figures.margin, "fails": result.state == "failed", "bar": bar(result, check),
        "more": [
            *(distance(m, check.thresholds()[m.key.partition(".")[2]], result) for m in own_moves), *parts(result)
        ],
    }  # fmt: skip


def parts(result: CheckResult) -> list[str]:
    """What the value is made of, in one line; [] where it is made of nothing else."""
    said = [
        f"{part.label} {part.value:.2f}" if part.most == 1 else f"{part.label} {part.value:.0f}"
        for part in result.components
    ]
    return [f"made of: {', '.join(said)}"] if said else []


def look(result: CheckResult) -> str:
    """The mark of a check: passed, failed, watching or not_run. A check that broke and blocks counts as failed."""
    if result.cause == "error" and result.blocks:
        return "failed"
    return "watching" if result.mode == "watches" and result.state != "not_run" else result.state


def state(result: CheckResult) -> str:
    """The state of a check in words."""
    if result.cause == "error":
        return "it broke" + (", so nothing is delivered" if result.blocks else "")
    if result.mode == "watches" and result.state != "not_run":
        return f"monitor only, {result.state}"
    return f"{STATES[result.state][2]}{f', {result.cause}' if result.cause else ''}"


def bar(result: CheckResult, check: Check) -> dict[str, Any] | None:
    """Value and limit in percent of the range of the limit's slider; None for a check without a slider."""
    threshold = check.thresholds().get(result.by)
    if threshold is None:
        return None
    return {"value": place(threshold, result.value), "limit": place(threshold, result.limit),
            "stricter": "lower" if threshold.stricter == "lower" else "higher"}  # fmt: skip


def place(threshold: Threshold, value: float) -> float:
    """The position of a value on its slider in percent, clipped to 0..100."""
    share = (value - threshold.low) / (threshold.high - threshold.low)
    return round(100 * min(max(share, 0.0), 1.0), 1)


def numbers(result: CheckResult, check: Check) -> str:
    """Value, limit with unit, and signed margin of a check, as Markdown."""
    figures, colour = compared(result, check), STATES[result.state][0]
    limit = f"{figures.relation} {figures.limit} {figures.unit}"
    return f"**{plain(figures.value)}**, {plain(limit)} :{colour}[**{plain(figures.margin)}**]"


def distance(move: Move, threshold: Threshold, result: CheckResult) -> str:
    """The value of a limit at which the result of the check changes, and the distance from the current value."""
    by = signed(move.new - move.old, 0 if threshold.whole else 2)
    turns = "passes" if result.state == "failed" else "fails"
    return f"{turns} with {threshold.label} {threshold_value(threshold, move.new)} ({by})"


def decided(verdict: Verdict) -> str:
    """The checks that stopped the answer with their numbers, the main one first, as Markdown.

    "" if none did, and for a question in parts, since each part has its own verdict.
    """
    stopping = [verdict.checks[name] for name in in_the_way(verdict) if not verdict.parts]
    if verdict.route == "clarify":
        stopping = [r for r in stopping if r.name == CLARITY]
    stopping.sort(key=lambda r: list(REASONS).index(r.reason))
    more = f" and {len(stopping) - NAMED} more" if len(stopping) > NAMED else ""
    return "; ".join(_stop_text(result) for result in stopping[:NAMED]) + more


def _stop_text(result: CheckResult) -> str:
    check = Check.registry[result.name]
    if result.margin is None:
        return f"“{plain(check.plain)}” :gray[(it broke)]"
    figures = compared(result, check)
    limit = plain(f"{figures.unit} (needs {figures.relation} {figures.limit})")
    return f"“{plain(check.plain)}” :red[**{plain(figures.value)}**] :gray[{limit}]"
