"""The decision of a check, and the arithmetic on signals and limits with which checks decide."""

from dataclasses import dataclass

import numpy as np

from core.thresholds import DUST


@dataclass(frozen=True)
class Decision:
    """The decision of a check. All arrays share one shape: () for one case, (cases,) for a batch, (cases, points) for a
    sweep, which decides each case at several points (presets).

    value: the number that was compared.
    limit: the number that `value` was compared with: that of a threshold, or a fixed one.
    margin: signed distance from the limit, in the same unit. At least 0 passes, negative fails, NaN means not
    applicable.
    by: name of the threshold that decided; "" for a rule without a threshold.
    """

    value: np.ndarray
    limit: np.ndarray
    margin: np.ndarray
    by: np.ndarray | str = ""

    @property
    def passed(self) -> np.ndarray:
        return np.asarray(self.margin >= 0)  # NaN compares as false: a check that did not run never passes

    @property
    def failed(self) -> np.ndarray:
        return np.asarray(self.margin < 0)


def per_item(threshold: np.ndarray) -> np.ndarray:
    """A threshold with one more axis, so that it broadcasts against signals of sentences or of passages."""
    return threshold[..., None]


def best(scores: np.ndarray) -> np.ndarray:
    """The highest score along the last axis; 0 if there are no scores."""
    return np.nan_to_num(np.fmax.reduce(scores, axis=-1, initial=np.nan))


def worst(scores: np.ndarray) -> np.ndarray:
    """The lowest score along the last axis; NaN if there are no scores."""
    return np.fmin.reduce(scores, axis=-1, initial=np.nan)


def highest(scores: np.ndarray) -> int | None:
    """The index of the highest measured score of one case, scores (items,); None if none was measured."""
    return None if np.isnan(scores).all() else int(np.nanargmax(scores))


def lowest(scores: np.ndarray) -> int | None:
    """The index of the lowest measured score of one case, scores (items,); None if none was measured."""
    return highest(-scores)


def first_index(condition: np.ndarray) -> int | None:
    """The first index at which a condition (items,) is True; None if it never is."""
    return int(np.argmax(condition)) if np.any(condition) else None


def share(condition: np.ndarray, items: np.ndarray) -> np.ndarray:
    """The share of the measured (not NaN) `items` for which `condition` is True, along the last axis; 0 without any."""
    is_measured = ~np.isnan(items)
    hits = (condition & is_measured).sum(-1)
    count = np.broadcast_to(is_measured.sum(-1), hits.shape)
    return np.divide(hits, count, out=np.zeros(hits.shape), where=count > 0)


def mean(scores: np.ndarray, without: float = 0.0) -> np.ndarray:
    """The mean of the measured (not NaN) scores along the last axis; the value `without` if none was measured."""
    count = (~np.isnan(scores)).sum(-1)
    return np.divide(np.nansum(scores, -1), count, out=np.full(count.shape, without), where=count > 0)


def at_least(value: np.ndarray, limit: np.ndarray, by: np.ndarray | str = "") -> Decision:
    """Decision that passes if `value` is at least `limit`."""
    return _decision(value, limit, np.subtract(value, limit), by)


def at_most(value: np.ndarray, limit: np.ndarray, by: np.ndarray | str = "") -> Decision:
    """Decision that passes if `value` is at most `limit`."""
    return _decision(value, limit, np.subtract(limit, value), by)


def pick(where: np.ndarray, one: Decision, other: Decision) -> Decision:
    """A decision that equals `one` where the condition `where` is True, and `other` elsewhere."""
    parts = ("value", "limit", "margin", "by")
    return Decision(*(np.where(where, getattr(one, part), getattr(other, part)) for part in parts))


def none_of(count: np.ndarray) -> Decision:
    """Decision of a rule without a threshold: it passes if `count` is 0."""
    return at_most(count, np.zeros(()))


def _decision(value: np.ndarray, limit: np.ndarray, margin: np.ndarray, by: np.ndarray | str) -> Decision:
    margin = np.where(np.abs(margin) < DUST, 0.0, margin)
    return Decision(*np.broadcast_arrays(value, limit, margin), by)


def position_list(where: np.ndarray) -> str:
    """The 1-based positions at which `where` is True, as text: "2, 3"; "" if there are none."""
    return ", ".join(str(n + 1) for n in np.flatnonzero(where))
