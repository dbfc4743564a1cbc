"""Measures what each hint of a fitted model and each family of English rules brings:
python -m core.lab.figures.ablation --home DIR --data D --out data/measured.

- Hints of the check `support`, on the stored measurements of the sample's pairs, each pair left out of its own fit; and
  hints by which the writer chooses and the check `answer_relevance` decides, fitted and counted on two halves.
- Families of rules: questions and given answers of halves on which nothing was chosen, and cases that once ended wrongly,
  asked with all rules and, where a family fires, without it.

What the models say and every outcome is stored in --home at once, so that an interrupted run goes on, and a family is
counted without reading the same texts again. An outcome is measured again when its row, the models, the program or the
place of a family has changed. Without --home, only the hints of `support` are counted.
"""

import argparse
import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from core.graph import Explorer
from core.lab.dates import dated
from core.lab.figures import ablation_rows
from core.lab.figures.ablation_families import FAMILIES, forget_texts, replaced, watched
from core.lab.figures.ablation_hints import choices, stored_pairs, support_table, writer_table
from core.lab.figures.ablation_rows import Row, counts_of, explorers_and_rows
from core.lab.figures.output_store import use_store
from core.models.profile import load
from core.platform.atomic_write import write_whole
from core.platform.program import program_digest

ALL = "all rules"


def usual_results(explorer: Explorer, rows: Sequence[Row], folder: Path) -> dict[str, dict[str, Any]]:
    """{name of a row: its result with all rules, and under "fires" the families that fire on it}."""
    results: dict[str, dict[str, Any]] = {}
    with watched(FAMILIES) as fired:
        for row in rows:
            path, conditions = folder / f"{row.name}.json", _conditions(row, explorer, FAMILIES)
            result = _stored(path, conditions)
            if result is None:
                fired.clear()
                forget_texts()
                result = row.ask(explorer) | {"fires": sorted(fired)}
                _store(path, {"conditions": conditions, "result": result})
            results[row.name] = result
            print(f"{len(results)} of {len(rows)}", end="\r", flush=True)
    return results


def results_without(
    family: str, explorer: Explorer, rows: Sequence[Row], usual: Mapping[str, Mapping[str, Any]], folder: Path
) -> dict[str, dict[str, Any]]:
    """{name of a row on which the family fires: its result without the family}."""
    results: dict[str, dict[str, Any]] = {}
    with replaced(FAMILIES[family]):
        for row in rows:
            if family not in usual[row.name]["fires"]:
                continue
            path, conditions = folder / f"{row.name}.json", _conditions(row, explorer, [family])
            result = _stored(path, conditions)
            if result is None:
                result = row.ask(explorer)
                _store(path, {"conditions": conditions, "result": result})
            results[row.name] = result
    return results


def families_table(sets: Iterable[tuple[Explorer, Sequence[Row]]], home: Path) -> dict[str, Any]:
    """ "sets": {set of rows: its number of rows}. ALL: the rows by their grade. "without": the same for each family left
    out, and "fires", the number of rows on which it fires, and "changed", of those that get another answer without it."""
    usual: dict[str, dict[str, Any]] = {}
    found: dict[str, dict[str, dict[str, Any]]] = {family: {} for family in FAMILIES}
    for explorer, rows in sets:
        usual |= usual_results(explorer, rows, home / "results" / ALL)
        for family, results in found.items():
            results |= results_without(family, explorer, rows, usual, home / "results" / family)
    without = {}
    for family, results in found.items():
        changed = sum(one["answer"] != usual[name]["answer"] for name, one in results.items())
        grades = counts_of([one["grade"] for one in (usual | results).values()])
        without[family] = {"fires": len(results), "changed": changed, **grades}
    sizes = Counter(name.partition("-")[0] for name in usual)
    return {"sets": dict(sizes), ALL: counts_of([one["grade"] for one in usual.values()]), "without": without}


def _conditions(row: Row, explorer: Explorer, families: Iterable[str]) -> dict[str, Any]:
    """The conditions of a result: the row and the code that grades it, the models, the program, and the functions of
    `families`. A result with other conditions is measured again."""
    graded_by = Path(ablation_rows.__file__).read_bytes()
    return {
        "row": hashlib.sha256(json.dumps(row.question, sort_keys=True, default=str).encode() + graded_by).hexdigest(),
        "models": explorer.models.names,
        "program": program_digest(),
        "families": {family: [f"{module}.{name}" for module, name, _ in FAMILIES[family]] for family in families},
    }


def _stored(path: Path, conditions: Mapping[str, Any]) -> dict[str, Any] | None:
    """The result stored at `path`; None if there is none, or if it was measured under other conditions."""
    if not path.is_file():
        return None
    stored = json.loads(path.read_text(encoding="utf-8"))
    return stored["result"] if stored.get("conditions") == conditions else None


def _store(path: Path, content: Mapping[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, (json.dumps(content, indent=1) + "\n").encode())


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, help="a run-time folder that lasts; without it no model is run")
    parser.add_argument("--data", type=Path, help="the folder of the data sets; without it only the sample is asked")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="ask each Nth row (default: every row)")
    parser.add_argument("--out", type=Path, required=True, help="where ablation.json is written")
    options = parser.parse_args(arguments)
    path = options.out / "ablation.json"
    figures = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    figures["support"] = dated(support_table(stored_pairs()))
    _store(path, figures)
    if options.home:
        models = load()
        use_store(models, options.home / "outputs.sqlite3")
        sets = explorers_and_rows(models, options.home, options.data)
        sets = ((explorer, [row for row in rows if row.draw % options.every == 0]) for explorer, rows in sets)
        figures["families"] = dated({"every": options.every} | families_table(sets, options.home))
        _store(path, figures)
        if options.data:
            figures["writer"] = dated(writer_table(choices(models, options.data)))
            _store(path, figures)


if __name__ == "__main__":
    main()
