"""Fits what the hints of the check `support` weigh, and tells how well it judges:

python -m core.workshop.training.calibrate_support --model DIR --data DIR --chapters HOME.
"""

import argparse
import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from core.banks.files import REPORTING, TUNING
from core.library.library import Library
from core.models.calibration import FILE
from core.models.profile import Models, load
from core.models.support_hints import HINTS, SupportWeights
from core.workshop.bench.samples import sample_explorer
from core.workshop.training.fitting import area, logistic, reliability
from core.workshop.training.support_pairs import (
    CHAPTER_PAIRS,
    JudgedAnswer,
    bank_pairs,
    teacher_pairs,
)

_RIDGE = 3.0
"""How far weights are drawn to 0, each hint counted in its standard deviations."""
_ALTERED_OUT = (0.05, 0.1)
"""Shares of altered answers at which the share of supported ones that pass is told."""


def fitted_weights(answers: Sequence[JudgedAnswer]) -> dict[str, float]:
    """What each hint weighs: the logistic fit of every sentence that a label speaks of."""
    hints = np.concatenate([a.hints[a.counts] for a in answers])
    labels = np.concatenate([np.full(a.counts.sum(), float(a.supported)) for a in answers])
    mean, spread = hints.mean(0), hints.std(0) + 1e-9
    *column, offset = logistic((hints - mean) / spread, labels, np.ones(len(labels)), ridge=_RIDGE)
    beta = np.array(column) / spread
    return dict(zip((*HINTS, "offset"), np.round([*beta, offset - beta @ mean], 4).tolist(), strict=True))


def scores(answers: Sequence[JudgedAnswer], weights: SupportWeights) -> tuple[np.ndarray, np.ndarray]:
    """P(the passages bear it out) of each answer, that of its worst sentence, and whether it is supported."""
    worst = np.array([weights(a.hints).min() for a in answers])
    return worst, np.array([a.supported for a in answers])


def figures(answers: Sequence[JudgedAnswer], weights: SupportWeights, limit: float) -> dict[str, Any]:
    """How well the probability tells supported answers from altered ones, and what the limit lets pass."""
    said, truth = scores(answers, weights)
    good, bad = said[truth], said[~truth]
    at = {f"passed_at_{round(100 * share)}": _passed(good, bad, share) for share in _ALTERED_OUT}
    return {
        "n": len(said), "area": round(area(good, bad), 4), **at,
        "supported_passed": round(float((good >= limit).mean()), 4),
        "altered_passed": round(float((bad >= limit).mean()), 4),
        "balanced_accuracy": round(float(((good >= limit).mean() + (bad < limit).mean()) / 2), 4),
    }  # fmt: skip


def _passed(good: np.ndarray, bad: np.ndarray, share: float) -> float:
    """Share of `good` above the limit at which this share of `bad` passes."""
    allowed = int(share * len(bad) + 1e-9)
    limit = np.sort(bad)[::-1][allowed] if allowed < len(bad) else -1.0
    return round(float((good > limit).mean()), 4)


def limit_for(answers: Sequence[JudgedAnswer], weights: SupportWeights, share: float) -> float:
    """The lowest limit, in steps of 0.01, at which no larger share of altered answers passes."""
    said, truth = scores(answers, weights)
    steps = np.round(np.arange(0.0, 1.01, 0.01), 2)
    return next((float(at) for at in steps if (said[~truth] >= at).mean() <= share), 1.0)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, required=True, help="the folder of the NLI model")
    parser.add_argument("--data", type=Path, required=True, help="the folder of the data sets")
    parser.add_argument("--chapters", type=Path, required=True, help="the library that tests.chapters.figures built")
    options = parser.parse_args(arguments)
    models = load()
    chapters = Library(options.chapters, models.embedder)
    with tempfile.TemporaryDirectory() as home:
        sample = sample_explorer(Path(home) / "sample").library
        read = {part: _sets(part, options.data, chapters, sample, models) for part in ("choose", "report")}
    choosing = [answer for some in read["choose"].values() for answer in some]
    weights = fitted_weights(choosing)
    fit = SupportWeights(**weights)
    limit = limit_for(choosing, fit, _ALTERED_OUT[0])
    told = {part: _figures(some, fit, limit) for part, some in read.items()}
    _write(options.model.resolve(), weights)
    print(json.dumps({"weights": weights, "limit": limit, **told}, indent=1))


def _figures(read: Mapping[str, Sequence[JudgedAnswer]], fit: SupportWeights, limit: float) -> dict[str, Any]:
    together = [a for some in read.values() for a in some]
    said, truth = scores(together, fit)
    sets = {name: figures(some, fit, limit) for name, some in {**read, "together": together}.items()}
    return {**sets, "reliability": reliability(said, truth.astype(float), np.ones(len(said))).rounded()}


def _sets(part: str, data: Path, chapters: Library, sample: Library, models: Models) -> dict[str, list[JudgedAnswer]]:
    """The pairs of one half, by where they come from."""
    choosing = part == "choose"
    return {
        "teacher": teacher_pairs(data, part, models),
        "chapters": bank_pairs(CHAPTER_PAIRS, chapters, models, fitting=choosing),
        "sample": bank_pairs((TUNING if choosing else REPORTING) / "pairs.jsonl", sample, models, fitting=choosing),
    }


def _write(folder: Path, weights: Mapping[str, float]) -> None:
    """Keep the weights beside what else was fitted for the model."""
    path = folder / FILE
    stored = json.loads(path.read_bytes()) if path.is_file() else {}
    path.write_text(json.dumps({**stored, "support": weights}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
