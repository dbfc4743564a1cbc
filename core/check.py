"""The contract every check keeps: measure slowly once, decide instantly as often as you like."""

import inspect
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType, SimpleNamespace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from core.case import Case, Signals
from core.thresholds import Mode, Preset, Threshold

if TYPE_CHECKING:
    from core.features.case_features import CaseFeatures

Bound = SimpleNamespace
"""Signals or thresholds of one check by name: arrays, as `decide` reads them."""

DUST = 1e-9
"""Differences below this are float dust: 0.3 - 0.2 must meet a limit of 0.1."""

GROUPS = {"query": "Finding passages", "answer": "The answer"}
"""What the checks of each stage guard."""


class NotApplicable(Exception):  # noqa: N818 - a state of a check, not a fault
    """Raised by `measure` when there is nothing to measure; the message says why, in plain words."""


@dataclass(frozen=True, kw_only=True)
class Signal:
    """One array that `measure` returns. Real output is checked against it; tests build fakes from it.

    items: names of its axes, such as ("sentence", "passage"). whole: only whole numbers. gaps: NaN where an item was
    not measured, because nothing hangs on it; else never NaN when measured live. In a batch, NaN pads cases that have
    fewer items than the longest. added: its value in traces that were stored before there was this signal; None where
    every trace has it.
    """

    items: tuple[str, ...] = ()
    low: float = 0.0
    high: float = 1.0
    whole: bool = False
    gaps: bool = False
    added: float | None = None
    unit: str
    help: str

    def verified(self, value: Any, name: str) -> np.ndarray:
        """`value` as a float array, or ValueError when its axes, bounds or a NaN say that it was not measured."""
        array = np.asarray(value, dtype=float)
        if array.ndim != len(self.items):
            raise ValueError(f"{name} must have the axes {self.items}, got the shape {array.shape}.")
        within = np.isfinite(array) & (array >= self.low - 1e-5) & (array <= self.high + 1e-5)
        if not (within | (self.gaps & np.isnan(array))).all():
            bounds = f"{self.low:g} to {self.high:g} ({self.unit})"
            raise ValueError(f"{name} must lie in {bounds}; what was measured does not.")
        return array


@dataclass(frozen=True, kw_only=True)
class Part:
    """A number that a check makes its own of, as it was measured of one case. most: the end of its scale, which begins
    at 0."""

    label: str
    value: float
    unit: str
    most: float = 1.0


@dataclass(frozen=True)
class Decision:
    """What a check concludes. The arrays share one shape: () live, (cases,) in a batch, (points, cases) in a sweep.

    value:  the number compared. limit: what it was compared with. margin: signed distance to the limit, in the same
    unit; at least 0 passes, negative fails, NaN means that the check does not apply.
    by: name of the threshold that decided, "" for a rule without one.
    """

    value: np.ndarray
    limit: np.ndarray
    margin: np.ndarray
    by: np.ndarray | str = ""

    @property
    def passed(self) -> np.ndarray:
        return np.asarray(self.margin >= 0)  # NaN compares false: a check that did not run never passes

    @property
    def failed(self) -> np.ndarray:
        return np.asarray(self.margin < 0)


class Check(ABC):
    """One safety check. To add one: subclass it in a new file under core/checks/. Nothing else."""

    name: ClassVar[str]
    plain: ClassVar[str]
    """What holds when it passes, in a teacher's words: "The passages are close enough"."""
    seed: ClassVar[str]
    """The document it comes from, A to E, or "ours"."""
    stage: ClassVar[Literal["query", "answer"]]
    mode: ClassVar[Mode] = "blocks"
    """What it does where a preset does not say; a check that no document has begins by watching."""
    fails_as: ClassVar[str] = ""
    """The refusal reason of a case that fails, one of REASONS in core/chain/check_results.py."""

    registry: ClassVar[dict[str, "Check"]] = {}

    def __init_subclass__(cls) -> None:
        cls.name = cls.__module__.rsplit(".", 1)[-1]
        known = Check.registry.get(cls.name)
        if known and type(known).__module__ != cls.__module__:
            raise TypeError(f"two checks are called {cls.name!r}")
        for attribute, value in list(vars(cls).items()):
            if isinstance(value, Threshold):
                setattr(cls, attribute, replace(value, key=f"{cls.name}.{attribute}"))
        if not inspect.isabstract(cls):
            if not cls.fails_as and cls.reason is Check.reason:
                raise TypeError(f"{cls.name} must say in fails_as, or in reason, for which reason it refuses")
            Check.registry[cls.name] = cls()

    @classmethod
    @cache
    def thresholds(cls) -> Mapping[str, Threshold]:
        return MappingProxyType({k: v for k, v in vars(cls).items() if isinstance(v, Threshold)})

    @classmethod
    def signals(cls) -> dict[str, Signal]:
        return {k: v for k, v in vars(cls).items() if isinstance(v, Signal)}

    @classmethod
    def completed(cls, stored: Signals) -> Signals:
        """The signals of a stored trace, with those that were added after it was stored."""
        like = {(): 0.0} | {about.items: stored[name] for name, about in cls.signals().items() if name in stored}
        missing = {
            n: s for n, s in cls.signals().items() if n not in stored and s.added is not None and s.items in like
        }
        return stored | {n: np.full(np.shape(like[s.items]), s.added) for n, s in missing.items()}

    @classmethod
    def doc(cls) -> str:
        return inspect.getdoc(cls) or ""

    @abstractmethod
    def measure(self, case: Case, features: "CaseFeatures") -> Signals:
        """Ask the models about one case. Slow, remembered, blind to thresholds. Raises NotApplicable."""

    @abstractmethod
    def decide(self, s: Bound, t: Bound) -> Decision:
        """Compare signals with thresholds. Pure array arithmetic: no models, no branch on a value."""

    def reason(self, s: Bound, t: Bound) -> str:  # noqa: ARG002 - a check may look at what was measured
        """The refusal reason of one failed case, `fails_as` where it is always the same.

        It depends on what was measured, never on a limit: a bank is asked for it once.
        """
        return self.fails_as

    @abstractmethod
    def explain(self, case: Case, s: Bound, t: Bound) -> str:
        """One plain sentence for one case: what was found, and where."""

    def parts(self, s: Bound) -> tuple[Part, ...]:  # noqa: ARG002 - of most checks the value says all
        """What the value of one case is made of; () where it is made of nothing else."""
        return ()

    def compared(self, s: Bound, t: Bound) -> Mapping[str, np.ndarray]:
        """What was measured of one case that each limit is held against, by the limit's name, each of shape (values,).

        A limit that is held against nothing here is left out. Checks with limits inside limits say it themselves.
        """
        decision = self.decide(s, t)
        return {str(decision.by): np.atleast_1d(decision.value)} if str(decision.by) else {}

    def bind(self, preset: Preset) -> Bound:
        """The thresholds of this check under `preset`, as 0-d arrays; ThresholdError when one is out of bounds."""
        values = {n: t.validate(preset.thresholds.get(t.key, t.default)) for n, t in self.thresholds().items()}
        return Bound(**{n: np.asarray(v) for n, v in values.items()})

    def decision(self, signals: Signals, preset: Preset) -> Decision:
        """Decide one case or a batch, with the thresholds of `preset`."""
        return self.decide(Bound(**signals), self.bind(preset))


