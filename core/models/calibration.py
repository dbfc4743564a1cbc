"""From a raw score to a probability: one monotone map a model and a score, fitted once, stored with the model."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from core.models.errors import ModelError
from core.models.weights import SHIPPED


@dataclass(frozen=True, kw_only=True)
class MonotoneMap:
    """A non-decreasing piecewise linear map from a raw score to a probability; flat beyond its ends."""

    scores: tuple[float, ...]
    probabilities: tuple[float, ...]
    calibrated: bool = True

    def __post_init__(self) -> None:
        if len(self.scores) != len(self.probabilities) or len(self.scores) < 2:
            raise ModelError("A calibration needs as many probabilities as scores, and at least two of each.")
        if any(np.diff(self.scores) <= 0) or any(np.diff(self.probabilities) < 0):
            raise ModelError("A calibration must rise: its scores strictly, its probabilities at least not fall.")

    def __call__(self, score: Any) -> np.ndarray:
        """Probabilities in [0, 1], in the shape of `score`."""
        return np.interp(score, self.scores, self.probabilities)


def uncalibrated() -> MonotoneMap:
    """A sigmoid about 0.5, for a model that no map was fitted for; shown as "not calibrated"."""
    scores = np.linspace(-1, 1, 41)
    return MonotoneMap(
        scores=tuple(scores.tolist()), probabilities=tuple((1 / (1 + np.exp(-12 * (scores - 0.5)))).tolist()),
        calibrated=False,
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Calibration:
    """The maps of one embedder. `dense_weight` is the share of the cosine in s_hyb, the rest is BM25's."""

    related: MonotoneMap = field(default_factory=uncalibrated)
    hybrid: MonotoneMap = field(default_factory=uncalibrated)
    dense_weight: float = 0.7
    fitted_on: dict[str, Any] = field(default_factory=dict)

    @property
    def calibrated(self) -> bool:
        return self.related.calibrated and self.hybrid.calibrated


def calibration_of(digest: str, folder: Path = SHIPPED / "calibration") -> Calibration:
    """The calibration stored for the embedder whose weights have this digest, or the uncalibrated sigmoid."""
    path = folder / f"{digest[:16]}.json"
    if not path.is_file():
        return Calibration()
    stored = json.loads(path.read_text(encoding="utf-8"))
    maps = {
        k: MonotoneMap(scores=tuple(v["scores"]), probabilities=tuple(v["probabilities"]))
        for k, v in stored["maps"].items()
    }
    return Calibration(**maps, dense_weight=stored["dense_weight"], fitted_on=stored["fitted_on"])
