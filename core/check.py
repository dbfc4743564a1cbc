"""The base class of all checks, what they declare, and arithmetic that they share.

A check measures a case once, with models, and then decides at any thresholds without them.
"""

import inspect
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType, SimpleNamespace
from typing import Any, ClassVar, Literal

import numpy as np

from core.case import Case, Signals
from core.thresholds import Mode, Preset, Threshold

Features = Any
"""The outputs of models and rules for one case (`core.features.case_features.CaseFeatures`). `measure` takes them as an
argument, so no check imports a model or a rule of English.
"""

Bound = SimpleNamespace
"""The signals or the thresholds of one check as attributes, by name. Each is an array of the shape that
`decide` reads.
"""

DUST = 1e-9
"""Differences below this count as 0, because floats are rounded: 0.3 - 0.2 must meet a limit of 0.1."""

SOURCES: Mapping[str, str] = {
    "A": "Safety mechanism", "B": "Confidence heuristics", "C": "Abstention detection", "D": "Two-stage guardrail",
    "E": "LangGraph edge cases",
}  # fmt: skip
"""The title of each document that checks come from, by its letter."""


def source_title(source_document: str) -> str:
    """The document that a check or a threshold comes from, as people read it: "A: Safety mechanism", or "ours"."""
    return f"{source_document}: {SOURCES[source_document]}" if source_document in SOURCES else source_document


GROUPS = {"query": "Finding passages", "answer": "The answer"}
"""What the checks of each stage guard, as people read it."""


class NotApplicable(Exception):  # noqa: N818 - a state of a check, not a fault
    """Raised by `measure` when there is nothing to measure. The message gives the reason in plain words."""


@dataclass(frozen=True, kw_only=True)
class Signal:
    """One array that `measure` returns. Real output is validated against it, and tests build fakes from it.

    items: names of the axes, such as ("sentence", "passage"); () for a single number.
    low, high: bounds of the values, both included.
    whole: True if only whole numbers are valid.
    gaps: True if NaN may mark an item that was not measured because no decision depends on it. A signal without gaps is
    never NaN when measured live. In a batch, NaN also pads cases that have fewer items than the longest one.
    added: value to use for traces stored before this signal existed; None if every trace has it.
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
        """Return `value` as a float array. Raises ValueError if its axes or bounds are wrong, or if it holds a
        forbidden NaN.
        """
        array = np.asarray(value, dtype=float)
        if array.ndim != len(self.items):
            raise ValueError(f"{name} must have the axes {self.items}, got the shape {array.shape}.")
        in_bounds = np.isfinite(array) & (array >= self.low - 1e-5) & (array <= self.high + 1e-5)
        if not (in_bounds | (self.gaps & np.isnan(array))).all():
            bounds = f"{self.low:g} to {self.high:g} ({self.unit})"
            raise ValueError(f"{name} must lie in {bounds}; what was measured does not.")
        return array


@dataclass(frozen=True, kw_only=True)
class Component:
    """One of the numbers that a check combines into its value, as measured on one case. label: its name for people.
    most: the upper end of its scale, which begins at 0.
    """

    label: str
    value: float
    unit: str
    most: float = 1.0


@dataclass(frozen=True)
class Decision:
    """The decision of a check. All arrays share one shape: () for one case, (cases,) for a batch, (points, cases) for a
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


SHORT = 14
"""The most characters of a check's name on its tile."""


