"""The command `journal`: prints the stored decisions, or what the library lacks."""

import json
from argparse import ArgumentParser, Namespace
from dataclasses import asdict
from datetime import date

from core.decide.routes import ROUTES
from core.journal import Filter, Journal
from core.journal.export import csv_of, json_of
from core.models.embedder import bundled_embedder
from core.platform.home import home_folder
from core.words import REASONS


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
    """Print the decisions that match the options, newest first, or what the library lacks."""
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
    from core.journal.coverage_gaps import gaps_of

    lacking = store.lacking(conditions)
    gaps = gaps_of(lacking, bundled_embedder().encode) if lacking else []
    if as_json:
        return json.dumps([asdict(gap) for gap in gaps], ensure_ascii=False, indent=1)
    return "\n".join(f"{gap.asked} x {gap.question}  ({len(gap.questions)} ways of asking)" for gap in gaps)
