"""From what to what the counts moved: `python -m core.workshop.figures.before_after --before FOLDER`.

Likewise what proposed thresholds move, on halves that the search never saw.
"""

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.reports.metrics import MEASURED, marks, measured, share
from core.reports.seed_tables import MEASURES
from core.workshop.figures.measured import NOT_YET

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
