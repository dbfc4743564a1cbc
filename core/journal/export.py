"""Export of decisions, as CSV for a spreadsheet or as JSON with every threshold."""

import json
import sys
from argparse import Namespace
from datetime import UTC, datetime
from typing import Any

from core.banks.spreadsheet import csv_text
from core.case import Trace
from core.decide import Verdict, verdict
from core.journal.entry import DecisionRow
from core.journal.journal import Filter, Journal
from core.journal.journal_file import JournalError
from core.platform.home import home_folder
from core.reply.reply import REPLY_KEYS, reply_of
from core.settings import Settings
from core.settings.domains import DomainError, domain
from core.thresholds import Preset

COLUMNS = (
    "id", "at", "source", "question", "understood", "class", "subject", "route", "reason", "confidence", "document",
    "page", "answer", "given", "preset", "seconds", "handed_over", "attended", "should_be", "note", "profile", "models",
)  # fmt: skip
"""The columns of the CSV. The JSON also has the full preset, the settings, and the keys of a reply."""


def csv_of(journal: Journal, filters: Filter) -> str:
    """The decisions as CSV, newest first, one per line. Cells are escaped so that no spreadsheet runs them
    as formulas."""
    lines = (journal_row(decision_row) | content for decision_row, content in journal.rows_with_settings(filters))
    named_models = (
        line | {"models": "; ".join(f"{role}: {name}" for role, name in line["models"].items())} for line in lines
    )
    return csv_text((line | {"preset": line["preset"]["name"]} for line in named_models), COLUMNS)


def json_of(journal: Journal, filters: Filter) -> str:
    """The decisions as one JSON list, newest first, one per line; missing values are null.

    Each has the keys of a reply, as every other output, and those of the journal. The reply is computed from its trace,
    so that decisions of older versions have it too; of a decision that was stored without its trace, only what the
    journal lists is known.
    """
    decisions = list(journal.rows_with_settings(filters))
    lines = (
        json.dumps(_reply_row(journal, decision_row) | content, ensure_ascii=False)
        for decision_row, content in decisions
    )
    return "[\n" + ",\n".join(lines) + "\n]\n"


def _reply_row(journal: Journal, decision_row: DecisionRow) -> dict[str, Any]:
    """One decision under the keys of a reply and of the journal; `query` is the question as it was asked."""
    listed = journal_row(decision_row)
    query, reason = listed.pop("question"), listed["reason"]
    known = {**dict.fromkeys(REPLY_KEYS), **listed, "query": query, "primary_reason": reason}
    try:
        decision = journal.open(decision_row.id)
        stored_domain = domain(decision.settings.get("domain", Settings().domain))
    except (JournalError, DomainError):
        return known
    at = datetime.fromtimestamp(decision_row.at, UTC)
    found = verdict(decision.trace, decision.preset)
    return known | reply_of(decision.trace, found, decision.preset, stored_domain, at).row() | {"id": decision_row.id}


def journal_row(decision_row: DecisionRow) -> dict[str, Any]:
    """One decision under the names of COLUMNS; times in ISO 8601, UTC."""
    row = {name: value for name, value in vars(decision_row).items() if name not in ("at", "attended", "class_number")}
    times = {"at": _iso(decision_row.at), "attended": decision_row.attended and _iso(decision_row.attended)}
    first = {"id": decision_row.id, **times, "class": decision_row.class_number}
    return first | row | {"subject": decision_row.subject or None}


def _iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


class DecisionRecorder:
    """Records decisions in the journal if --journal is set. If the journal cannot be written, the command goes on
    without it.

    code: exit code for the command: 0, or 1 after such a failure, which is reported once on stderr.
    """

    def __init__(self, options: Namespace, preset: Preset, settings: Settings, source: str = "command line") -> None:
        self.options, self.preset, self.settings, self.source = options, preset, settings, source
        self.code = 0
        self._journal = Journal(home_folder(options.home)) if options.journal else None

    def __call__(self, trace: Trace, decision: Verdict, preset: Preset | None = None) -> None:
        """Record one decision. preset: the preset that decided; None for the preset of the recorder."""
        if self._journal is None:
            return
        context = {"profile": self.options.profile, "settings": self.settings, "source": self.source}
        try:
            self._journal.record(trace, decision, preset or self.preset, **context)
        except JournalError as error:
            print(f"{self.options.command}: from here on nothing is in the journal: {error}", file=sys.stderr)
            self._journal, self.code = None, 1
