"""The command `tune`: measures the rows of a bank that are not measured yet, and proposes thresholds or a limit with a
guarantee.
"""

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from core.banks.background_measuring import store_result
from core.banks.bank_files import open_bank
from core.banks.measured_bank import MeasuredBank
from core.banks.open_bank import OpenBank
from core.banks.saved import named_bank
from core.checks import all_thresholds
from core.command.cluster import measuring_of
from core.command.terminal import preset_of, settings_for_rows, track_progress
from core.evaluation.cases import MeasureRows
from core.evaluation.conditions import conditions_of
from core.evaluation.counts import Rate
from core.graph import Explorer
from core.graph.startup import open_explorer
from core.library import load_sample
from core.platform.home import home_folder
from core.presentation.set_words import guarantee_sentences
from core.presets.saved import SavedPresets
from core.thresholds import Preset
from core.tuning.guarantee import Promise, PromiseError, guarantee, threshold_with_order
from core.tuning.proposals import Aim, Proposal, calibration, propose, row

ALONG = "confidence.min_confidence"
"""The threshold that a guarantee searches a limit for, unless --along names another."""


def tune(options: Namespace) -> int:
    """Propose thresholds from a bank, or find a limit with a guarantee.

    JSON or sentences go to stdout, progress goes to stderr. Measurements are stored under the home folder, so that a
    second run, or one after a kill, continues there. Returns 1 if a guarantee that was asked for is missing, else 0.
    """
    base, promise = preset_of(options), _promise_of(options)
    aim = Aim(wrong_cost=options.wrong_cost, max_over_refusal=options.max_over_refusal)
    rows = named_bank(options.bank, home_folder(options.home))
    measuring = measuring_of(options)
    explorer = open_explorer(options.home, options.profile, settings_for_rows(options))
    if options.sample:
        load_sample(explorer.library)
    bank = _measure_rows(rows, explorer, measuring)
    if promise and not options.abstention_sweep:
        return _guarantee(options, bank, base, promise)
    if options.abstention_sweep:
        found = calibration(bank)
        sentences = _sweep_in_words(found)
    else:
        proposal = propose(bank, base, aim)
        found, sentences = row(proposal), in_words(proposal)
    print(json.dumps(found, indent=1) if options.json else "\n".join(sentences))
    return 0


def _sweep_in_words(swept: Mapping[str, Any]) -> list[str]:
    """The sweep of source document C as lines of text, in the format that this document prints."""
    rates = {**swept["accuracy"], "chosen": swept["held_out"]["chosen"]}
    texts = {value: Rate(count=rate["count"], n=rate["n"]).text for value, rate in rates.items()}
    chosen = f"chosen: {swept['chosen']:g}; on the half that was not swept: {texts.pop('chosen')}"
    return [*(f"Threshold {value}: {text}" for value, text in texts.items()), chosen]


def add_guarantee_options(parser: ArgumentParser) -> None:
    """Add the options that ask for a limit with a guarantee instead of a proposal."""
    parser.add_argument(
        "--guarantee", metavar="SHARE",
        help="find the most lenient limit with at most this share of wrong ones among the answers given, such as 0.05",
    )  # fmt: skip
    parser.add_argument(
        "--confidence", type=float, default=0.95, metavar="SHARE", help="confidence of the guarantee; default: 0.95"
    )
    parser.add_argument("--along", default=ALONG, metavar="KEY", help=f"the threshold to move; default: {ALONG}")
    parser.add_argument(
        "--save", default="", metavar="NAME", help="save the limits as a preset, if the guarantee holds"
    )


def _promise_of(options: Namespace) -> Promise | None:
    """The promise that the options ask for; None if they ask for none.

    Raises PromiseError if it is invalid, and ThresholdError or CaseError if the threshold cannot be moved for it.
    """
    if options.guarantee is None:
        if options.save:
            raise PromiseError("--save keeps the limits of a guarantee, so give --guarantee too, such as 0.05.")
        return None
    threshold_with_order(options.along)
    return Promise(share=share_of(options.guarantee), confidence=options.confidence)


def share_of(text: str) -> float:
    """The share that an option gives, "0.05", or "wrong=0.05" as older scripts write it. Raises PromiseError."""
    try:
        return float(text.removeprefix("wrong="))
    except ValueError as error:
        raise PromiseError(
            f"A guarantee limits the share of wrong answers, and needs a number such as 0.05, got {text!r:.60}."
        ) from error


def _guarantee(options: Namespace, bank: OpenBank, base: Preset, promise: Promise) -> int:
    """Print the guarantee or what is missing for it, and save its limits if asked to. Returns 1 without a guarantee."""
    result = guarantee(bank, base, options.along, promise)
    sentences = guarantee_sentences(result)
    print(json.dumps(result.row(), indent=1) if options.json else "\n".join(sentences))
    if result.kept and options.save:
        told = f"{sentences[0]} Given on {date.today().isoformat()} by {options.bank.name}."
        new_preset = replace(base.with_values({result.key: result.value}), name=options.save, help=told)
        SavedPresets(home_folder(options.home)).save(new_preset)
        print(f"saved as {options.save}", file=sys.stderr)
    return int(not result.kept)


def _measure_rows(rows: Sequence[Mapping[str, Any]], explorer: Explorer, measuring: MeasureRows) -> OpenBank:
    """The bank of all rows, each measured with every round that a preset could need; only rows without a stored
    measurement are measured now.

    Failures are printed on stderr. Raises CaseError if the library changes meanwhile.
    """
    bank = MeasuredBank(explorer.library.home, rows, conditions_of(explorer))
    missing = bank.missing_rows()
    if missing:
        bank.stored_traces.use(bank.conditions.key, vars(bank.conditions))
    results = zip(missing.items(), measuring(missing.values(), explorer, ()), strict=True)
    for (digest, source), result in track_progress(results, len(missing)):
        if problem := store_result(bank, digest, result, explorer):
            print(f"tune: {source.get('id') or source['query']}: {problem}", file=sys.stderr)
    return open_bank(bank)


def in_words(proposal: Proposal) -> list[str]:
    """A proposal as sentences for a terminal."""
    thresholds, half = all_thresholds(), proposal.held_out
    lines = [f"searched on {proposal.fitted.base.n} cases, reported on {half.base.n} that the search never saw"]
    if not proposal.moves:
        return [*lines, "No other thresholds do better by more than chance; none are proposed."]
    lines += [f"{move.key}: {move.before:g} -> {move.after:g} {thresholds[move.key].unit}" for move in proposal.moves]
    lines += [
        f"{name}: wrong answers {t.wrong_answer.text}; wrongly refused {t.over_refusal.text}; "
        f"right outcomes {t.as_it_should_be.text}"
        for name, t in (("before", half.base), ("proposed", half.proposed))
    ]
    lines.append(f"cost saved per case, where a wrong refusal costs 1: {half.saved[0]:.3f} to {half.saved[1]:.3f}")
    return lines + ["The proposal answers nothing: at this cost, refusing everything is cheapest."] * proposal.is_silent
