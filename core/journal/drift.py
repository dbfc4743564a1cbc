"""Compares the questions in the journal with those of the set that a certificate rests on, which the certificate stores
as counts.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from core.chain import verdict
from core.evaluation.cases import LabelledCase
from core.journal.entry import decision_row_of
from core.journal.journal import Journal
from core.journal.sqlite_file import JournalError
from core.thresholds import Preset
from core.tuning.certificates import certificate_row, limits_digest, set_digest
from core.tuning.drift import Drift, Summary, drift, summary_of
from core.tuning.guarantee import Certificate


def summary_of_set(cases: Iterable[LabelledCase], preset: Preset) -> Summary:
    """Summarize the questions of a measured set, decided under `preset`, in the same counts as questions of the
    journal.
    """
    return summary_of(
        decision_row_of(case.trace, verdict(case.trace, preset), preset.name, "set", at=0.0) for case in cases
    )


def dated_certificate(
    result: Certificate, preset: Preset, cases: Sequence[LabelledCase], *, models: str, bank: str
) -> dict[str, Any]:
    """A certificate for `preset` as its file stores it, with the date of today.

    result: the certificate; `preset` has its limits. cases: the measured set that it rests on. models: a digest of the
    models that measured the set. bank: name of the set.
    """
    return certificate_row(
        result, preset, models=models, bank=bank, bank_digest=set_digest(case.row for case in cases),
        questions=summary_of_set(cases, preset).row(), date=date.today().isoformat(),
    )  # fmt: skip


def drift_since(journal: Journal, preset: str, certificate: Mapping[str, Any]) -> Drift:
    """The drift of the questions that were decided under the limits of a certificate, since the day of the certificate.

    preset: the name of the preset that has the certificate. Raises JournalError if the journal cannot be read.
    """
    try:
        first = date.fromisoformat(certificate["date"])
    except ValueError as error:
        raise JournalError(f"The guarantee of {preset!r} has no valid date ({error}); ask for it again.") from error
    limits = certificate.get("limits")
    return drift(certificate, journal.decisions_under(preset, lambda then: limits_digest(then) == limits, first))
