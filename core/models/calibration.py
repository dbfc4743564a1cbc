"""Maps from raw scores to probabilities: one monotone map per model and score, fitted once, stored with the model."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from core.models import ModelError
from core.models.weights import SHIPPED

FILE = "calibration.json"
"""The file in a model's folder with the parameters that were fitted for it."""


@dataclass(frozen=True, kw_only=True)
class MonotoneMap:
    """A non-decreasing piecewise linear map from a raw score to a probability. Below its first score and above its last
    one the probability is constant.

    scores, probabilities: the corners of the map, in ascending order. calibrated: False for a default that was not
    fitted.
    """

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


def default_map(low: float = -1.0, high: float = 1.0, slope: float = 12.0, centre: float = 0.5) -> MonotoneMap:
    """A sigmoid for a model without a fitted map, shown as "not calibrated". The defaults suit cosines."""
    scores = np.linspace(low, high, 41)
    probabilities = 1 / (1 + np.exp(-slope * (scores - centre)))
    return MonotoneMap(scores=tuple(scores.tolist()), probabilities=tuple(probabilities.tolist()), calibrated=False)


@dataclass(frozen=True, kw_only=True)
class Calibration:
    """The maps from the raw scores of one embedder to probabilities.

    related: from the cosine to P(the passage is about the question). hybrid: from the raw hybrid score to a
    probability. dense_weight: weight of the cosine in the raw hybrid score, 0 to 1; BM25 has the remaining weight.
    fitted_on: the data of the fit.
    """

    related: MonotoneMap = field(default_factory=default_map)
    hybrid: MonotoneMap = field(default_factory=default_map)
    dense_weight: float = 0.7
    fitted_on: dict[str, Any] = field(default_factory=dict)

    @property
    def calibrated(self) -> bool:
        return self.related.calibrated and self.hybrid.calibrated


def calibration_of(digest: str) -> Calibration:
    """The calibration stored for the embedder with this digest, or the uncalibrated sigmoids if there is none."""
    path = SHIPPED / "calibration" / f"{digest[:16]}.json"
    if not path.is_file():
        return Calibration()
    content = _read_json(path)
    maps = {
        k: MonotoneMap(scores=tuple(v["scores"]), probabilities=tuple(v["probabilities"]))
        for k, v in content["maps"].items()
    }
    return Calibration(**maps, dense_weight=content["dense_weight"], fitted_on=content["fitted_on"])


def temperature_of(folder: Path) -> float:
    """The divisor of an NLI model's logits before the softmax; 1 if none was fitted."""
    return float(beside(folder).get("temperature", 1.0))


def answers_map_of(folder: Path) -> MonotoneMap:
    """The map from a reranker's logit to P(the passage answers the question); a plain sigmoid if none was fitted."""
    content = beside(folder).get("answers")
    if content is None:
        return default_map(-12.0, 12.0, 1.0, 0.0)
    return MonotoneMap(scores=tuple(content["scores"]), probabilities=tuple(content["probabilities"]))


def beside(folder: Path | str) -> dict[str, Any]:
    """The content of FILE in a model's folder; empty for a hub name and for a folder without the file."""
    path = Path(folder) / FILE
    return _read_json(path) if path.is_file() else {}


def _read_json(path: Path) -> dict[str, Any]:
    """The JSON object in a file. Raises ModelError if it is broken, since the model would give other probabilities
    without it.
    """
    try:
        return dict(json.loads(path.read_bytes()))
    except (ValueError, TypeError) as error:
        raise ModelError(
            f"{path.name} of the model {path.parent.name} is damaged; mend it by: get the project's data/models again"
        ) from error
