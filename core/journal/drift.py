"""The journal held against the set that a certificate rests on."""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from core.chain import verdict
from core.evaluation.cases import LabelledCase
from core.journal.entry import decided_of
from core.journal.journal import Journal
from core.journal.sqlite_file import JournalError
from core.thresholds import Preset
from core.tuning.certificates import limits_digest
from core.tuning.drift import Drift, Summary, drift, summary_of


def summary_of_set(cases: Iterable[LabelledCase], preset: Preset) -> Summary:
    """The questions of a measured set as the journal would list them, decided under `preset`, in counts."""
    return summary_of(decided_of(case.trace, verdict(case.trace, preset), preset.name, "set", at=0.0) for case in cases)


def drift_since(journal: Journal, preset: str, certificate: Mapping[str, Any]) -> Drift:
    """The drift of the questions that were decided under the certified limits since the day of the certificate.

    preset: the name of the preset that holds the certificate. Raises JournalError if the journal cannot be read.
    """
    try:
        first = date.fromisoformat(certificate["date"])
    except ValueError as error:
        raise JournalError(f"The guarantee of {preset!r} has no valid date ({error}); ask for it again.") from error
    limits = certificate.get("limits")
    return drift(certificate, journal.decided_with(preset, lambda then: limits_digest(then) == limits, first))
