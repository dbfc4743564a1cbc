"""The README's table of what proposed thresholds are worth on halves that the search never saw."""

import json
from collections.abc import Mapping
from typing import Any

from core.reports.sample_figures import MEASURED
from core.workshop.figures.measured import NOT_YET

_AIMS = {
    "cost 5": "a wrong answer costs five over-refusals",
    "cost 1": "a wrong answer costs as much as an over-refusal",
}
_LIMITS = {"over-refusals under 0.1": "fewest wrong answers, at most 10 % over-refusals"}
_BROKEN = "not compared: the default breaks the limit | | "


def proposals_table() -> str:
    """For each aim the mean over random splits, on the unseen half: under the default, and as proposed."""
    path = MEASURED / "proposals.json"
    if not path.is_file():
        return NOT_YET
    stored = json.loads(path.read_text(encoding="utf-8"))
    splits = stored["splits"]
    head = f"{stored['n']} questions, {splits} random splits, means over the halves that no search saw."
    rows = ["| aim | with a proposal | wrong answers | over-refusals | cost | saved (95 % of means) | cost more |"]
    rows += ["|---" * 7 + "|"]
    rows += [_row(said, stored[name], splits, _costs(stored[name])) for name, said in _AIMS.items()]
    rows += [_row(said, stored[name], splits, _BROKEN) for name, said in _LIMITS.items()]
    return "\n".join([head, "", *rows])


def _row(said: str, of: Mapping[str, Any], splits: int, costs: str) -> str:
    proposed = f"{splits - of['splits_without_a_proposal']} of {splits}"
    wrong, refused = (
        _from_to(f"{100 * of[f'default_{k}']:.0f}", f"{100 * of[k]:.0f}") + " %" for k in ("wrong", "over_refused")
    )
    return f"| {said} | {proposed} | {wrong} | {refused} | {costs} |"


def _costs(of: Mapping[str, Any]) -> str:
    low, high = of["interval"]
    cost = _from_to(f"{of['default_mean_cost']:.3f}", f"{of['mean_cost']:.3f}")
    return f"{cost} | {of['saved']:.3f} ({low:.3f} to {high:.3f}) | {of['splits_that_cost_more']}"


def _from_to(before: str, after: str) -> str:
    return before if before == after else f"{before} to {after}"
