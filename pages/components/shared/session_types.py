"""The records that a session holds: questions, a perturbed answer, moves of limits, an open document, a file."""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Any

from core.banks.file_formats import Line
from core.case import Question, Trace, Turn
from core.evaluation.perturb import PerturbedAnswer
from core.settings import Settings

Using = tuple[str, Settings]
"""(name of the profile of the models, settings) that a question or a set is measured with."""


@dataclass(frozen=True, kw_only=True)
class AskedQuestion:
    """A question that was asked on the Ask page: its form, its trace, and what measured the trace.

    trace, measured_with: None before it is measured. history: the turns before it. number: position in the
    conversation, from 1. route, answer: its route and the text that the user got when it was last on screen; "" while
    it is on screen. prepared: name of the answer of the prepared case; "" for what a user asked.
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
        """The turns that a later question gets as history: the question, the tool's result and the answer, without
        empty ones."""
        texts = (("user", self.form["question"]), ("tool", self.form["tool_result"]), ("assistant", self.answer))
        return tuple(Turn(role=role, text=text) for role, text in texts if text.strip())


@dataclass(frozen=True, kw_only=True)
class Breaking:
    """A perturbed answer to `question`, for the section "Break it".

    text: the original answer. broken: the perturbed one, with what was changed. trace, measured_with: None until
    measured.
    """

    question: Question
    text: str
    broken: PerturbedAnswer
    trace: Trace | None = None
    measured_with: Using | None = None


MOST_STEPS = 100
"""Maximum moves that can be undone."""
Position = tuple[Hashable, ...]
"""The name of the preset and the value of every slider and mode, in the order of `limit_widgets`."""


@dataclass(frozen=True, kw_only=True)
class History:
    """The positions of all sliders and modes for undo and redo.

    past: earlier ones, the latest at the end. future: undone ones, the next one to redo first.
    """

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
class ClassMove:
    """A move of a slider or a mode by the limits of a class. preset: the name of the preset at that time."""

    key: str
    old: Any
    new: Any
    preset: str


@dataclass(frozen=True, kw_only=True)
class Reading:
    """An open document. document: its id. page: its number, from 1. passage: id of the marked passage, "" for all."""

    document: str
    page: int
    passage: str = ""


@dataclass(frozen=True, kw_only=True)
class Import:
    """A file that was read as rows of a question set and is not in a bank yet."""

    file: str
    lines: tuple[Line, ...]

    @property
    def wrong(self) -> list[int]:
        """The indices of the rows that cannot be imported."""
        return [index for index, line in enumerate(self.lines) if line.problem]
