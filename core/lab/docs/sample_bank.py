"""Tables of the sample bank: what each check refuses by itself, and the effect of proposed limits on halves that no
search saw.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from core.evaluation.outcomes import Rate
from core.lab.docs.dates import changes_since
from core.lab.docs.measurements import NOT_YET, is_measured, read_measurement
from core.lab.figure_files import table
from core.lab.figures.checks_alone import BAD, GOOD, NOTHING
from core.presets import FOLDER, modes_of, preset, values


def mode_reasons() -> dict[str, str]:
    """For every check, one sentence on why it blocks or only watches under the default preset."""
    return json.loads((FOLDER / "default.json").read_text(encoding="utf-8"))["why"]


def alone_table() -> str:
    """Tables of the checks: the mode of each under the default preset and why, and how many good and bad cases are held
    back if only this check blocks."""
    modes, reasons = modes_of(preset("default")), mode_reasons()
    if not is_measured("alone"):
        rows = ((f"`{name}`", reasons[name]) for name in modes)
        return f"{NOT_YET}\n\n{table(('check', 'why it blocks or watches'), rows)}"
    stored = read_measurement("alone")
    together = table(
        ("blocks alone", "good refused", "bad caught", "under the default"),
        (
            (_code(name), *(_together(stored, name, some) for some in (GOOD, BAD)), reasons.get(name, ""))
            for name in (NOTHING, *modes)
        ),
    )
    by_group = table(
        ["blocks alone", *(f"{group.replace('_', ' ')}, of {stored['n'][group]}" for group in GOOD + BAD)],
        (
            [_code(name), *(stored["alone"][name][group] for group in GOOD + BAD)]
            for name in (NOTHING, *modes) if name in stored["alone"]
        ),
    )  # fmt: skip
    return "\n\n".join([_about(stored), together, by_group])


def _code(name: str) -> str:
    return f"`{name}`" if name else "none"


def _together(stored: Mapping[str, Any], name: str, groups: Sequence[str]) -> str:
    """The share of the cases of these groups that is held back if only the check `name` blocks, as text; "not measured"
    if it was not counted."""
    if name not in stored["alone"]:
        return "not measured"
    count, n = (sum(of[group] for group in groups) for of in (stored["alone"][name], stored["n"]))
    return Rate(count=count, n=n).text


def _about(stored: Mapping[str, Any]) -> str:
    """When and at which limits the cases were counted, which checks have other limits since, and what changed."""
    now = values(preset("default"))
    moved = sorted({key.partition(".")[0] for key in now if stored["limits"].get(key) != now[key]})
    others = f" Since then other limits or new: {', '.join(f'`{name}`' for name in moved)}." if moved else ""
    what = f"The reporting half of the sample banks, limits of the preset {stored['preset']}"
    return f"{what}, counted on {stored['date']}.{others}{changes_since(stored['date'])}"


_AIMS = {
    "cost 5": ("a wrong answer costs five over-refusals", 1.0),
    "cost 1": ("a wrong answer costs as much as an over-refusal", 1.0),
    "over-refusals under 0.1": ("fewest wrong answers, at most 10 % over-refusals", 0.1),
}
"""Each aim in words, with its limit on over-refusals. Costs are comparable only where the default keeps the limit."""


def proposals_table() -> str:
    """A row per aim of a search for limits: mean rates and cost under the default preset and under the proposed limits.

    The means are over random splits of the bank; each split is counted on the half that the search did not see.
    """
    if not is_measured("proposals"):
        return NOT_YET
    stored = read_measurement("proposals")
    splits, rows = stored["splits"], []
    for name, (aim, limit) in _AIMS.items():
        figures = stored[name]
        low, high = figures["interval"]
        costs = (
            _from_to(f"{figures['default_mean_cost']:.3f}", f"{figures['mean_cost']:.3f}"),
            f"{figures['saved']:.3f} ({low:.3f} to {high:.3f})", figures["splits_that_cost_more"],
        )  # fmt: skip
        if figures["default_over_refused"] > limit:
            costs = ("not compared: the default breaks the limit", "", "")
        wrong, refused = (
            _from_to(f"{100 * figures[f'default_{k}']:.0f}", f"{100 * figures[k]:.0f}") + " %"
            for k in ("wrong", "over_refused")
        )
        rows.append((aim, f"{splits - figures['splits_without_a_proposal']} of {splits}", wrong, refused, *costs))
    head = f"{stored['n']} questions, {splits} random splits, means over the halves that no search saw."
    heads = ("aim", "with a proposal", "wrong answers", "over-refusals", "cost", "saved (95 % of means)", "cost more")
    return f"{head}\n\n{table(heads, rows)}"


def _from_to(before: str, after: str) -> str:
    return before if before == after else f"{before} to {after}"