class Check(ABC):
    """One safety check: a subclass in a file of its own under core/checks/, where the program finds it.

    core/README.md, "Add a check", says what a new one declares, and where its tests and its documentation are.
    """

    name: ClassVar[str]
    short: ClassVar[str]
    """The name of the check on its tile, in one to three words of at most SHORT characters: "Support"."""
    faults: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """The word after a value that counts faults, such as "unsupported", by the name of the threshold that limits the
    value ("" for a rule without one). Only values that must not exceed a limit have one.
    """
    plain: ClassVar[str]
    """What holds when the check passes, in a teacher's words: "The passages are close enough"."""
    source_document: ClassVar[str]
    """The source document of the check: a letter from A to E, or "ours"."""
    stage: ClassVar[Literal["query", "answer"]]
    mode: ClassVar[Mode] = "blocks"
    """The mode under presets that do not name the check. A new check that comes from no source document declares
    "watches" until measurements show that it is worth blocking.
    """
    fails_as: ClassVar[str] = ""
    """The refusal reason when the check fails, a key of REASONS in core/words.py."""

    registry: ClassVar[dict[str, "Check"]] = {}

    def __init_subclass__(cls) -> None:
        cls.name = cls.__module__.rsplit(".", 1)[-1]
        known_class = Check.registry.get(cls.name)
        if known_class and type(known_class).__module__ != cls.__module__:
            raise TypeError(f"two checks are called {cls.name!r}")
        for attribute, value in list(vars(cls).items()):
            if isinstance(value, Threshold):
                setattr(cls, attribute, replace(value, key=f"{cls.name}.{attribute}"))
        if not inspect.isabstract(cls):
            cls._require_declarations()
            Check.registry[cls.name] = cls()

    @classmethod
    def _require_declarations(cls) -> None:
        """Raise TypeError if the class lacks a declaration that pages and tables read. The message says what to add."""
        if missing := [a for a in ("short", "plain", "source_document", "stage") if not hasattr(cls, a)]:
            raise TypeError(
                f'{cls.name} lacks {", ".join(missing)}; core/README.md, "Add a check", says what they are.'
            )
        if len(cls.short) > SHORT:
            raise TypeError(f"short of {cls.name} has {len(cls.short)} characters, {cls.short!r}; at most {SHORT} fit.")
        if not cls.fails_as and cls.reason is Check.reason:
            raise TypeError(f"{cls.name} must say in fails_as, or in reason, for which reason it refuses.")
        if (cls.reduced is Check.reduced) != (cls.decide_reduced is Check.decide_reduced):
            raise TypeError(f"{cls.name} must override reduced and decide_reduced together, or neither.")
        if absent := [part for part in ("Catches ", "Blind to ") if part not in " ".join(cls.doc().split()) + " "]:
            raise TypeError(f"The docstring of {cls.name} must have a sentence that begins with {absent[0].strip()!r}.")

    @classmethod
    @cache
    def thresholds(cls) -> Mapping[str, Threshold]:
        return MappingProxyType({k: v for k, v in vars(cls).items() if isinstance(v, Threshold)})

    @classmethod
    def signals(cls) -> dict[str, Signal]:
        return {k: v for k, v in vars(cls).items() if isinstance(v, Signal)}

    @classmethod
    def completed(cls, signals: Signals) -> Signals:
        """Return `signals` of a stored trace, completed by the signals that did not exist when the trace was stored;
        these get their default value.
        """
        arrays_by_axes = {(): 0.0} | {
            signal.items: signals[name] for name, signal in cls.signals().items() if name in signals
        }
        missing = {
            n: s
            for n, s in cls.signals().items()
            if n not in signals and s.added is not None and s.items in arrays_by_axes
        }
        return signals | {n: np.full(np.shape(arrays_by_axes[s.items]), s.added) for n, s in missing.items()}

    @classmethod
    def doc(cls) -> str:
        return inspect.getdoc(cls) or ""

    @abstractmethod
    def measure(self, case: Case, features: Features) -> Signals:
        """Run the models on one case and return its signals. Slow and cached; must not read thresholds. Raises
        NotApplicable if there is nothing to measure.
        """

    @abstractmethod
    def decide(self, s: Bound, t: Bound) -> Decision:
        """Compare signals with thresholds. Array arithmetic only: no models and no branches that depend on a value."""

    def reduced(self, s: Bound) -> Bound:
        """Return what `decide_reduced` reads of the signals of each case: arrays (...). By default the signals.

        A check whose `decide` first combines many signals, whatever the thresholds are, overrides both methods: a bank
        then combines them once, and not again for every move of a slider.
        """
        return s

    @property
    def reduces(self) -> bool:
        """True if the check decides from reduced signals."""
        return type(self).reduced is not Check.reduced

    def decide_reduced(self, r: Bound, t: Bound) -> Decision:
        """Decide as `decide` does, from the result of `reduced`."""
        return self.decide(r, t)

    def reason(self, s: Bound, t: Bound) -> str:  # noqa: ARG002 - an override may read signals and thresholds
        """Return the reason, a key of REASONS, for one failed case; by default always `fails_as`.

        An override may depend on signals but never on thresholds, because a bank calls it only once per case.
        """
        return self.fails_as

    @abstractmethod
    def explain(self, case: Case, s: Bound, t: Bound) -> str:
        """Return one plain sentence about one case: the finding and its location."""

    def deciding(self, s: Bound, t: Bound) -> int | None:  # noqa: ARG002 - an override may read signals and thresholds
        """Return the index of the item that decided one case: a sentence of the answer, or, for a check of the query, a
        passage.

        None if no single item decided.
        """
        return None

    def components(self, s: Bound) -> tuple[Component, ...]:  # noqa: ARG002 - of most checks the value says all
        """The numbers that the value of one case is made of; () if the value is a single measurement."""
        return ()

    def compared_values(self, s: Bound, t: Bound) -> Mapping[str, np.ndarray]:
        """For each limit of the check, return the measured values of one case that it is compared with: threshold name
        -> array (values,).

        A limit with which no value is compared is left out. Override this method in a check in which one limit
        determines which values another limit is compared with.
        """
        decision = self.decide(s, t)
        return {str(decision.by): np.atleast_1d(decision.value)} if str(decision.by) else {}

    def bind(self, preset: Preset) -> Bound:
        """Return the check's thresholds under `preset` as 0-d arrays. Raises ThresholdError if out of bounds."""
        values = {n: t.validate(preset.thresholds.get(t.key, t.default)) for n, t in self.thresholds().items()}
        return Bound(**{n: np.asarray(v) for n, v in values.items()})

    def decision(self, signals: Signals, preset: Preset) -> Decision:
        """Decide one case or a batch with the thresholds of `preset`."""
        return self.decide(Bound(**signals), self.bind(preset))


