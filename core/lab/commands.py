"""The laboratory's commands of the command line; what they need is imported when they are called."""

import json
from argparse import Namespace

from core.command import terminal


def bench(options: Namespace) -> int:
    """Measure, and print what was measured."""
    from core.lab.bench import run

    figures = run(options.only, everything=options.all)
    print(json.dumps(figures) if options.json else "\n".join(terminal.figure_line(n, f) for n, f in figures.items()))
    return 0


def docs(_: Namespace) -> int:
    """Rewrite the generated tables of the docs."""
    from core.lab.docs.tables import PAGES, refreshed

    for page in PAGES:
        page.write_text(refreshed(page.read_text(encoding="utf-8")), encoding="utf-8")
    return 0
