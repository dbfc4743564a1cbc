"""Export of decisions, as CSV for a spreadsheet or as JSON with every threshold; and the command `journal`."""

import json
import sys
from argparse import ArgumentParser, Namespace
from dataclasses import asdict
from datetime import UTC, date, datetime
from typing import Any

from core.banks.question_lists import as_csv
from core.case import Trace
from core.chain import REASONS, Verdict, verdict
from core.chain.document_records import RECORDS, records
from core.chain.routing import ROUTES
from core.graph.startup import home_folder
from core.journal.entry import Decided
from core.journal.journal import Journal
from core.journal.queries import Filter
from core.journal.sqlite_file import JournalError
from core.models.embedder import bundled_embedder
from core.settings import Settings
from core.settings.domains import DomainError, domain
from core.thresholds import Preset

COLUMNS = (
    "id", "at", "source", "question", "understood", "class", "subject", "route", "reason", "confidence", "document",
    "page", "answer", "given", "preset", "seconds", "handed_over", "attended", "should_be", "profile", "models",
)  # fmt: skip
"""The columns of the CSV. The JSON also has the full preset, the settings, and the records of documents C and D."""


def csv_of(journal: Journal, which: Filter) -> str:
    """The decisions as CSV, newest first, one per line; no cell can be taken for a formula by a spreadsheet."""
    lines = (journal_row(decided) | content for decided, content in journal.contents(which))
    named_models = (
        line | {"models": "; ".join(f"{role}: {name}" for role, name in line["models"].items())} for line in lines
    )
    return as_csv((line | {"preset": line["preset"]["name"]} for line in named_models), COLUMNS)


def json_of(journal: Journal, which: Filter) -> str:
    """The decisions as one JSON list, newest first, one per line; missing values are null.

    Each has the records of source documents C and D as the other outputs have them. They are computed from its trace,
    so older decisions have them too; they are null for a decision that was stored without its trace.
    """
    decisions = list(journal.contents(which))
    lines = (
        json.dumps(journal_row(decided) | content | _records(journal, decided), ensure_ascii=False)
        for decided, content in decisions
    )
    return "[\n" + ",\n".join(lines) + "\n]\n"


def _records(journal: Journal, decided: Decided) -> dict[str, Any]:
    """The records of source documents C and D of one decision, by their names; null if it cannot be opened."""
    try:
        stored = journal.open(decided.id)
        stored_domain = domain(stored.settings.get("domain", Settings().domain))
    except (JournalError, DomainError):
        return dict.fromkeys(RECORDS)
    at = datetime.fromtimestamp(decided.at, UTC)
    return records(verdict(stored.trace, stored.preset), stored.preset, stored_domain, at)


def journal_row(decided: Decided) -> dict[str, Any]:
    """One decision under the names of COLUMNS; times in ISO 8601, UTC."""
    row = {name: value for name, value in vars(decided).items() if name not in ("at", "attended", "class_number")}
    times = {"at": _iso(decided.at), "attended": decided.attended and _iso(decided.attended)}
    return {"id": decided.id, **times, "class": decided.class_number, **row, "subject": decided.subject or None}


def _iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


class Noting:
    """Records decisions in the journal if --journal is set. `code` is 1 after the journal could not be written.

    That failure is reported once on stderr; the command goes on.
    """

    def __init__(self, options: Namespace, under: Preset, settings: Settings, source: str = "command line") -> None:
        self.options, self.under, self.settings, self.source = options, under, settings, source
        self.code = 0
        self._journal = Journal(home_folder(options.home)) if options.journal else None

    def __call__(self, trace: Trace, decision: Verdict, under: Preset | None = None) -> None:
        """Record one decision. under: the preset that decided, if it differs from the default one."""
        if self._journal is None:
            return
        context = {"profile": self.options.profile, "settings": self.settings, "source": self.source}
        try:
            self._journal.record(trace, decision, under or self.under, **context)
        except JournalError as error:
            print(f"{self.options.command}: from here on nothing is in the journal: {error}", file=sys.stderr)
            self._journal, self.code = None, 1


def add_options(sub: ArgumentParser) -> None:
    """Add the options of `journal`."""
    sub.add_argument("--reason", action="append", default=[], choices=list(REASONS))
    sub.add_argument("--route", action="append", default=[], choices=ROUTES)
    sub.add_argument("--class-number", type=int)
    sub.add_argument("--subject", default="")
    sub.add_argument("--first", type=date.fromisoformat, metavar="YYYY-MM-DD", help="from this day on")
    sub.add_argument("--last", type=date.fromisoformat, metavar="YYYY-MM-DD", help="up to this day")
    sub.add_argument("--text", default="", help="letters in a row of the question or its answer")
    sub.add_argument("--gaps", action="store_true", help="what the library lacks instead, the most asked first")
    sub.add_argument("--json", action="store_true", help="JSON instead of CSV, with every threshold")
    sub.set_defaults(run=journal)


def journal(options: Namespace) -> int:
    """Print the decisions that match the options, newest first."""
    conditions = Filter(
        reasons=tuple(options.reason), routes=tuple(options.route), class_number=options.class_number,
        subject=options.subject, first=options.first, last=options.last, text=options.text,
    )  # fmt: skip
    store = Journal(home_folder(options.home))
    if options.gaps:
        print(_gaps(store, conditions, options.json))
    else:
        print(json_of(store, conditions) if options.json else csv_of(store, conditions), end="")
    return 0


def _gaps(store: Journal, conditions: Filter, as_json: bool) -> str:
    from core.journal.coverage_gaps import Gaps

    lacking = store.lacking(conditions)
    gaps = Gaps(bundled_embedder().encode)(lacking) if lacking else []
    if as_json:
        return json.dumps([asdict(gap) for gap in gaps], ensure_ascii=False, indent=1)
    return "\n".join(f"{gap.asked} x {gap.question}  ({len(gap.questions)} ways of asking)" for gap in gaps)
