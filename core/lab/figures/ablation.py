"""Measures what each hint of the check `support` and each family of English rules brings:
python -m core.lab.figures.ablation --home DIR --out data/measured.

- Hints: on the stored measurements of the sample's pairs, with a fit without the hint; each pair is left out of its
  own fit.
- Rules on numbers: the same stored sentences, read again with and without the rule.
- Families: questions and answers of the reporting half, asked with all rules and without one family. Every outcome is
  stored in --home at once, so that an interrupted run goes on. --every N takes each Nth row.
"""

import argparse
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

from core.banks import REPORTING, TUNING, read_bank
from core.banks.row import question_digest
from core.banks.shipped_traces import shipped_traces
from core.case import Round
from core.decide import verdict
from core.evaluation.outcomes import outcome
from core.graph import Explorer
from core.graph.startup import open_explorer
from core.judgements import MAX_COUNT
from core.lab.dates import dated
from core.lab.training.fitting import area, logistic
from core.library import load_sample
from core.models.support_hints import logit
from core.presets import preset
from core.reply.serialization import question_of
from core.settings import Settings
from core.text.held_quantities import missing_and_computed
from core.text.verifiable_facts import Unheld

Switch = tuple[str, str, Callable[..., Any]]
"""(module, name of a function in it, what takes its place)."""
HINTS: Mapping[str, tuple[str, Callable[[float], float]]] = {
    "near": ("says", logit), "against": ("denies", logit), "claims": ("weakest", logit),
    "unheld": ("unheld", lambda count: min(count, MAX_COUNT)), "shared": ("shared", float),
    "differs": ("differs", float), "rivals": ("rivals", lambda count: min(count, MAX_COUNT)),
}  # fmt: skip
"""Hint -> the stored signal of `support` that it is made of, and how. Older measurements hold signals that the product
has given up since, such as `rivals`: they are counted too.
"""
FOLDS, RIDGE, ALTERED_OUT = 10, 3.0, 0.035
NUMBERS: Mapping[str, Switch] = {
    "a number is of another thing": ("core.text.held_quantities", "_is_misplaced", lambda *_: False),
    "one step of arithmetic": ("core.text.held_quantities", "_follows", lambda *_: False),
    "formulas": ("core.text.held_quantities", "_missing_formulas", lambda *_: []),
    "unknown units": ("core.text.held_quantities", "_unknown", lambda *_: []),
    "rounding": ("core.text.quantities", "_rounds", lambda *_: False),
    "ranges": ("core.text.quantities", "_in_ranges", lambda ends, _: ends),
    "two units": ("core.text.quantities", "_compound", lambda parts, _: parts),
    "bounds": ("core.text.quantities", "_bounded", lambda quantity, _: quantity),
}
FAMILIES: Mapping[str, tuple[Switch, ...]] = {
    "all rules": (),
    "clauses": (("core.features.claim_evidence", "claims_of", lambda text: (text,)),),
    "numbers and names": (("core.features.case_features", "unheld", lambda *_: Unheld(missing=(), computed=())),),
    "abstentions": (("core.features.case_features", "abstention_flags", lambda texts: [False] * len(texts)),),
    "questions in parts": (("core.retrieval.question_parts", "split_question", lambda _: ()),),
    "follow-ups": (("core.graph.explorer", "complete_question", lambda *_: ""),),
    "sides of a difference": (
        ("core.writers.extractive_writer", "side_questions", lambda _: ()),
        ("core.features.answer_runs", "side_questions", lambda _: ()),
    ),
    "definitions": (("core.models.stretches", "_defines", lambda *_: False),),
    "lists": (("core.models.stretches", "list_openers", lambda texts: [None] * len(texts)),),
    "beginnings that lean": (("core.models.stretches", "has_back_reference", lambda _: False),),
    "echoes": (("core.models.stretches", "echoes", lambda *_: False),),
}
SETS = ("answerable", "absent", "two_part", "history", "pairs")


@contextmanager
def without(switches: Sequence[Switch]) -> Iterator[None]:
    """A context manager in which the functions of `switches` are replaced."""
    modules = [(import_module(module), name, replacement) for module, name, replacement in switches]
    kept = [(module, name, getattr(module, name)) for module, name, _ in modules]
    for module, name, replacement in modules:
        setattr(module, name, replacement)
    try:
        yield
    finally:
        for module, name, function in kept:
            setattr(module, name, function)


def stored_pairs() -> list[tuple[dict[str, Any], Round]]:
    """The sample's pairs of the tuning half, each row with its stored first round."""
    rows, shipped = read_bank(TUNING / "pairs.jsonl"), shipped_traces()
    digests = [question_digest(question_of(dict(row))) for row in rows]
    traces = shipped.traces(digests) if shipped else {}
    return [(row, traces[digest].rounds[0]) for row, digest in zip(rows, digests, strict=True) if digest in traces]


