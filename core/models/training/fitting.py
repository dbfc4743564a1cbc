"""A probability fitted to yes-or-no labels, and how well it keeps its word."""

from dataclasses import asdict, dataclass

import numpy as np

_STEPS = 50


@dataclass(frozen=True, kw_only=True)
class Platt:
    """P = 1 / (1 + exp(-(slope * score + offset)))."""

    slope: float
    offset: float

    def __call__(self, scores: np.ndarray) -> np.ndarray:
        return 1 / (1 + np.exp(-(self.slope * np.asarray(scores) + self.offset)))


def platt(scores: np.ndarray, labels: np.ndarray, weights: np.ndarray) -> Platt:
    """The maximum-likelihood sigmoid for `labels` (0 or 1) given `scores`: Newton's method; all of shape (n,)."""
    x = np.stack([scores, np.ones_like(scores)], -1)
    beta = np.zeros(2)
    for _ in range(_STEPS):
        p = 1 / (1 + np.exp(-x @ beta))
        gradient = x.T @ (weights * (labels - p))
        curvature = (x * (weights * p * (1 - p))[:, None]).T @ x + 1e-9 * np.eye(2)
        step = np.linalg.solve(curvature, gradient)
        beta += step
        if np.abs(step).max() < 1e-10:
            break
    return Platt(slope=float(beta[0]), offset=float(beta[1]))


@dataclass(frozen=True, kw_only=True)
class Reliability:
    """How well probabilities keep their word on n labels. base_rate: share of labels that are 1.

    ece: mean distance of the probability from the share of 1 in ten equally wide bins, weighted by their size.
    """

    n: int
    base_rate: float
    mean: float
    log_loss: float
    brier: float
    ece: float

    def rounded(self) -> dict[str, float]:
        return {k: v if isinstance(v, int) else round(v, 4) for k, v in asdict(self).items()}


def reliability(probabilities: np.ndarray, labels: np.ndarray, weights: np.ndarray) -> Reliability:
    """What `probabilities` in (0, 1) are worth against `labels`; all of shape (n,), n at least 1."""
    p, y = np.clip(probabilities, 1e-6, 1 - 1e-6), labels
    bins = np.minimum((p * 10).astype(int), 9)
    gaps = [abs(((p - y) * weights)[bins == b].sum()) for b in range(10)]
    return Reliability(
        n=len(y),
        base_rate=float(np.average(y, weights=weights)),
        mean=float(np.average(p, weights=weights)),
        log_loss=float(-np.average(y * np.log(p) + (1 - y) * np.log(1 - p), weights=weights)),
        brier=float(np.average((p - y) ** 2, weights=weights)),
        ece=float(sum(gaps) / weights.sum()),
    )
