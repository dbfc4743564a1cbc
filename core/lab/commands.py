"""The laboratory's commands of the command line; what they need is imported when they are called."""

import json
from argparse import Namespace
from typing import Any


def bench(options: Namespace) -> int:
    """Measure, and print what was measured."""
    from core.lab.bench import run
    from core.lab.figure_files import dated

    figures = run(options.only, everything=options.all)
    lines = (figure_line(name, figure) for name, figure in figures.items())
    print(json.dumps(dated(figures)) if options.json else "\n".join(lines))
    return 0


def docs(_: Namespace) -> int:
    """Rewrite the generated tables of the docs."""
    from core.lab.docs.tables import PAGES, refreshed

    for page in PAGES:
        page.write_text(refreshed(page.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


def figure_line(name: str, figure: dict[str, Any]) -> str:
    if figure["value"] is None:
        return f"{name:<24}{figure['note']}"
    ratio = "" if figure["ratio"] is None else f"  {figure['ratio']:.2f} x {figure['baseline']}"
    return f"{name:<24}{figure['value']:>10.2f} {figure['unit']:<14}{ratio}  (n {figure['n']}) {figure['note']}"