def hints_table(pairs: Sequence[tuple[Mapping[str, Any], Round]]) -> dict[str, Any]:
    """For "all hints" and for each hint left out: area under the curve, and how many supported answers pass at the
    limit that lets 3.5 % of the altered ones pass. "fires": answers for which the hint is above 0, by their label.
    """
    measured = [(row, r) for row, r in pairs if "support" in r.signals]
    twins = {row["pair"]: {s.text for s in r.case.sentences} for row, r in measured if row["expected"] == "supported"}
    good = np.array([row["expected"] == "supported" for row, _ in measured])
    names = [n for n, (signal, _) in HINTS.items() if all(signal in r.signals["support"] for _, r in measured)]
    hints = [
        np.array([[HINTS[n][1](float(v)) for v in r.signals["support"][HINTS[n][0]]] for n in names]).T
        for _, r in measured
    ]
    counts = [
        np.array([is_good or s.text not in twins[row["pair"]] for s in r.case.sentences])
        for (row, r), is_good in zip(measured, good, strict=True)
    ]
    folds = np.array([crc32(row["pair"].encode()) % FOLDS for row, _ in measured])
    table: dict[str, Any] = {"n": {"supported": int(good.sum()), "altered": int((~good).sum())}}
    for left_out in ("", *names):
        columns = [i for i, name in enumerate(names) if name != left_out]
        scores = _held_out([h[:, columns] for h in hints], counts, good, folds)
        limit = np.sort(scores[~good])[::-1][int(ALTERED_OUT * (~good).sum())]
        row = {"area": round(area(scores[good], scores[~good]), 4), "supported_pass": int((scores[good] > limit).sum())}
        if left_out:
            fires = np.array([(h[:, names.index(left_out)] > 0).any() for h in hints])
            row["fires"] = {"supported": int(fires[good].sum()), "altered": int(fires[~good].sum())}
        table[left_out or "all hints"] = row
    return table


def _held_out(
    hints: Sequence[np.ndarray], counts: Sequence[np.ndarray], good: np.ndarray, folds: np.ndarray
) -> np.ndarray:
    """The support of the least supported sentence of each answer, by a fit without the answer's fold."""
    scores = np.zeros(len(hints))
    for fold in range(FOLDS):
        rest = np.flatnonzero(folds != fold)
        x = np.concatenate([hints[n][counts[n]] for n in rest])
        labels = np.concatenate([np.full(counts[n].sum(), float(good[n])) for n in rest])
        mean, spread = x.mean(0), x.std(0) + 1e-9
        *column, offset = logistic((x - mean) / spread, labels, np.ones(len(labels)), ridge=RIDGE)
        for n in np.flatnonzero(folds == fold):
            scores[n] = np.nanmin(((hints[n] - mean) / spread) @ np.array(column) + offset)
    return scores


def numbers_table(pairs: Sequence[tuple[Mapping[str, Any], Round]]) -> dict[str, Any]:
    """For "all rules" and for each rule left out: sentences with a quantity that the evidence lacks, by the label of
    their answer.
    """
    sentences = [(row["expected"], s.text, _source(r, n)) for row, r in pairs for n, s in enumerate(r.case.sentences)]

    def counted(switches: Sequence[Switch]) -> dict[str, int]:
        with without(switches):
            for cached in ("held_quantities._line_quantities", "held_quantities.known_units", "quantities.quantities"):
                module, _, name = cached.partition(".")
                getattr(import_module(f"core.text.{module}"), name).cache_clear()
            found = [expected for expected, text, source in sentences if missing_and_computed(text, source)[0]]
        return {expected: found.count(expected) for expected in ("supported", "altered")}

    table = {"n": len(sentences), "all rules": counted(())}
    return table | {name: counted((switch,)) for name, switch in NUMBERS.items()}


def _source(measured: Round, sentence: int) -> str:
    """The passages that decided on a sentence, a sentence a line, with the question as the last line."""
    first = measured.signals["support"]["first"][sentence] if "support" in measured.signals else np.zeros(0)
    lines = [text for p in np.flatnonzero(first) for text in measured.case.passages[p].sentences]
    return "\n".join([*lines, measured.case.question.standalone])


def families_table(explorer: Explorer, home: Path, every: int) -> dict[str, Any]:
    """For each family of rules left out: the outcomes by set, and how many rows get another answer without it."""
    table: dict[str, Any] = {}
    usual: dict[str, str] = {}
    for name, switches in FAMILIES.items():
        row: dict[str, Any] = {"changed": 0}
        for kind in SETS:
            rows = read_bank(REPORTING / f"{kind}.jsonl", report=True)
            rows = [r for r in rows if crc32((r.get("pair") or r["query"]).encode()) % every == 0]
            with without(switches):
                found = [_asked(explorer, r, home / name / f"{kind}-{n}.json") for n, r in enumerate(rows)]
            names = [f"{r['expected']}: {one['name']}" if kind == "pairs" else one["name"]
                     for r, one in zip(rows, found, strict=True)]  # fmt: skip
            row[kind] = {outcome_name: names.count(outcome_name) for outcome_name in sorted(set(names))}
            row[kind]["false"] = sum(one["false"] for one in found)
            for n, one in enumerate(found):
                before = usual.setdefault(f"{kind}-{n}", one["answer"])
                row["changed"] += before != one["answer"]
        table[name] = row
    return table


def _asked(explorer: Explorer, row: Mapping[str, Any], path: Path) -> dict[str, Any]:
    """The stored outcome at `path`; it is measured and stored if it is missing."""
    if not path.is_file():
        trace, _ = explorer.ask(question_of(dict(row)), preset("default"))
        result = outcome(row, verdict(trace, preset("default")))
        path.parent.mkdir(parents=True, exist_ok=True)
        stored = {"name": result.name, "answer": result.answer, "false": bool(result.falsehood)}
        path.write_text(json.dumps(stored), encoding="utf-8")
    return json.loads(path.read_text(encoding="utf-8"))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, help="a run-time folder that lasts; without it no model is run")
    parser.add_argument("--out", type=Path, required=True, help="where ablation.json is written")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="measure each Nth row (default: every row)")
    options = parser.parse_args(arguments)
    path, pairs = options.out / "ablation.json", stored_pairs()
    earlier = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    figures = earlier | {"hints": hints_table(pairs), "numbers": numbers_table(pairs)}
    if options.home:
        explorer = open_explorer(options.home, settings=Settings(writer="extractive"))
        load_sample(explorer.library)
        figures["families"] = families_table(explorer, options.home / "ablation", options.every)
    path.write_text(json.dumps(dated(figures), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
