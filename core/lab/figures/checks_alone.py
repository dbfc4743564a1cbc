"""Counts, on the reporting half, what each check of the default preset refuses if no other check blocks:
python -m core.lab.figures.checks_alone --store DIR --home DIR --out FILE.json.

Each row is measured as far as the presets of the table need it, and its trace is stored in --store.
"""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from core.banks import REPORTING, read_bank
from core.checks import all_checks
from core.decide import verdict
from core.evaluation.cases import LabelledCase
from core.evaluation.outcomes import Outcome, outcome
from core.graph.startup import open_explorer
from core.lab.figure_files import dated, store_figures
from core.lab.figures.trace_files import measure_and_store
from core.library import load_sample
from core.presets import preset, values
from core.thresholds import Preset

GOOD = ("answerable", "supported")
"""Groups of good cases: questions that the books answer, and supported answers. A good case is refused if nothing is
delivered."""
BAD = ("absent", "off_topic", "vague", "altered", "faulty")
"""Groups of bad cases. A bad case is caught under a condition of its group: a question if it gets no answer, an altered
answer if nothing false is delivered, and a faulty answer (hedging, filler, unsupported or half supported) if it is not
delivered whole."""
NOTHING = ""
"""The key for no blocking check at all: the outcomes if all checks only watch."""


def rows() -> list[Mapping[str, Any]]:
    """The rows of the reporting half that are counted."""
    return [row for row in read_bank(REPORTING, report=True) if group_of(row)]


def needed(base: Preset) -> list[Preset]:
    """The presets of the table: one in which no check blocks, one for each check in which only that check blocks, and
    `base` itself."""
    return [*(isolate_check(base, name) for name in (NOTHING, *(c.name for c in all_checks()))), base]


def isolate_check(preset: Preset, name: str = "") -> Preset:
    """`preset` with every check set to watch except the one called `name`; for name "" all checks only watch."""
    return preset.with_values({}, {c.name: "blocks" if c.name == name else "watches" for c in all_checks()})


def group_of(row: Mapping[str, Any]) -> str:
    """The group in GOOD or BAD of a row of the sample banks; "" if it is in none."""
    kind, expected = row.get("kind"), row.get("expected")
    if row.get("answer") is None:
        return kind if kind in ("answerable", "absent", "off_topic", "vague") else ""
    if kind == "pair":
        return expected if expected in ("supported", "altered") else ""
    return "faulty" if kind in ("hedged", "filler", "uncited", "half_supported", "wrongly_cited") else ""


def counts_alone(cases: Sequence[LabelledCase], base: Preset) -> dict[str, Any]:
    """The content to store: "n", the number of cases per group, and "alone": for each check, how many cases of each
    group are held back if only this check blocks, at the limits of `base`.

    The key NOTHING has these numbers with no blocking check. Cases of no group are left out.
    """
    cases_with_group = [case for case in cases if group_of(case.row)]
    groups = [group_of(case.row) for case in cases_with_group]
    alone = {}
    for name in (NOTHING, *(check.name for check in all_checks())):
        only = isolate_check(base, name)
        outcomes = [_held_back(outcome(case.row, verdict(case.trace, only))) for case in cases_with_group]
        alone[name] = {
            group: sum(h for g, h in zip(groups, outcomes, strict=True) if g == group) for group in GOOD + BAD
        }
    return {"n": {group: groups.count(group) for group in GOOD + BAD}, "alone": alone}


def stored_row(cases: Sequence[LabelledCase], base: Preset) -> dict[str, Any]:
    """The content of the file in data/measured: the counts, and the limits at which they were counted."""
    return {"preset": base.name, "limits": values(base), **counts_alone(cases, base)}


def _held_back(result: Outcome) -> bool:
    """True if the case of this outcome is held back: a good case refused, or a bad case caught, as GOOD and BAD define
    it for the group of the case."""
    group = group_of(result.row)
    if group == "altered":
        return not result.falsehood
    return result.name != "delivered" if group == "faulty" else not result.route.startswith("deliver")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--store", type=Path, required=True, metavar="DIR", help="where what is measured is kept")
    parser.add_argument("--home", type=Path, required=True, metavar="DIR", help="a run-time folder")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE.json", help="where the counts are written")
    options = parser.parse_args()
    explorer, base = open_explorer(options.home), preset("default")
    load_sample(explorer.library)
    cases = []
    for case in measure_and_store(rows(), explorer, needed(base), options.store):
        cases.append(case)
        print(case.row["id"], flush=True)
    store_figures(options.out, dated(stored_row(cases, base)))


if __name__ == "__main__":
    main()