def per_item(threshold: np.ndarray, axes: int = 1) -> np.ndarray:
    """Give a threshold trailing axes, so that it lines up with signals that have one entry an item."""
    return threshold[(..., *([None] * axes))]


def best(scores: np.ndarray) -> np.ndarray:
    """The highest score along the last axis; 0 where there is none."""
    top = np.max(np.where(np.isnan(scores), -np.inf, scores), axis=-1, initial=-np.inf)
    return np.where(np.isinf(top), 0.0, top)


def share(condition: np.ndarray, of: np.ndarray) -> np.ndarray:
    """Fraction of the measured entries of `of` (those not NaN) where `condition` holds; 0 where there is none."""
    seen = ~np.isnan(of)
    hits = (condition & seen).sum(-1)
    count = np.broadcast_to(seen.sum(-1), hits.shape)
    return np.divide(hits, count, out=np.zeros(hits.shape), where=count > 0)


def mean(scores: np.ndarray, without: float = 0.0) -> np.ndarray:
    """The mean of the measured scores (those not NaN) along the last axis; `without` where there is none."""
    count = (~np.isnan(scores)).sum(-1)
    return np.divide(np.nansum(scores, -1), count, out=np.full(count.shape, without), where=count > 0)


def at_least(value: np.ndarray, limit: np.ndarray, by: np.ndarray | str = "") -> Decision:
    """Passes when `value` reaches `limit`."""
    return _compared(value, limit, np.subtract(value, limit), by)


def at_most(value: np.ndarray, limit: np.ndarray, by: np.ndarray | str = "") -> Decision:
    """Passes when `value` does not exceed `limit`."""
    return _compared(value, limit, np.subtract(limit, value), by)


def pick(where: np.ndarray, one: Decision, other: Decision) -> Decision:
    """The one decision `where` that holds, elsewhere the other."""
    parts = ("value", "limit", "margin", "by")
    return Decision(*(np.where(where, getattr(one, part), getattr(other, part)) for part in parts))


def none_of(count: np.ndarray) -> Decision:
    """A rule without a threshold: passes where there is nothing of what is counted."""
    return at_most(count, np.zeros(()))


def _compared(value: np.ndarray, limit: np.ndarray, margin: np.ndarray, by: np.ndarray | str) -> Decision:
    margin = np.where(np.abs(margin) < DUST, 0.0, margin)
    return Decision(*np.broadcast_arrays(value, limit, margin), by)


def require_answer(case: Case) -> None:
    """NotApplicable where no sentence was written."""
    if not case.sentences:
        raise NotApplicable("there is no answer to look at")


def require_claim(case: Case, features: "CaseFeatures") -> None:
    """NotApplicable where no sentence was written, and where the whole answer is an abstention."""
    require_answer(case)
    if features.abstaining.all():
        raise NotApplicable("the answer states nothing: it says that there is no answer")


def listed(where: np.ndarray) -> str:
    """The places of one case at which `where` holds, counted from 1: "2, 3"; "" for none."""
    return ", ".join(str(n + 1) for n in np.flatnonzero(where))


def mode_of(check: Check, preset: Preset) -> Mode:
    """Whether `check` blocks, only watches, or is off under `preset`; as the check says where the preset does not."""
    return preset.modes.get(check.name, check.mode)
