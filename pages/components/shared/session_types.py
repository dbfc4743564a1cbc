"""The records that a session holds: questions, a perturbed answer, moves of limits, and a file to import."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from core.case import Question, Trace, Turn
from core.settings import Settings

if TYPE_CHECKING:
    from core.banks.formats import Line
    from core.evaluation.perturb import PerturbedAnswer

Using = tuple[str, Settings]
"""(name of the profile of the models, settings) that a question or a set is measured with."""


@dataclass(frozen=True, kw_only=True)
class AskedQuestion:
    """A question that was asked on the Ask page.

    form: the form that it was asked with. trace, measured_with: its trace, and the profile and settings that measured
    it; None before that. history: the turns before it. number: its position in the conversation, from 1. route, answer:
    its route and the text that the user got, stored when it leaves the screen; "" before that. prepared: the name of
    the prepared answer for the prepared case; "" for a question that a user asked.
    """

    form: dict[str, Any]
    trace: Trace | None = None
    measured_with: Using | None = None
    history: tuple[Turn, ...] = ()
    number: int = 1
    route: str = ""
    answer: str = ""
    prepared: str = ""

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns that this question adds to the history of a later question: its text, the result of a tool, and its
        answer, without empty ones."""
        texts = (("user", self.form["question"]), ("tool", self.form["tool_result"]), ("assistant", self.answer))
        return tuple(Turn(role=role, text=text) for role, text in texts if text.strip())


@dataclass(frozen=True, kw_only=True)
class Breaking:
    """A perturbed answer to `question`, for the section "Break it".

    text: the original answer. broken: the perturbed answer, with what was changed. trace, measured_with: its trace, and
    the profile and settings that measured it; None before that.
    """

    question: Question
    text: str
    broken: "PerturbedAnswer"
    trace: Trace | None = None
    measured_with: Using | None = None


MOST_STEPS = 100
"""Maximum moves that can be undone."""
Position = tuple[Hashable, ...]
"""The name of the preset and the value of every slider and mode, in the order of `SLIDERS`."""


@dataclass(frozen=True, kw_only=True)
class History:
    """The positions of all sliders and modes for undo and redo, the oldest first. at: the index of the current one."""

    steps: tuple[Position, ...]
    at: int = 0

    @property
    def current(self) -> Position:
        return self.steps[self.at]

    def moved_to(self, position: Position) -> "History":
        """The history after a move to `position`, which clears what can be redone; itself if nothing moved."""
        if position == self.current:
            return self
        steps = (*self.steps[: self.at + 1], position)[-1 - MOST_STEPS :]
        return History(steps=steps, at=len(steps) - 1)

    def has(self, by: int) -> bool:
        """True if there is a step to undo (-1) or to redo (1)."""
        return 0 <= self.at + by < len(self.steps)

    def gone(self, by: int) -> "History":
        """The history after undo (-1) or redo (1); itself if there is no such step."""
        return replace(self, at=self.at + by) if self.has(by) else self


@dataclass(frozen=True, kw_only=True)
class Import:
    """A file that was read and is not in a bank yet.

    file: its name. rows: as they are written there. columns: for each column, the field that it holds, OWN_COLUMN,
    LEFT_OUT, or "" if nobody said it. labels: for each label whose meaning the user chose, a label of ours, or "".
    lines: the rows as those of a set, each with the error that prevents its import, if any; empty while the columns
    cannot be read.
    """

    file: str
    rows: "tuple[Line, ...]"
    columns: Mapping[str, str]
    labels: Mapping[str, str] = field(default_factory=dict)
    lines: "tuple[Line, ...]" = ()

    @cached_property
    def samples(self) -> dict[str, str]:
        """The columns of the file, each with its first value that is not empty, as a text."""
        found: dict[str, str] = {}
        for line in self.rows:
            for name, value in (line.row or {}).items():
                found[name] = found.get(name) or ("" if value is None else str(value))
        return found

    @property
    def wrong(self) -> list["Line"]:
        """The rows that cannot be imported."""
        return [line for line in self.lines if line.problem]
