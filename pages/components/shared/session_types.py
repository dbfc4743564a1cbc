"""The records that a session holds: questions, a perturbed answer, moves of limits, an open document, a file."""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Any

from core.banks.file_formats import Line
from core.case import Question, Trace, Turn
from core.evaluation.perturb import PerturbedAnswer
from core.settings import Settings

Using = tuple[str, Settings]
"""The profile of the models and the settings that measure."""


@dataclass(frozen=True, kw_only=True)
class AskedQuestion:
    """A question that was asked: its form, its trace, and the settings of the trace; None before it is measured.

    history: the turns before it. number: position in the conversation, from 1. route, answer: its route and the
    text that the user got when it was last on screen; "" while it is on screen. prepared: name of the answer of the
    prepared case; "" for what a user asked.
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
        """Its turns with text: the question, the tool's result and the answer."""
        texts = (("user", self.form["question"]), ("tool", self.form["tool_result"]), ("assistant", self.answer))
        return tuple(Turn(role=role, text=text) for role, text in texts if text.strip())


@dataclass(frozen=True, kw_only=True)
class Breaking:
    """A perturbed answer to `question`: the original text, the change, and the trace and its settings once measured."""

    question: Question
    text: str
    broken: PerturbedAnswer
    trace: Trace | None = None
    measured_with: Using | None = None


MOST_STEPS = 100
"""Most steps that can be undone."""
Position = tuple[Hashable, ...]
"""The value of the preset, of every slider and of every mode, in the order of `limit_widgets`."""


@dataclass(frozen=True, kw_only=True)
class History:
    """The current position, earlier positions with the latest at the end, and undone positions, the next one first."""

    current: Position
    past: tuple[Position, ...] = ()
    future: tuple[Position, ...] = ()

    def moved_to(self, position: Position) -> "History":
        """The history after a move to `position`, which clears what can be redone; itself if nothing moved."""
        if position == self.current:
            return self
        return History(current=position, past=(*self.past, self.current)[-MOST_STEPS:])

    def undone(self) -> "History":
        """The history one step back; itself if there is no step to undo."""
        if not self.past:
            return self
        return History(current=self.past[-1], past=self.past[:-1], future=(self.current, *self.future))

    def redone(self) -> "History":
        """The history one step forward; itself if there is no step to redo."""
        if not self.future:
            return self
        return replace(self.moved_to(self.future[0]), future=self.future[1:])


@dataclass(frozen=True, kw_only=True)
class Reading:
    """An open document. document: its id. page: its number, from 1. passage: id of the marked passage, "" for all."""

    document: str
    page: int
    passage: str = ""


@dataclass(frozen=True, kw_only=True)
class Import:
    """A file that was read and is not in a bank yet."""

    file: str
    lines: tuple[Line, ...]

    @property
    def wrong(self) -> list[int]:
        """The indices of the rows that cannot be imported."""
        return [index for index, line in enumerate(self.lines) if line.problem]
