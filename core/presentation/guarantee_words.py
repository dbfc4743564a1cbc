"""A guarantee, or what it lacks, as sentences for a page and a terminal."""

from collections.abc import Mapping, Sequence
from typing import Any

from core.checks import threshold_of
from core.evaluation.outcomes import Rate
from core.presentation.class_words import uncovered_sentence
from core.presentation.outcome_words import share
from core.presets.by_class import ClassLimits
from core.tuning.certificates import RiskCheck
from core.tuning.guarantee import RISKS

ASSUMES = "It holds for questions like those of this set, measured by the same models."


def sentences(row: Mapping[str, Any]) -> list[str]:
    """One sentence each on what is promised or missing, what the set shows, what it costs, and what it assumes.

    row: the result of core.tuning.certificates.row, which a preset file stores too.
    """
    shares = " and ".join(f"at most {100 * e['promised']:g} % {RISKS[risk]}" for risk, e in row["risks"].items())
    threshold, promise = threshold_of(row["key"]), f"{shares}, with {100 * row['confidence']:g} % confidence"
    if not row["holds"]:
        return [f"No value of “{threshold.label}” keeps the promise: {promise}.", *_missing(row)]
    out = row["out"]
    return [
        f"{promise[:1].upper()}{promise[1:]}, with “{threshold.label}” at {row['value']:g}.",
        *_display_lines(row), f"The price: {RISKS['over_refused']}, {_rate(row['over_refused'])}.",
        f"{out['count']} of {out['n']} questions get an answer.", ASSUMES,
    ]  # fmt: skip


def certificate_title(row: Mapping[str, Any], risk: str) -> str:
    """The title of the chart of one risk of a guarantee."""
    label, others = threshold_of(row["key"]).label, len(row["risks"]) > 1
    promise = f"at most {100 * row['risks'][risk]['promised']:g} % {RISKS[risk]}" if others else "the promise"
    if not row["holds"]:
        condition = " together with the others" if others else ""
        return f"No value of “{label}” can promise {'this' if not others else promise}{condition}"
    return f"With “{label}” at {row['value']:g} this set proves {promise}"


def stored_sentence(
    certificate: Mapping[str, Any], void: str, *, by_class: Sequence[ClassLimits] = (), drifted: bool = False
) -> str:
    """The guarantee of a saved preset and what it does not cover, or why it is void.

    void: the result of core.tuning.certificates.void_reason, "" if the guarantee is valid. by_class: the entries of
    classes and subjects that change the preset. drifted: True if the questions of the journal are no longer like those
    of the set, so that the guarantee promises nothing for them.
    """
    source = f"given on {certificate['date']} by the set {certificate['set']}"
    if void:
        return f"The guarantee of this preset, {source}, is void. {void}"
    promise, uncovered = sentences(certificate)[0], uncovered_sentence(by_class)
    if drifted:
        text = f"The guarantee of this preset, {source}, holds for questions like those of the set only: {promise}"
    else:
        text = f"{promise} It was {source}."
    return f"{text} {uncovered}".strip()


def recheck_sentence(preset: str, risk_checks: Mapping[str, RiskCheck]) -> str:
    """A sentence on whether the guarantee of a preset still holds on another set, with the rate of each risk there."""
    counted = all(h.observed.n for h in risk_checks.values())
    verdict = (
        "holds"
        if all(h.passes for h in risk_checks.values())
        else "no longer holds"
        if counted
        else "cannot be checked"
    )
    rates = " and ".join(
        f"{RISKS[risk]} are {_text(h.observed)}, and at most {100 * h.promised:g} % are promised"
        if h.observed.n
        else f"no labelled row can show {RISKS[risk]}, so label some"
        for risk, h in risk_checks.items()
    )
    return f"The guarantee of the preset {preset!r} {verdict} on this bank: {rates}."


def _display_lines(row: Mapping[str, Any]) -> list[str]:
    return [
        f"In this set, {RISKS[risk]}: {e['count']} of {e['n']} ({100 * e['count'] / e['n']:.0f} %). "
        f"With {100 * row['confidence']:g} % confidence, the true share is at most {100 * e['bound']:.1f} %."
        for risk, e in row["risks"].items()
    ]


def _rate(row: Mapping[str, Any]) -> str:
    return _text(Rate(count=row["count"], n=row["n"]))


def _text(rate: Rate) -> str:
    return f"{rate.count} of {rate.n} ({share(rate)})"


def _missing(row: Mapping[str, Any]) -> list[str]:
    nearest = [f"The value {row['value']:g} comes closest.", *_display_lines(row)]
    if row["rows_needed"] is None:
        return [*nearest, "More questions would not help, because at every value the set shows too many errors."]
    return [*nearest, f"About {row['rows_needed']:,} more labelled questions like these would be enough."]
