"""For educators: asks the questions of a chapter in the background, and keeps the answers with the teacher's ticks."""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from core.book_titles import page_words
from core.case import CaseError, Question, Scope, Trace
from core.chapter.questions import PrintedQuestion, printed_questions
from core.decide import Verdict
from core.library import Document
from core.platform.jobs import PEOPLE, use_pause
from core.text.citation_marks import without_marks
from core.thresholds import Preset

if TYPE_CHECKING:
    from core.graph import Explorer

log = logging.getLogger(__name__)

NOT_CLOSE = "No passage of this chapter is close enough to this question."
"""The reason that is shown instead of "off topic": a question that the chapter prints is on a topic of the library."""
_MOST = 8
"""Chapters whose answers a process keeps, the latest ones."""


@dataclass(frozen=True, kw_only=True)
class Answer:
    """The result of one question. error: a sentence on why it could not be asked; trace and verdict are then None."""

    trace: Trace | None = None
    verdict: Verdict | None = None
    error: str = ""

    @property
    def text(self) -> str:
        """The answer without marks, or why there is none."""
        if self.verdict is None:
            return self.error
        if self.verdict.answered:
            return without_marks(self.verdict.answer).strip()
        return NOT_CLOSE if self.verdict.primary_reason == "off_topic" else self.verdict.explanation

    @property
    def pages(self) -> tuple[str, ...]:
        """The pages that the answer cites, as people write them: "page 3 (printed 162)"."""
        pages: dict[str, None] = {}
        for part in (self.verdict.parts or (self.verdict,)) if self.verdict else ():
            for sentence in part.delivered_sentences if part.answered else ():
                for index in part.round.case.cited(sentence):
                    page = part.page_of(index)
                    pages[page_words(page, part.round.case.evidence[index].passage.label(page))] = None
        return tuple(pages)


@dataclass(eq=False, kw_only=True)
class Trial:
    """The questions of one chapter, and what became of them.

    answers: by index in `questions`. ticks: by index, what the teacher says of an answer: True for right, False for
    wrong. state: "broken" if an error ended it; `sentence` is then that error in one sentence.
    """

    document: Document
    questions: tuple[PrintedQuestion, ...]
    preset: Preset
    state: Literal["running", "done", "stopped", "broken"] = "running"
    sentence: str = ""
    answers: dict[int, Answer] = field(default_factory=dict)
    ticks: dict[int, bool] = field(default_factory=dict)
    stopping: threading.Event = field(default_factory=threading.Event)
    _seconds: float = 0.0

    @property
    def to_ask(self) -> list[int]:
        """The indices of the questions that can be asked."""
        return [n for n, question in enumerate(self.questions) if question.asked]

    @property
    def left_out(self) -> list[PrintedQuestion]:
        """The questions that cannot be asked."""
        return [question for question in self.questions if not question.asked]

    @property
    def seconds_left(self) -> float | None:
        """Estimated seconds until all are asked; None before the first answer."""
        done = len(self.answers)
        return self._seconds / done * (len(self.to_ask) - done) if done else None

    @property
    def ready(self) -> int:
        """Number of questions whose answer the teacher ticked as right."""
        return sum(self.ticks.get(n, False) and self.is_answered(n) for n in self.to_ask)

    def is_answered(self, index: int) -> bool:
        answer = self.answers.get(index)
        return answer is not None and answer.verdict is not None and answer.verdict.answered

    def begin(self, explorer: "Explorer") -> None:
        """Ask in a thread of its own, with a pause wherever a person waits for the models."""
        threading.Thread(target=self._work, args=(explorer,), name="try the chapter", daemon=True).start()

    def rows(self) -> list[dict[str, Any]]:
        """The asked questions as rows of a question set: one whose answer is wrong should be refused, one that was
        answered in part and ticked should be so again, and every other exercise should be answered."""
        return [
            {
                "query": question.asked, "documents": [self.document.name], "expected": self._expected(index),
                "kind": "exercise", "note": f"exercise {question.number}, {page_words(question.page, question.label)}",
            }
            for index, question in enumerate(self.questions) if question.asked
        ]  # fmt: skip

    def _expected(self, index: int) -> str:
        tick = self.ticks.get(index) if self.is_answered(index) else None
        if tick is False:
            return "refused"
        return "part" if tick and self.answers[index].verdict.route == "deliver_part" else "answered"

    def _work(self, explorer: "Explorer") -> None:
        try:
            with use_pause(self._yield_to_users):
                for index in self.to_ask:
                    self._yield_to_users()
                    if self.stopping.is_set():
                        break
                    self._ask(explorer, index)
            self.state = "stopped" if self.stopping.is_set() else "done"
        except Exception as error:  # edge of a thread: nothing above would report it
            log.exception("the questions of %s could not be asked", self.document.name)
            self.sentence = f"The questions could not all be asked ({type(error).__name__}: {error}); try it again."
            self.state = "broken"

    def _ask(self, explorer: "Explorer", index: int) -> None:
        started = time.monotonic()
        question = Question(query=self.questions[index].asked, scope=Scope(documents=(self.document.name,)))
        try:
            trace, verdict = explorer.ask(question, self.preset)
            self.answers[index] = Answer(trace=trace, verdict=verdict)
        except CaseError as error:
            self.answers[index] = Answer(error=str(error))
        self._seconds += time.monotonic() - started

    def _yield_to_users(self) -> None:
        PEOPLE.wait(self.stopping.is_set)


class Trials:
    """The chapters that this process tries or has tried: the latest ones, each by its owner and its document.

    An owner is "" for those who share what they see, or the name of a visitor who sees nothing but their own.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._trials: dict[tuple[str, str], Trial] = {}

    def trial(self, owner: str, document: str) -> Trial | None:
        """The latest trial of the document with this id; None if there is none."""
        return self._trials.get((owner, document))

    def start(
        self, owner: str, document: Document, preset: Preset, explorer: "Explorer", take: Callable[..., None]
    ) -> Trial:
        """Ask all questions of a document; if that is being done already, return that trial. take: called with the
        number of questions before they are asked; an exception from it, such as of a quota, ends the start."""
        with self._lock:
            running = self._trials.get((owner, document.id))
            if running and running.state == "running":
                return running
            passages = [p for p in explorer.library.passages() if p.document == document.name]
            trial = Trial(document=document, questions=tuple(printed_questions(passages)), preset=preset)
            take(questions=len(trial.to_ask))
            self._trials.pop((owner, document.id), None)
            self._trials[owner, document.id] = trial  # last, as the latest
            for key in list(self._trials)[:-_MOST]:
                self._trials.pop(key).stopping.set()
            trial.begin(explorer)
            return trial
