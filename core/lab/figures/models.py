"""Measures the models that ship: python -m core.lab.figures.models --data DIR --home DIR --out data/measured.

Writes models.json, from which tables of the docs are made. --before: the folder of an NLI model to compare with.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.lab.figure_files import dated, store_figures, stored_figures
from core.lab.figures import altered_pairs as paired
from core.lab.training import search_comparison
from core.lab.training.evaluate import report, template_pairs, template_shares
from core.models.cross_encoders import cross_encoder
from core.models.profile import BUNDLED, place_of

PARTS = ("nli", "paired", "ranking")


def nli_figures(name: str, data: Path) -> dict[str, Any]:
    """One NLI model's results on the textbook test, the reporting halves and the templates."""
    model = cross_encoder(place_of(name)[0])
    return report(model, data) | {"templates": template_shares(model, template_pairs(data))}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder of the data sets")
    parser.add_argument("--home", type=Path, required=True, help="a run-time folder for the sample library")
    parser.add_argument("--out", type=Path, required=True, help="where models.json is written")
    parser.add_argument("--before", help="the folder of an NLI model to compare with")
    parser.add_argument("--reranker", default=BUNDLED.reranker, help="its folder (default: the one that ships, if any)")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, help="parts to measure (default: all)")
    options = parser.parse_args(arguments)
    names = {"shipped": BUNDLED.entailer} | ({"before": options.before} if options.before else {})
    path = options.out / "models.json"
    for part in options.only:
        stored = stored_figures(path)
        # The figures "before" of a part remain unless they are measured again.
        store_figures(path, stored | {part: dated(stored.get(part, {}) | _measured(part, names, options))})


def _measured(part: str, names: dict[str, str], options: argparse.Namespace) -> dict[str, Any]:
    if part == "nli":
        return {which: nli_figures(name, options.data) for which, name in names.items()}
    if part == "paired":
        halves = paired.both_halves(options.home)
        return {which: paired.outcomes(name, halves) for which, name in names.items()}
    reranker = cross_encoder(place_of(options.reranker)[0]) if options.reranker else None
    return search_comparison.table(options.data, reranker)


if __name__ == "__main__":
    main()
