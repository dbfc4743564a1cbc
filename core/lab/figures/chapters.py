"""Measures the questions on the textbook chapters, and the pairs of a supported and an altered answer on them:
python -m core.lab.figures.chapters --data D --home H --out data/measured."""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from core.banks import BANKS, read_bank
from core.banks.project import for_fitting
from core.decide import Verdict
from core.evaluation.cases import LabelledCase
from core.graph import Explorer
from core.lab.bench.samples import library_of
from core.lab.figure_files import dated, store_figures
from core.lab.figures.chapter_outcomes import (
    answer_checks_alone,
    decide,
    pair_outcomes,
    question_outcomes,
)
from core.lab.figures.chapter_pdfs import build
from core.lab.figures.trace_files import measure_and_store
from core.lab.training.nli_datasets import rows
from core.models.profile import load
from core.presets import preset
from core.thresholds import Preset

BANK = BANKS / "chapter_pairs.jsonl"
PARTS = ("chapter_pairs", "ncert_qa")


def questions_measured(data: Path, explorer: Explorer, folder: Path) -> dict[str, Any]:
    """The outcomes under the default preset of the textbook questions in the half unseen by calibrations."""
    questions = [
        {"query": r["question"], "reference": r["ground_truth"], "absent": str(r["gt_says_absent"]) == "True"}
        for r in rows(data, "ncert_qa/questions_dev") if not for_fitting(r["question"])
    ]  # fmt: skip
    cases = list(measure_and_store(questions, explorer, [preset("default")], folder))
    idf = explorer.retriever.snapshot().lexical.idf
    return {"default": question_outcomes(questions, decide(cases, preset("default")), idf)}


def pairs_measured(explorer: Explorer, folder: Path) -> dict[str, Any]:
    """The outcomes of supported and altered answers under the default preset, and with its answer checks alone."""
    bank, default = read_bank(BANK), preset("default")
    cases = list(measure_and_store(bank, explorer, [default], folder))
    held_out = [c for c in cases if not for_fitting(c.row["query"])]
    delivered = _delivered(held_out, answer_checks_alone(default))
    return {
        "presets": {"default": pair_outcomes(bank, _delivered(cases, default))},
        "answer_checks_at_the_default_limits": pair_outcomes([c.row for c in held_out], delivered),
    }


def _delivered(cases: Sequence[LabelledCase], under: Preset) -> list[bool]:
    """For each answer, True if at least a part of it is delivered. An altered answer counts only if a delivered part is
    not in the supported answer of its pair."""
    twins = {c.row["pair"]: c.row["answer"] for c in cases if c.row["expected"] == "supported"}
    return [
        v.answered and (c.row["expected"] == "supported" or says_more(v, twins[c.row["pair"]]))
        for c, v in zip(cases, decide(cases, under), strict=True)
    ]


def says_more(verdict: Verdict, twin: str) -> bool:
    """True if a delivered sentence is not in `twin`, the supported answer to the same question; False if the altered
    sentence was omitted or corrected."""
    return any(s.text in verdict.answer for s in verdict.sentences if s.text not in twin)


def numbers_only(figures: Any) -> None:
    """Raise ValueError unless `figures` contains only numbers, so that no text of the books is stored."""
    if isinstance(figures, Mapping):
        figures = list(figures.values())
    if isinstance(figures, list):
        for value in figures:
            numbers_only(value)
    elif not isinstance(figures, int | float | None):
        raise ValueError(f"Measured figures are only numbers, got {figures!r:.80}.")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder of the data sets")
    parser.add_argument("--home", type=Path, required=True, help="where the library is built")
    parser.add_argument("--out", type=Path, required=True, help="where the figures are written")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, help="parts to measure (default: all)")
    options = parser.parse_args()
    models = load()
    pdfs = build(options.data, options.home / "chapters")
    explorer = Explorer(library_of(options.home, pdfs, models.embedder), models)
    for name in options.only:  # each is stored before the next is begun
        traces = options.home / "traces" / name
        if name == "chapter_pairs":
            figures = pairs_measured(explorer, traces)
        else:
            figures = questions_measured(options.data, explorer, traces)
        numbers_only(figures)
        store_figures(options.out / f"{name}.json", dated(figures))


if __name__ == "__main__":
    main()
