"""The base class of all checks, and what they declare.

A check measures a case once, with models, and then decides at any thresholds without them.
"""

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType, SimpleNamespace
from typing import Any, ClassVar, Literal

import numpy as np

from core.case import Case, Signals
from core.decision import Decision
from core.thresholds import Mode, Preset, Threshold

Features = Any
"""The outputs of models and rules for one case (`core.features.case_features.CaseFeatures`). `measure` takes them as an
argument, so no check imports a model or a rule of English.
"""

Bound = SimpleNamespace
"""The signals or the thresholds of one check as attributes, by name. Each is an array of the shape that
`decide` reads.
"""

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
        """`value` as a float array. Raises ValueError for wrong axes or bounds, and for a forbidden NaN."""
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


SHORT = 14
"""The most characters of a check's name on its tile."""


class Check(ABC):
    """One safety check, in a file of core/checks. core/README.md, "Add a check", says what a new one declares."""

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

    decided_by: ClassVar[tuple[Callable[[np.ndarray], int | None], str] | None] = None
    """(highest or lowest, a signal): the item with that value decides a case; None where no single item does."""

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
        own = {n for n in ("decide", "reduced", "decide_reduced") if getattr(cls, n) is not getattr(Check, n)}
        if own not in ({"decide"}, {"reduced", "decide_reduced"}):
            raise TypeError(f"{cls.name} must override either decide, or both reduced and decide_reduced.")
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
        """The signals of a stored trace, with default values for those that did not exist when it was stored."""
        declared = cls.signals()
        shapes = {(): ()} | {s.items: np.shape(signals[n]) for n, s in declared.items() if n in signals}
        new = {n: s for n, s in declared.items() if n not in signals and s.added is not None and s.items in shapes}
        return signals | {n: np.full(shapes[s.items], s.added) for n, s in new.items()}

    @classmethod
    def doc(cls) -> str:
        return inspect.getdoc(cls) or ""

    @abstractmethod
    def measure(self, case: Case, features: Features) -> Signals:
        """Run the models on one case and return its signals. Slow and cached; must not read thresholds. Raises
        NotApplicable if there is nothing to measure.
        """

    def decide(self, s: Bound, t: Bound) -> Decision:
        """Compare signals with thresholds. Array arithmetic only: no models and no branches that depend on a value."""
        return self.decide_reduced(self.reduced(s), t)

    def reduced(self, s: Bound) -> Bound:
        """Return what `decide_reduced` reads of the signals of each case: arrays (...). By default the signals.

        A check that first combines many signals, whatever the thresholds are, overrides these two methods in place of
        `decide`: a bank then combines them once, and not again for every move of a slider.
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
        passage; None if no single item did. By default the item that `decided_by` names.
        """
        return self.decided_by[0](getattr(s, self.decided_by[1])) if self.decided_by else None

    def components(self, s: Bound) -> tuple[Component, ...]:  # noqa: ARG002 - of most checks the value says all
        """The numbers that the value of one case is made of; () if the value is a single measurement."""
        return ()

    def compared_values(self, s: Bound, t: Bound) -> Mapping[str, np.ndarray]:
        """For each limit of the check, the measured values of one case with which it is compared: threshold name ->
        (values,). A check in which one limit determines what another is compared with overrides this method.
        """
        decision = self.decide(s, t)
        return {str(decision.by): np.atleast_1d(decision.value)} if str(decision.by) else {}

    def bind(self, preset: Preset) -> Bound:
        """Return the check's thresholds under `preset` as 0-d arrays. Raises ThresholdError if out of bounds."""
        values = {n: t.validate(preset.thresholds.get(t.key, t.default)) for n, t in self.thresholds().items()}
        return Bound(**{n: np.asarray(v) for n, v in values.items()})


def require_answer(case: Case) -> None:
    """Raise NotApplicable if the answer has no sentences."""
    if not case.sentences:
        raise NotApplicable("there is no answer to look at")


def require_claim(case: Case, features: Features) -> None:
    """Raise NotApplicable if the answer has no sentences or is an abstention as a whole."""
    require_answer(case)
    if features.abstaining.all():
        raise NotApplicable("the answer states nothing: it says that there is no answer")


def mode_of(check: Check, preset: Preset) -> Mode:
    """The mode of `check` under `preset`: blocks, watches or off. Falls back to the check's own default mode."""
    return preset.modes.get(check.name, check.mode)
