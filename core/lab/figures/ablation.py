"""Measures what each hint of a fitted model and each family of English rules brings:
python -m core.lab.figures.ablation --home DIR --data D --out data/measured.

- Hints of the check `support`, on the stored measurements of the sample's pairs, each pair left out of its own fit; and
  hints by which the writer chooses and the check `answer_relevance` decides, fitted and counted on two halves.
- Families of rules: questions and given answers of halves on which nothing was chosen, asked with all rules and, where
  a family fires, without it.

What the models say and every outcome is stored in --home at once, so that an interrupted run goes on, and a family is
counted without reading the same texts again. Without --home, only the hints of `support` are counted.
"""

import argparse
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from core.graph import Explorer
from core.lab.dates import dated
from core.lab.figures.ablation_families import FAMILIES, forget_texts, watched, without
from core.lab.figures.ablation_hints import choices, stored_pairs, support_table, writer_table
from core.lab.figures.ablation_rows import Row, counts_of, explorers_and_rows
from core.lab.figures.output_store import use_store
from core.models.profile import load

ALL = "all rules"


def usual_results(explorer: Explorer, rows: Sequence[Row], folder: Path) -> dict[str, dict[str, Any]]:
    """{name of a row: its result with all rules, and under "fires" the families that fire on it}."""
    results: dict[str, dict[str, Any]] = {}
    with watched(FAMILIES) as fired:
        for row in rows:
            path = folder / f"{row.name}.json"
            if not path.is_file():
                fired.clear()
                forget_texts()
                result = row.ask(explorer)
                _keep(path, result | {"fires": sorted(fired)})
            results[row.name] = json.loads(path.read_text(encoding="utf-8"))
            print(f"{len(results)} of {len(rows)}", end="\r", flush=True)
    return results


def results_without(
    family: str, explorer: Explorer, rows: Sequence[Row], usual: Mapping[str, Mapping[str, Any]], folder: Path
) -> dict[str, dict[str, Any]]:
    """{name of a row on which the family fires: its result without the family}."""
    results: dict[str, dict[str, Any]] = {}
    with without(FAMILIES[family]):
        for row in rows:
            if family not in usual[row.name]["fires"]:
                continue
            path = folder / f"{row.name}.json"
            if not path.is_file():
                _keep(path, row.ask(explorer))
            results[row.name] = json.loads(path.read_text(encoding="utf-8"))
    return results


def families_table(sets: Iterable[tuple[Explorer, Sequence[Row]]], home: Path) -> dict[str, Any]:
    """For all rules and for each family left out: the rows by their grade. For a family also "fires", the rows on which
    it fires, and "changed", those that get another answer without it."""
    usual: dict[str, dict[str, Any]] = {}
    found: dict[str, dict[str, dict[str, Any]]] = {family: {} for family in FAMILIES}
    for explorer, rows in sets:
        usual |= usual_results(explorer, rows, home / "results" / ALL)
        for family, results in found.items():
            results |= results_without(family, explorer, rows, usual, home / "results" / family)
    table: dict[str, Any] = {ALL: counts_of([one["grade"] for one in usual.values()])}
    for family, results in found.items():
        changed = sum(one["answer"] != usual[name]["answer"] for name, one in results.items())
        grades = counts_of([one["grade"] for one in (usual | results).values()])
        table[family] = {"fires": len(results), "changed": changed, **grades}
    return table


def _keep(path: Path, result: Mapping[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(json.dumps(result), encoding="utf-8")
    part.replace(path)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, help="a run-time folder that lasts; without it no model is run")
    parser.add_argument("--data", type=Path, help="the folder of the data sets; without it only the sample is asked")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="ask each Nth row (default: every row)")
    parser.add_argument("--out", type=Path, required=True, help="where ablation.json is written")
    options = parser.parse_args(arguments)
    path = options.out / "ablation.json"
    figures = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    figures["support"] = support_table(stored_pairs())
    _write(path, figures)
    if options.home:
        models = load()
        use_store(models, options.home / "outputs.sqlite3")
        sets = explorers_and_rows(models, options.home, options.data)
        sets = ((explorer, [row for row in rows if row.draw % options.every == 0]) for explorer, rows in sets)
        figures["families"] = families_table(sets, options.home)
        _write(path, figures)
        if options.data:
            figures["writer"] = writer_table(choices(models, options.data))
            _write(path, figures)


def _write(path: Path, figures: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(dated(figures), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
