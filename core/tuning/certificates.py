"""Certificates as preset files hold them: their rows, the reasons that make one void, and a test on another set."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from core.banks.scored_bank import ValuedBank
from core.checks import all_thresholds
from core.evaluation.outcomes import Rate
from core.presets import modes_of, values
from core.presets.saved import SavedPresets
from core.thresholds import Preset
from core.tuning.drift import MOST_COUNTED
from core.tuning.guarantee import RISKS, Certificate, Shortfall, errors_at


class CertificateError(ValueError):
    """A preset has no valid certificate; the message says why and what to do."""


@dataclass(frozen=True, kw_only=True)
class RiskCheck:
    """One risk of a certificate, tested on another set than its own.

    observed: the share of errors in this set. p: the probability of at least so many errors if the true share were
    `promised`. limit: the smallest p at which the set does not contradict the promise; it is chosen so that all risks
    of a kept promise pass with at least the confidence of the certificate.
    """

    promised: float
    observed: Rate
    p: float
    limit: float

    @property
    def passes(self) -> bool:
        """True if the set does not contradict the promise. False without a case that counts."""
        return bool(self.observed.n) and self.p >= self.limit


def row(result: Certificate | Shortfall) -> dict[str, Any]:
    """The JSON object of a certificate or a shortfall, as the command line prints it and a preset file holds it."""
    common = {
        "holds": isinstance(result, Certificate), "key": result.key, "value": result.value,
        "confidence": result.promise.confidence,
        "risks": {
            risk: {"promised": e.promised, "bound": round(e.bound, 4), **e.observed.row()}
            for risk, e in result.risks.items()
        },
    }  # fmt: skip
    if isinstance(result, Shortfall):
        return common | {"rows_needed": result.rows}
    return common | {"out": result.out.row(), "over_refused": result.over_refused.row()}


def certificate_row(
    result: Certificate, preset: Preset, *, models: str, bank: str, bank_digest: str, questions: Mapping[str, Any],
    date: str,
) -> dict[str, Any]:  # fmt: skip
    """A certificate as a preset file holds it: with the set, the models and the limits that it rests on.

    models: an identity of the models that measured the set. bank_digest: changes with the set. questions: the set in
    counts (core.tuning.drift.Summary.row), which later questions are compared with. date: ISO 8601.
    """
    return row(result) | {
        "set": bank, "set_digest": bank_digest, "models": models, "date": date, "limits": limits_digest(preset),
        "questions": dict(questions),
    }  # fmt: skip


def certificate_of(saved: SavedPresets, name: str) -> dict[str, Any]:
    """The certificate that the preset `name` was saved with; {} if there is none, or no such saved preset.

    Raises CertificateError if it lacks what a certificate has, and PresetError if the preset cannot be read.
    """
    certificate = saved.certificate(name) if saved.has_preset(name) else {}
    if certificate and not _is_whole(certificate):
        raise CertificateError(f"The guarantee of the preset {name!r} cannot be read; ask for it again and save it.")
    return certificate


def _is_whole(certificate: Mapping[str, Any]) -> bool:
    """True if a stored certificate has all that is read of it, with values that mean something."""
    try:
        threshold, risks = all_thresholds()[certificate["key"]], certificate["risks"]
        shares = [certificate["confidence"], *(e[name] for e in risks.values() for name in ("promised", "bound"))]
        rates = [certificate["out"], certificate["over_refused"], *risks.values()]
        return (
            certificate["holds"] is True
            and all(isinstance(certificate[field], str) for field in ("set", "date"))
            and bool(risks) and set(risks) <= set(RISKS)
            and threshold.low <= certificate["value"] <= threshold.high
            and all(0 <= share <= 1 for share in shares)
            and all(0 <= rate["count"] <= rate["n"] <= MOST_COUNTED for rate in rates)
        )  # fmt: skip
    except (TypeError, KeyError, AttributeError):
        return False


def required_certificate(saved: SavedPresets, preset: Preset, models: str) -> dict[str, Any]:
    """The valid certificate of `preset`. Raises CertificateError if it is missing or void."""
    certificate = certificate_of(saved, preset.name)
    if not certificate:
        raise CertificateError(
            f"The preset {preset.name!r} has no guarantee; name one that was saved by tune --guarantee … --save NAME."
        )
    if void := void_reason(certificate, preset, models):
        raise CertificateError(f"The guarantee of the preset {preset.name!r} is void. {void}")
    return certificate


def check_against_set(certificate: Mapping[str, Any], bank: ValuedBank, preset: Preset) -> dict[str, RiskCheck]:
    """Test each risk of a certificate on another set, `bank`, decided under `preset`.

    A share of errors above the promise is no proof by itself: the set contradicts a promise only if so many errors
    would be rare if the promise were kept. This is an exact binomial test; its permitted error, 1 - confidence, is
    divided among the risks.
    """
    from scipy.stats import binom  # slow to import and rarely needed

    risks = certificate["risks"]
    limit = (1 - certificate["confidence"]) / len(risks)
    observed = errors_at(bank, preset, tuple(risks))
    return {
        risk: RiskCheck(
            promised=e["promised"], observed=observed[risk], limit=limit,
            p=float(binom.sf(observed[risk].count - 1, observed[risk].n, e["promised"])),
        )
        for risk, e in risks.items()
    }  # fmt: skip


def risk_check_rows(risk_checks: Mapping[str, RiskCheck]) -> dict[str, Any]:
    """The result of `check_against_set` as JSON, by risk."""
    return {
        risk: {"passed": h.passes, "promised": h.promised, "p": round(h.p, 6), **h.observed.row()}
        for risk, h in risk_checks.items()
    }


def void_reason(certificate: Mapping[str, Any], preset: Preset, models: str) -> str:
    """Why a stored certificate does not apply to `preset` with these models, in a sentence; "" if it is valid."""
    if certificate.get("limits") != limits_digest(preset):
        return "The limits of the preset have changed since its guarantee was given; ask for it again."
    if certificate.get("models") != models:
        return "The models have changed since the guarantee was given; measure the set and ask for it again."
    return ""


def set_digest(rows: Iterable[Mapping[str, Any]]) -> str:
    """A digest of the rows of a set with their labels; 16 hexadecimal digits."""
    content = json.dumps([dict(row) for row in rows], sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()[:16]


def limits_digest(preset: Preset) -> str:
    """A digest of all limits and modes of a preset; 16 hexadecimal digits."""
    content = json.dumps([sorted(values(preset).items()), sorted(modes_of(preset).items())])
    return hashlib.sha256(content.encode()).hexdigest()[:16]
