"""Decisions taken away, as CSV for a spreadsheet or JSON with every threshold; and the journal on the command line."""

import json
import sys
from argparse import ArgumentParser, Namespace
from dataclasses import asdict
from datetime import UTC, date, datetime
from typing import Any

from core.banks.question_lists import as_csv
from core.case import Trace
from core.chain import REASONS, Verdict
from core.chain.routing import ROUTES
from core.graph.startup import home_folder
from core.journal.entry import Decided
from core.journal.journal import Journal
from core.journal.queries import Filter
from core.journal.sqlite_file import JournalError
from core.models.embedder import bundled_embedder
from core.settings import Settings
from core.thresholds import Preset

COLUMNS = (
    "id", "at", "source", "question", "understood", "class", "subject", "route", "reason", "confidence", "document",
    "page", "answer", "given", "preset", "seconds", "handed_over", "attended", "should_be", "profile", "models",
)  # fmt: skip
"""What a line of the CSV holds; the JSON has the preset in full and the settings besides."""


def csv_of(journal: Journal, which: Filter) -> str:
    """The decisions, the newest first, a line each; no cell is taken for a formula by a spreadsheet."""
    lines = (told(decided) | about for decided, about in journal.contents(which))
    named = (line | {"models": "; ".join(f"{role}: {name}" for role, name in line["models"].items())} for line in lines)
    return as_csv((line | {"preset": line["preset"]["name"]} for line in named), COLUMNS)


def json_of(journal: Journal, which: Filter) -> str:
    """The decisions, the newest first, as one list, a line each; what is not there is null."""
    lines = (json.dumps(told(decided) | about, ensure_ascii=False) for decided, about in journal.contents(which))
    return "[\n" + ",\n".join(lines) + "\n]\n"


def told(decided: Decided) -> dict[str, Any]:
    """One decision by the names of COLUMNS; times as ISO 8601 in UTC."""
    row = {name: value for name, value in vars(decided).items() if name not in ("at", "attended", "class_number")}
    times = {"at": _iso(decided.at), "attended": decided.attended and _iso(decided.attended)}
    return {"id": decided.id, **times, "class": decided.class_number, **row, "subject": decided.subject or None}


def _iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


class Noting:
    """Writes down what is decided where --journal asks for it. `code` is 1 once the journal could not be written.

    That is said once, in a sentence on stderr; the questions go on.
    """

    def __init__(self, options: Namespace, under: Preset, settings: Settings, source: str = "command line") -> None:
        self.options, self.under, self.settings, self.source = options, under, settings, source
        self.code = 0
        self._journal = Journal(home_folder(options.home)) if options.journal else None

    def __call__(self, trace: Trace, verdict: Verdict, under: Preset | None = None) -> None:
        """under: what decided, where it is another preset."""
        if self._journal is None:
            return
        about = {"profile": self.options.profile, "settings": self.settings, "source": self.source}
        try:
            self._journal.record(trace, verdict, under or self.under, **about)
        except JournalError as error:
            print(f"{self.options.command}: from here on nothing is in the journal: {error}", file=sys.stderr)
            self._journal, self.code = None, 1


def add_options(sub: ArgumentParser) -> None:
    """The options of `journal`."""
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
    """The decisions that the options let through, the newest first, on stdout."""
    which = Filter(
        reasons=tuple(options.reason), routes=tuple(options.route), class_number=options.class_number,
        subject=options.subject, first=options.first, last=options.last, text=options.text,
    )  # fmt: skip
    kept = Journal(home_folder(options.home))
    if options.gaps:
        print(_gaps(kept, which, options.json))
    else:
        print(json_of(kept, which) if options.json else csv_of(kept, which), end="")
    return 0


def _gaps(kept: Journal, which: Filter, as_json: bool) -> str:
    from core.journal.coverage_gaps import Gaps

    lacking = kept.lacking(which)
    found = Gaps(bundled_embedder().encode)(lacking) if lacking else []
    if as_json:
        return json.dumps([asdict(gap) for gap in found], ensure_ascii=False, indent=1)
    return "\n".join(f"{gap.asked} x {gap.question}  ({len(gap.questions)} ways of asking)" for gap in found)
