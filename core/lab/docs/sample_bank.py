"""Tables of the sample bank: what each check refuses by itself, and from what to what the counts moved, likewise on
halves that a search for thresholds never saw: `python -m core.lab.docs.sample_bank --before FOLDER`."""

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from core.chain import verdict
from core.checks import all_checks
from core.evaluation.cases import Labelled, blocking_alone
from core.evaluation.outcomes import Outcome, Rate, outcome
from core.lab.docs.measured import NOT_YET
from core.presets import modes_of, preset, values, why
from core.reports.metrics import MEASURED, marks, measured, share
from core.reports.seed_tables import MEASURES
from core.thresholds import Preset

GOOD = ("answerable", "supported")
"""Questions that the books answer, and answers that they bear out; refused is one that gets no answer at all."""
BAD = ("absent", "off_topic", "vague", "altered", "faulty")
"""Questions that get no answer when they are caught; altered answers of which nothing false goes out then; answers that
hedge, fill, or are not or only half borne out, which do not go out whole then."""
NOTHING = ""
"""Stands among the checks for none of them: what becomes of the cases when all only watch."""


def group_of(row: Mapping[str, Any]) -> str:
    """The group of GOOD or BAD that a row of the sample banks is in; "" for one that is in none."""
    kind, expected = row.get("kind"), row.get("expected")
    if row.get("answer") is None:
        return kind if kind in ("answerable", "absent", "off_topic", "vague") else ""
    if kind == "pair":
        return expected if expected in ("supported", "altered") else ""
    return "faulty" if kind in ("hedged", "filler", "uncited", "half_supported", "wrongly_cited") else ""


def counted(cases: Sequence[Labelled], base: Preset) -> dict[str, Any]:
    """For each check what it alone forbids at the limits of `base`, by group; under NOTHING what none of them does.

    Cases of no group are left out.
    """
    some = [case for case in cases if group_of(case.row)]
    groups = [group_of(case.row) for case in some]
    found = {}
    for name in (NOTHING, *(check.name for check in all_checks())):
        under = blocking_alone(base, name)
        held = [_held_back(outcome(case.row, verdict(case.trace, under))) for case in some]
        found[name] = {group: sum(h for g, h in zip(groups, held, strict=True) if g == group) for group in GOOD + BAD}
    return {"n": {group: groups.count(group) for group in GOOD + BAD}, "alone": found}


def stored_row(cases: Sequence[Labelled], base: Preset, date: str) -> dict[str, Any]:
    """What is kept in data/measured: the counts, and the limits at which they were counted."""
    return {"date": date, "preset": base.name, "limits": values(base), **counted(cases, base)}


def alone_table() -> str:
    """For each check its mode under the default and why, with what it alone refuses of good and of bad cases."""
    modes, reasons = modes_of(preset("default")), why()
    if not (MEASURED / "alone.json").is_file():
        rows = ["| check | why it blocks or watches |", "|---|---|"]
        return "\n".join([NOT_YET, "", *rows, *(f"| `{name}` | {reasons[name]} |" for name in modes)])
    stored = measured("alone", MEASURED)
    rows = ["| blocks alone | good refused | bad caught | under the default |", "|---|---|---|---|"]
    rows += [f"| {_named(name)} | {_cells(stored, name)} | {reasons.get(name, '')} |" for name in (NOTHING, *modes)]
    return "\n\n".join([_about(stored), "\n".join(rows), _by_group(stored, modes)])


def _held_back(found: Outcome) -> bool:
    """True when a case is refused, or caught, as GOOD and BAD say for its group."""
    group = group_of(found.row)
    if group == "altered":
        return not found.falsehood
    return found.name != "delivered" if group == "faulty" else not found.route.startswith("deliver")


def _named(name: str) -> str:
    return f"`{name}`" if name else "none"


def _cells(stored: Mapping[str, Any], name: str) -> str:
    return " | ".join(_together(stored, name, some) for some in (GOOD, BAD))


