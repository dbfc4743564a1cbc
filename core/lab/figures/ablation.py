"""Measures what each hint of a fitted model and each family of English rules brings:
python -m core.lab.figures.ablation --home DIR --data D --out data/measured.

- Hints of the check `support`, on the stored measurements of the sample's pairs, each pair left out of its own fit; and
  hints by which the writer chooses and the check `answer_relevance` decides, fitted and counted on two halves.
- Families of rules: questions and given answers of halves on which nothing was chosen, and cases that once ended wrongly,
  asked with all rules and, where a family fires, without it.

What the models say is stored in --home at once, so that an interrupted run goes on, and a family is counted without
reading the same texts again. Without --home, only the hints of `support` are counted.
"""

import argparse
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from core.graph import Explorer
from core.lab.figure_files import dated, store_figures, stored_figures
from core.lab.figures.ablation_families import FAMILIES, forget_texts, replaced, watched
from core.lab.figures.ablation_hints import choices, stored_pairs, support_table, writer_table
from core.lab.figures.ablation_rows import Row, counts_of, explorers_and_rows
from core.lab.figures.output_store import use_store
from core.models.profile import load

ALL = "all rules"
CASES = "cases"
"""The set that is always asked whole: rules were written for its rows, so that a part of them tells little."""


def families_table(sets: Iterable[tuple[Explorer, Sequence[Row]]]) -> dict[str, Any]:
    """ "sets": {set of rows: its number of rows}. ALL: the rows by their grade. "without": the same for each family left
    out, and "fires", the number of rows on which it fires, and "changed", of those that get another answer without it."""
    usual: dict[str, dict[str, Any]] = {}
    without: dict[str, dict[str, dict[str, Any]]] = {family: {} for family in FAMILIES}
    for explorer, rows in sets:
        usual |= usual_results(explorer, rows)
        for family, switches in FAMILIES.items():
            with replaced(switches):
                without[family] |= {r.name: r.ask(explorer) for r in rows if family in usual[r.name]["fires"]}
    table = {}
    for family, results in without.items():
        changed = sum(one["answer"] != usual[name]["answer"] for name, one in results.items())
        grades = counts_of([one["grade"] for one in (usual | results).values()])
        table[family] = {"fires": len(results), "changed": changed, **grades}
    sizes = Counter(name.partition("-")[0] for name in usual)
    return {"sets": dict(sizes), ALL: counts_of([one["grade"] for one in usual.values()]), "without": table}


def usual_results(explorer: Explorer, rows: Sequence[Row]) -> dict[str, dict[str, Any]]:
    """{name of a row: its result with all rules, and under "fires" the families that fire on it}."""
    results: dict[str, dict[str, Any]] = {}
    with watched(FAMILIES) as fired:
        for row in rows:
            fired.clear()
            forget_texts()
            results[row.name] = row.ask(explorer) | {"fires": set(fired)}
            print(f"{len(results)} of {len(rows)}", end="\r", flush=True)
    return results


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, help="a run-time folder that lasts; without it no model is run")
    parser.add_argument("--data", type=Path, help="the folder of the data sets; without it only the sample is asked")
    parser.add_argument(
        "--every", type=int, default=1, metavar="N", help="ask each Nth row, and all cases (default: every row)"
    )
    parser.add_argument("--out", type=Path, required=True, help="where ablation.json is written")
    options = parser.parse_args(arguments)
    path = options.out / "ablation.json"
    figures = stored_figures(path)
    figures["support"] = dated(support_table(stored_pairs()))
    store_figures(path, figures)
    if options.home:
        models = load()
        use_store(models, options.home / "outputs.sqlite3")
        sets = explorers_and_rows(models, options.home, options.data)
        sets = (
            (explorer, [row for row in rows if row.draw % options.every == 0 or row.name.startswith(CASES)])
            for explorer, rows in sets
        )
        figures["families"] = dated({"every": options.every} | families_table(sets))
        store_figures(path, figures)
        if options.data:
            figures["writer"] = dated(writer_table(choices(models, options.data)))
            store_figures(path, figures)


if __name__ == "__main__":
    main()
