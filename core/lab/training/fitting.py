"""Fits probabilities to binary labels, and measures their reliability and their separation."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize, minimize_scalar
from sklearn.linear_model import LogisticRegression


@dataclass(frozen=True, kw_only=True)
class Platt:
    """The sigmoid P = 1 / (1 + exp(-(slope * score + offset)))."""

    slope: float
    offset: float

    def __call__(self, scores: np.ndarray) -> np.ndarray:
        return 1 / (1 + np.exp(-(self.slope * np.asarray(scores) + self.offset)))


def platt(scores: np.ndarray, labels: np.ndarray, weights: np.ndarray) -> Platt:
    """The maximum-likelihood sigmoid for `labels` (0 or 1) given `scores`; all of shape (n,)."""
    slope, offset = logistic(scores[:, None], labels, weights)
    return Platt(slope=float(slope), offset=float(offset))


def logistic(features: np.ndarray, labels: np.ndarray, weights: np.ndarray, ridge: float = 1e-9) -> np.ndarray:
    """The weights of a logistic regression, its offset last; shape (features + 1,).

    features: shape (n, features). labels (0 or 1), weights: shape (n,). ridge: penalty on all weights but the offset.
    """
    model = LogisticRegression(C=1 / ridge, solver="newton-cholesky", tol=1e-10, max_iter=1_000)
    fit = model.fit(features, labels, sample_weight=weights)
    return np.array([*fit.coef_[0], fit.intercept_[0]])


def corrected_platt(
    scores: np.ndarray, labels: np.ndarray, weights: np.ndarray, hit: np.ndarray, false: np.ndarray
) -> Platt:
    """The maximum-likelihood sigmoid for the true labels, fitted on noisy `labels`; all arrays have the shape (n,).

    hit: P(label is 1) for a row whose true label is 1. false: P(label is 1) for a row whose true label is 0. This is
    the forward correction of Patrini et al., 2017; a plain fit could predict no probability above the precision of the
    labels.
    """
    x = np.stack([scores, np.ones_like(scores)], -1)

    def loss(beta: np.ndarray) -> float:
        truth = 1 / (1 + np.exp(-np.clip(x @ beta, -40, 40)))
        observed_rate = np.clip(false + (hit - false) * truth, 1e-9, 1 - 1e-9)
        return float(
            -np.average(labels * np.log(observed_rate) + (1 - labels) * np.log(1 - observed_rate), weights=weights)
        )

    slope, offset = minimize(loss, np.array([0.5, 0.0]), method="Nelder-Mead", options={"maxiter": 2_000}).x
    return Platt(slope=float(slope), offset=float(offset))


def temperature(logits: np.ndarray, targets: np.ndarray, weights: np.ndarray) -> float:
    """The divisor of `logits`, shape (n, labels), that makes their softmax most reliable (Guo et al., 2017).

    targets: index of each row's right label. weights: of the rows.
    """

    def loss(log_t: float) -> float:
        scaled = logits / np.exp(log_t)
        scaled = scaled - np.logaddexp.reduce(scaled, axis=1, keepdims=True)
        return float(-np.average(scaled[np.arange(len(targets)), targets], weights=weights))

    return float(np.exp(minimize_scalar(loss, bounds=(-2, 3), method="bounded").x))


def curve(probabilities: np.ndarray, labels: np.ndarray, weights: np.ndarray) -> list[dict[str, float]]:
    """The points of a reliability diagram: mean probability and share of label 1 in each tenth that has rows."""
    bins, points = np.minimum((probabilities * 10).astype(int), 9), []
    for b in np.unique(bins):
        rows = bins == b
        predicted, actual = (np.average(v[rows], weights=weights[rows]) for v in (probabilities, labels))
        points.append({"said": round(float(predicted), 4), "true": round(float(actual), 4), "n": int(rows.sum())})
    return points


def reliability(probabilities: np.ndarray, labels: np.ndarray, weights: np.ndarray) -> dict[str, float]:
    """How well `probabilities` in (0, 1) agree with n binary `labels`; all of shape (n,), n at least 1.

    "base_rate": share of labels that are 1. "mean": mean probability. "log_loss", "brier": mean losses. "ece": expected
    calibration error, the mean difference of mean probability and share of label 1 over ten equally wide bins, weighted
    by their size.
    """
    p, y = np.clip(probabilities, 1e-6, 1 - 1e-6), labels
    bins = np.minimum((p * 10).astype(int), 9)
    gaps = [abs(((p - y) * weights)[bins == b].sum()) for b in range(10)]
    values = {
        "base_rate": np.average(y, weights=weights), "mean": np.average(p, weights=weights),
        "log_loss": -np.average(y * np.log(p) + (1 - y) * np.log(1 - p), weights=weights),
        "brier": np.average((p - y) ** 2, weights=weights), "ece": sum(gaps) / weights.sum(),
    }  # fmt: skip
    return {"n": len(y)} | {name: round(float(value), 4) for name, value in values.items()}


def area(good: Sequence[float], bad: Sequence[float]) -> float:
    """The area under the ROC curve: P(a good value is higher than a bad one), where ties count half; NaN if either is
    empty."""
    difference = np.subtract.outer(np.array(good), np.array(bad))
    return float((difference > 0).mean() + 0.5 * (difference == 0).mean()) if difference.size else float("nan")