def _together(stored: Mapping[str, Any], name: str, groups: Sequence[str]) -> str:
    """What one check alone held back of all these groups, as a rate."""
    if name not in stored["alone"]:
        return "not measured"
    count, n = (sum(of[group] for group in groups) for of in (stored["alone"][name], stored["n"]))
    return share(Rate(count=count, n=n).row())


def _by_group(stored: Mapping[str, Any], names: Sequence[str]) -> str:
    """The counts, group by group."""
    heads = [f"{group.replace('_', ' ')}, of {stored['n'][group]}" for group in GOOD + BAD]
    rows = ["| blocks alone | " + " | ".join(heads) + " |", "|---" * (len(heads) + 1) + "|"]
    for name in (NOTHING, *names):
        if name in stored["alone"]:
            cells = " | ".join(str(stored["alone"][name][group]) for group in GOOD + BAD)
            rows.append(f"| {_named(name)} | {cells} |")
    return "\n".join(rows)


def _about(stored: Mapping[str, Any]) -> str:
    """When and at which limits it was counted, and whose limits are others now."""
    now = values(preset("default"))
    moved = sorted({key.partition(".")[0] for key in now if stored["limits"].get(key) != now[key]})
    others = f" Since then other limits or new: {', '.join(f'`{name}`' for name in moved)}." if moved else ""
    what = f"The reporting half of the sample banks, limits of the preset {stored['preset']}"
    return f"{what}, counted on {stored['date']}.{others}"


_AIMS = {
    "cost 5": "a wrong answer costs five over-refusals",
    "cost 1": "a wrong answer costs as much as an over-refusal",
}
_LIMITS = {"over-refusals under 0.1": "fewest wrong answers, at most 10 % over-refusals"}
_BROKEN = "not compared: the default breaks the limit | | "
Rates = dict[str, Mapping[str, Any]]


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


def rates(folder: Path) -> Rates:
    """What was counted of the sample banks and of real chapters, as rates by their names.

    FiguresError when the folder lacks one of the measurements.
    """
    sample, asked, pairs = (measured(name, folder) for name in ("sample_bank", "ncert_qa", "chapter_pairs"))
    return _sample(sample) | _questions(asked["default"]) | _pairs(pairs)


def _sample(stored: Mapping[str, Any]) -> Rates:
    counted = {MEASURES[name]: stored["seeds"]["with"][name] for name in MEASURES}
    found = marks(stored["questions"]["kinds"], stored["answers"]["kinds"])
    named = counted | {name: rate.row() for name, _, _, rate in found}
    return {f"sample banks: {name}": rate for name, rate in named.items()}


def _questions(stored: Mapping[str, Any]) -> Rates:
    return {
        "real questions: answered": stored["answered"],
        "real questions: of these agreeing with the reference": stored["agrees"],
    }


def _pairs(stored: Mapping[str, Any]) -> Rates:
    settings = {
        "preset default": stored["presets"]["default"],
        "limits chosen on the other half": stored["answer_checks_at_the_operating_point"],
        "best entailment alone": stored["best_entailment_alone"]["outcomes"],
    }
    return {
        f"real chapters, {setting}: {side} answers {become}": outcomes[side]["all"][become]
        for setting, outcomes in settings.items()
        for side, become in (("supported", "refused"), ("altered", "delivered"))
    }


def moved_table() -> str:
    """A row for each rate, as it was stored before and as it is measured now."""
    if not (MEASURED / "moved.json").is_file():
        return NOT_YET
    before, now = measured("moved", MEASURED), rates(MEASURED)
    rows = ["| | before | now |", "|---|---|---|"]
    rows += [f"| {name} | {share(before[name])} | {share(rate)} |" for name, rate in now.items() if name in before]
    return "\n".join(rows)


def main() -> None:
    """Keep the rates of another folder of measurements as those to compare with."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--before", type=Path, required=True, help="a folder of measurements, as data/measured was")
    found = rates(parser.parse_args().before)
    (MEASURED / "moved.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