def per_item(threshold: np.ndarray, axes: int = 1) -> np.ndarray:
    """Append `axes` axes to a threshold array, so that it broadcasts against signals that have these axes, such as
    (sentence,).
    """
    return threshold[(..., *([None] * axes))]


def best(scores: np.ndarray) -> np.ndarray:
    """The highest score along the last axis; 0 if there are no scores."""
    top = np.max(np.where(np.isnan(scores), -np.inf, scores), axis=-1, initial=-np.inf)
    return np.where(np.isinf(top), 0.0, top)


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
    """The share of the measured (not NaN) entries of `items` for which `condition` is True, along the last axis; 0 if
    none was measured.
    """
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


def require_answer(case: Case) -> None:
    """Raise NotApplicable if the answer has no sentences."""
    if not case.sentences:
        raise NotApplicable("there is no answer to look at")


def require_claim(case: Case, features: Features) -> None:
    """Raise NotApplicable if the answer has no sentences or is an abstention as a whole."""
    require_answer(case)
    if features.abstaining.all():
        raise NotApplicable("the answer states nothing: it says that there is no answer")


def position_list(where: np.ndarray) -> str:
    """The 1-based positions at which `where` is True, as text: "2, 3"; "" if there are none."""
    return ", ".join(str(n + 1) for n in np.flatnonzero(where))


def mode_of(check: Check, preset: Preset) -> Mode:
    """The mode of `check` under `preset`: blocks, watches or off. Falls back to the check's own default mode."""
    return preset.modes.get(check.name, check.mode)
