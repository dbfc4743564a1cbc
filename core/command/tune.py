"""The command `tune`: measures what is missing of a bank, and proposes thresholds from it."""

import json
import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from core.banks import read_bank
from core.banks.background_measuring import keep
from core.banks.measured_bank import Conditions, KeptTraces, MeasuredBank, conditions_of
from core.banks.scored_bank import Tally
from core.checks import all_thresholds
from core.command.cluster import measuring_of
from core.command.terminal import preset_of, settings_for_rows, with_time_left
from core.evaluation.cases import Labelled, Measuring
from core.graph import Explorer
from core.graph.startup import home_folder, open_explorer
from core.library import load_sample
from core.tuning.proposals import SEED_C_KEY, SEED_C_VALUES, Calibration, Proposal, calibration, propose, row
from core.tuning.search import Aim


def tune(options: Namespace) -> int:
    """Propose thresholds from a bank: JSON or sentences on stdout, progress on stderr.

    Measurements are stored under the home folder, so that a second run, or one after a kill, continues there.
    """
    base = preset_of(options)
    aim = Aim(wrong_cost=options.wrong_cost, max_over_refusal=options.max_over_refusal)
    rows = read_bank(options.bank)
    measuring = measuring_of(options)
    explorer = open_explorer(options.home, options.profile, settings_for_rows(options))
    if options.sample:
        load_sample(explorer.library)
    cases = measured(rows, explorer, home_folder(options.home), measuring)
    if options.abstention_sweep:
        swept = calibration(cases)
        print(json.dumps(sweep_row(swept), indent=1) if options.json else "\n".join(sweep_in_words(swept)))
        return 0
    proposal = propose(cases, base, aim)
    print(json.dumps(row(proposal), indent=1) if options.json else "\n".join(in_words(proposal)))
    return 0


def sweep_row(swept: Calibration) -> dict[str, Any]:
    """The sweep of source document C as JSON: the share of right outcomes at each value, and the chosen value."""
    accuracy = {f"{value:g}": rate.row() for value, rate in zip(SEED_C_VALUES, swept.accuracy, strict=True)}
    return {
        "threshold": SEED_C_KEY, "accuracy": accuracy, "chosen": swept.chosen,
        "held_out": {"chosen": swept.held_out.as_it_should_be.row(), "as_printed": swept.default.as_it_should_be.row()},
    }  # fmt: skip


def sweep_in_words(swept: Calibration) -> list[str]:
    """The sweep of source document C in the words that it prints."""
    lines = [f"Threshold {v:g}: {rate.said}" for v, rate in zip(SEED_C_VALUES, swept.accuracy, strict=True)]
    return [*lines, f"chosen: {swept.chosen:g}; on the half that was not swept: {swept.held_out.as_it_should_be.said}"]


def measured(rows: Sequence[Mapping[str, Any]], explorer: Explorer, home: Path, measuring: Measuring) -> list[Labelled]:
    """Every row measured to full depth; only missing rows are measured now. Failures are printed on stderr.

    Raises CaseError if the library changes meanwhile.
    """
    conditions = conditions_of(explorer)
    bank, store = MeasuredBank(home, rows, conditions), KeptTraces(home)
    measured_digests = store.known(conditions.key)
    missing = {digest: row for digest, row in zip(bank.questions, rows, strict=True) if digest not in measured_digests}
    if missing:
        store.use(conditions.key, vars(conditions))
    for name, why in with_time_left(_measure_missing(missing, explorer, store, conditions, measuring), len(missing)):
        if why:
            print(f"tune: {name}: {why}", file=sys.stderr)
    return bank.cases()


def in_words(proposal: Proposal) -> list[str]:
    """A proposal as sentences for a terminal."""
    thresholds, half = all_thresholds(), proposal.held_out
    lines = [f"searched on {proposal.fitted.base.n} cases, reported on {half.base.n} that the search never saw"]
    if not proposal.moves:
        return [*lines, "No other thresholds do better by more than chance; none are proposed."]
    lines += [f"{move.key}: {move.before:g} -> {move.after:g} {thresholds[move.key].unit}" for move in proposal.moves]
    lines += [f"{name}: {_counted(counts)}" for name, counts in (("before", half.base), ("proposed", half.proposed))]
    lines.append(f"saved a case, in the cost of a wrong refusal: {half.saved[0]:.3f} to {half.saved[1]:.3f}")
    return lines + ["The proposal answers nothing: at this cost silence is cheapest."] * proposal.refuses_all


def _measure_missing(
    missing: Mapping[str, Mapping[str, Any]],
    explorer: Explorer,
    store: KeptTraces,
    conditions: Conditions,
    measuring: Measuring,
) -> Iterator[tuple[str, str]]:
    """Measure and store each row. Yields (id, "") or (id, why it could not be measured)."""
    for (digest, source), result in zip(missing.items(), measuring(missing.values(), explorer, ()), strict=True):
        yield str(source.get("id") or source["query"]), keep(store, conditions, digest, result, explorer)


def _counted(t: Tally) -> str:
    wrong, refused = t.wrong_answer.said, t.over_refusal.said
    return f"wrong answers {wrong}; wrongly refused {refused}; right outcomes {t.as_it_should_be.said}"
