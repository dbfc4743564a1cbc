"""Fits what the embedder says: python -m core.workshop.training.calibrate_embedder --data D --out FOLDER."""

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

from core.models.embedder import bundled_embedder
from core.retrieval.scoring import fuse
from core.workshop.training.calibration_samples import Retrieved, other_population, textbook_populations
from core.workshop.training.fitting import Platt, platt, reliability

GRID = np.round(np.arange(0.0, 1.01, 0.1), 1)
"""Weights of the cosine in s_hyb that are tried."""
KNOTS = np.round(np.linspace(0.0, 1.0, 41), 3)
"""Scores at which the fitted curve is stored."""
WEIGHTS = {"held": 1.0, "not held": 0.5, "off topic": 0.5}
"""How much each population weighs in all: the library is taken to hold the answer to half of what it is asked."""
_OTHERS = ("dev_fairytaleqa", "dev_entbank")


class Table:
    """Populations as columns; `weight` makes each population weigh what WEIGHTS says, whatever its size."""

    def __init__(self, populations: dict[str, list[Retrieved]], weights: dict[str, float] | None = None) -> None:
        found = [(name, r) for name, some in populations.items() for r in some]
        self.population = np.array([name for name, _ in found])
        self.fitting = np.array([r.fitting for _, r in found])
        self.cosine = np.array([r.cosine for _, r in found])
        self.share = np.array([r.share for _, r in found])
        about, answers = np.array([r.about for _, r in found]), np.array([r.answers for _, r in found])
        self.labels = {"related": about, "hybrid": answers}
        sizes = {name: len(some) for name, some in populations.items()}
        self.weight = np.array([(weights or {}).get(name, 1.0) / sizes[name] for name in self.population])

    def scores(self, score: str, dense_weight: float) -> np.ndarray:
        """The raw score of each row: the cosine for "related", s_hyb for "hybrid"; shape (rows,)."""
        return self.cosine if score == "related" else fuse(self.cosine, self.share, dense_weight)

    def chosen(self, score: str, fitting: bool, population: str = "") -> np.ndarray:
        """The labelled rows of one half, of one population or of all: a mask of shape (rows,)."""
        right = (self.population == population) if population else np.ones(len(self.population), bool)
        return (self.fitting == fitting) & ~np.isnan(self.labels[score]) & right

    def fit(self, score: str, dense_weight: float) -> Platt:
        rows = self.chosen(score, fitting=True)
        return platt(self.scores(score, dense_weight)[rows], self.labels[score][rows], self.weight[rows])

    def measured(
        self, curve: Platt, score: str, dense_weight: float, fitting: bool, population: str = ""
    ) -> dict[str, float] | None:
        """The reliability of `curve` on one half; None without labels."""
        rows = self.chosen(score, fitting, population)
        if not rows.any():
            return None
        found = reliability(curve(self.scores(score, dense_weight)[rows]), self.labels[score][rows], self.weight[rows])
        return found.rounded()


def calibration(populations: dict[str, list[Retrieved]], others: dict[str, list[Retrieved]]) -> dict[str, Any]:
    """The stored form of a calibration: fitted on one half of `populations`, reported on both and on `others`."""
    table, unseen = Table(populations, WEIGHTS), Table(others)
    losses = {w: table.measured(table.fit("hybrid", w), "hybrid", w, True)["log_loss"] for w in GRID.tolist()}
    dense_weight = min(losses, key=losses.get)
    curves = {score: table.fit(score, dense_weight) for score in ("related", "hybrid")}
    maps = {
        score: {"scores": KNOTS.tolist(), "probabilities": np.round(curve(KNOTS), 5).tolist()}
        for score, curve in curves.items()
    }
    told = {score: _told(curve, score, dense_weight, table, unseen) for score, curve in curves.items()}
    about = {"populations": WEIGHTS, "dense_weight_log_loss": losses, "reliability": told}
    return {"dense_weight": dense_weight, "maps": maps, "fitted_on": about}


def _told(curve: Platt, score: str, dense_weight: float, table: Table, unseen: Table) -> dict[str, Any]:
    """The reliability of one map on both halves, on each population, and on data that it never saw."""

    def on(some: Table, fitting: bool, population: str = "") -> dict[str, float] | None:
        return some.measured(curve, score, dense_weight, fitting, population)

    return {
        "fitting": on(table, True),
        "held_out": on(table, False),
        "held_out_by_population": {p: on(table, False, p) for p in WEIGHTS},
        "other_data": {p: on(unseen, False, p) for p in sorted(set(unseen.population))},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder of the data sets")
    parser.add_argument("--out", type=Path, required=True, help="where the calibration is written")
    options = parser.parse_args()
    embedder = bundled_embedder()
    populations = textbook_populations(options.data, embedder)
    others = {name: other_population(options.data, name, embedder) for name in _OTHERS}
    found = calibration(populations, others)
    options.out.mkdir(parents=True, exist_ok=True)
    path = options.out / f"{embedder.digest[:16]}.json"
    path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(found["fitted_on"], indent=1))


if __name__ == "__main__":
    main()
