"""The journal without a browser: decisions of the command line written down, and all of them taken away."""

import json
import sys
from argparse import ArgumentParser, Namespace
from dataclasses import asdict
from datetime import date

from core.case import Trace
from core.chain import REASONS, Verdict
from core.chain.routing import ROUTES
from core.journal.errors import JournalError
from core.journal.export import csv_of, json_of
from core.journal.filters import Filter
from core.journal.journal import Journal
from core.settings import Settings
from core.startup import home_folder
from core.thresholds import Preset


class Noting:
    """Writes down what is decided where --journal asks for it. `code` is 1 once the journal could not be written.

    That is said once, in a sentence on stderr; the questions go on.
    """

    def __init__(self, options: Namespace, under: Preset, settings: Settings) -> None:
        self.options, self.under, self.settings = options, under, settings
        self.code = 0
        self._journal = Journal(home_folder(options.home)) if options.journal else None

    def __call__(self, trace: Trace, verdict: Verdict) -> None:
        if self._journal is None:
            return
        about = {"profile": self.options.profile, "settings": self.settings, "source": "command line"}
        try:
            self._journal.record(trace, verdict, self.under, **about)
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
    from core.models.embedder import bundled_embedder  # torch takes seconds to import

    lacking = kept.lacking(which)
    found = Gaps(bundled_embedder().encode)(lacking) if lacking else []
    if as_json:
        return json.dumps([asdict(gap) for gap in found], ensure_ascii=False, indent=1)
    return "\n".join(f"{gap.asked} x {gap.question}  ({len(gap.questions)} ways of asking)" for gap in found)
