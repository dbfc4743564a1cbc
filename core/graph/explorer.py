"""Runs the chain as a graph: measures what `next_step` asks for, until a route ends."""

import logging
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from core.case import MAX_QUERY, Case, CaseError, Question, Round, Scope, Trace
from core.chain import ROUNDS, Step, Verdict, judge, next_step, verdict
from core.chain.check_results import blocking
from core.chain.facts import reached
from core.chain.multi_part import joint_case
from core.graph.rounds import Measuring
from core.graph.signals import measure
from core.graph.steps import State, Watch, graph, watched
from core.platform.jobs import TURNS, one_place
from core.question import unknown_documents
from core.retrieval.follow_up import understood
from core.retrieval.intent import meanings
from core.retrieval.question_parts import after, parts_of
from core.retrieval.retriever import Retriever
from core.retrieval.suggestions import suggestions
from core.settings import Settings
from core.settings.domains import domain
from core.text.answer_sentences import given_draft
from core.text.given_answer import require_answer
from core.thresholds import Preset
from core.writers.endpoint_access import Key
from core.writers.writer_choice import judge_for, stage_1_for, with_real_writer, writer_for

_ANSWERABLE = 0.5
"""Least probability that a passage answers a question that is offered."""
_SURE, _ANSWER_WORDS = 0.5, 6
"""Least probability, and most words, of an answer that a later part of the question is asked with."""
log = logging.getLogger(__name__)

_MOST_STEPS = 100
"""More than any question takes: its own rounds, and those of each of its parts."""


class Explorer:
    """One library with one set of models: answers questions and measures what a preset still needs.

    library: None where every question brings its contexts. `settings` name the real writer, never `auto`.
    listen: told what a language model writes while it writes.
    """

    def __init__(
        self,
        library: Any,
        models: Any,
        settings: Settings = Settings(),  # noqa: B008 - frozen
        listen: Callable[[str], None] | None = None,
    ) -> None:
        self.library, self.models = library, models
        self.retriever = Retriever(library, models)
        self._asks(settings, listen=listen)

    def with_settings(
        self, settings: Settings, key: Key | None = None, listen: Callable[[str], None] | None = None
    ) -> "Explorer":
        """The same library, models and search index under other settings.

        key: for the endpoint that they name; it stays in memory. listen: told what a model writes while it writes;
        what it raises ends the writing.
        """
        other = Explorer.__new__(Explorer)
        other.__dict__.update(self.__dict__)
        other._asks(settings, key, listen)
        return other

    def _asks(self, settings: Settings, key: Key | None = None, listen: Callable[[str], None] | None = None) -> None:
        """The writer and the language models that `settings` name; none is loaded yet."""
        self.settings = with_real_writer(settings, self._home)
        self.writer = writer_for(settings, self.models, self._home, key, listen)
        self.stage_1 = stage_1_for(settings, self._home, key)
        self.judge = judge_for(settings, self._home, key, listen)

    @property
    def _home(self) -> Path | None:
        """The run-time folder; None without a library, where every question brings its contexts."""
        return None if self.library is None else self.library.home

    def ask(self, question: Question, preset: Preset, watch: Watch | None = None) -> tuple[Trace, Verdict]:
        """Measure `question` as far as `preset` needs, and decide. CaseError for a question that cannot be asked."""
        if not question.query.strip():
            raise CaseError("The question is empty; type one.")
        if len(question.query) > MAX_QUERY:
            raise CaseError(
                f"A question may have {MAX_QUERY:,} characters, this one has {len(question.query):,}; shorten it."
            )
        if question.answer is not None:
            require_answer(question.answer)
            given_draft(question)  # refuses an answer that cannot be read before any model runs
        house = domain(self.settings.domain)
        question = replace(question, understood=understood(question, house))
        writes = question.answer is None and self.settings.writer != "extractive"
        asked = {"writer": self.writer.name} if writes else {}
        asked |= {"judge": self.judge.model.name} if self.judge else {}
        models = self.models.names | asked
        trace = self.complete(Trace(question=question, models=models, messages=dict(house.messages)), preset, watch)
        return trace, verdict(trace, preset)

    def require_documents(self, question: Question) -> None:
        """CaseError when a question names a document that nobody has; contexts are of another library."""
        if question.contexts is not None:
            return
        known = sorted(d.name for d in self.library.documents())
        for name in unknown_documents(question.scope.documents, known):
            raise CaseError(f"{name!r} is not in the library; it holds {', '.join(known) or 'no document yet'}.")

    def complete(self, trace: Trace, preset: Preset, watch: Watch | None = None) -> Trace:
        """`trace` with the rounds that `preset` needs and that were never measured; the same trace when none is."""
        if next_step(trace, preset).action != "measure":
            return trace
        from langsmith import tracing_context

        state = State(trace=trace, preset=preset, measure=watched(self._grown, watch) if watch else self._grown)
        with one_place(), tracing_context(enabled=False):  # no question leaves the computer
            return graph().invoke(state, {"recursion_limit": _MOST_STEPS})["trace"]

    def deepen(self, trace: Trace) -> Trace:
        """`trace`, begun by `ask`, with every round that any preset could ask for; it is only decided from then on."""
        for place in range(len(trace.parts)):
            trace = self._asked_after(trace, place)
            trace = trace.with_part(place, self._deepened(trace.parts[place], self._grown_part))
        return trace if trace.parts else self._deepened(trace, self._grown)

    def written(self, trace: Trace) -> Trace:
        """`trace` with every draft that its writer left until somebody asks for it."""
        if trace.parts:
            return replace(trace, parts=tuple(self._with_drafts(part, self._grown_part) for part in trace.parts))
        return self._with_drafts(trace, self._grown)

    def judge_instead(self, trace: Trace, answer: str) -> Trace:
        """`trace` with `answer` read in the place of its own in every round, against the very same evidence."""
        question = replace(trace.question, answer=answer, citations=None)
        draft = given_draft(question)
        other = replace(trace, question=question, rounds=(), parts=(), seconds=0.0)
        with one_place():
            for one in _looked_at(trace):
                started = time.perf_counter()
                case = replace(one.case, question=question, draft=draft, drafts=(), unheard=())
                if one.name == "corrected":
                    measured = self._measuring.round(other, one.name, one.of)
                else:
                    measured = self._measuring.measured(one.name, case, one.of)
                other = other.with_round(measured, time.perf_counter() - started)
        return other

    @property
    def _measuring(self) -> Measuring:
        return Measuring(
            retriever=self.retriever, writer=self.writer, models=self.models, settings=self.settings,
            stage_1=self.stage_1, judge=self.judge,
        )  # fmt: skip

    def _with_drafts(self, trace: Trace, grown: Callable[[Trace, Step], Trace]) -> Trace:
        for awaited in [r for r in trace.rounds if r.case.awaits_draft]:
            trace = grown(trace, Step(action="measure", round=awaited.name, of=awaited.of))
        return trace

    def _deepened(self, trace: Trace, grown: Callable[[Trace, Step], Trace]) -> Trace:
        """Drafts come before what goes out from them: each search is written as soon as it is there."""
        searches: list[str] = []
        for name in ROUNDS:
            if searches and not trace.round(searches[-1]).case.may_find_more:
                break
            trace = self._measured(trace, Step(action="measure", round=name), grown)
            searches.append(name)
        for name, of in product(("corrected", "rechecked"), searches):
            trace = self._measured(trace, Step(action="measure", round=name, of=of), grown)
        return trace

    def _measured(self, trace: Trace, step: Step, grown: Callable[[Trace, Step], Trace]) -> Trace:
        """`trace` with the round of `step` and its draft."""
        trace = trace if trace.round(step.round, step.of) else grown(trace, step)
        return self._with_drafts(trace, grown)

    def _grown(self, trace: Trace, step: Step) -> Trace:
        """`trace` with the round of `step`, in itself or in one of its parts."""
        if step.part is not None:
            trace = self._asked_after(trace, step.part)
            return trace.with_part(step.part, self._grown_part(trace.parts[step.part], step))
        started, new = time.perf_counter(), not trace.rounds
        trace = trace.with_round(self._measuring.round(trace, step.round, step.of))
        trace = self._about(trace) if new else trace
        return replace(trace, seconds=trace.seconds + time.perf_counter() - started)

    def _grown_part(self, part: Trace, step: Step) -> Trace:
        """A part of a question is always a question, and has nothing but rounds."""
        started = time.perf_counter()
        measured = self._measuring.round(part, step.round, step.of, of_a_whole=True)
        return part.with_round(measured, time.perf_counter() - started)

    def _asked_after(self, trace: Trace, place: int) -> Trace:
        """`trace` with the part at `place`, where it is not begun, asked with the answer of the first part that it
        points at. The reader finds the words that answer in what was written for the first part."""
        first, part = trace.parts[0], trace.parts[place]
        drafts = [r.case.sentences for r in first.rounds if r.name in ROUNDS and r.case.sentences]
        if place == 0 or part.rounds or not drafts:
            return trace
        query, text = first.question.query, " ".join(s.text for s in drafts[-1])
        with TURNS.taken():
            (found,) = self.models.reader.read(query, [text])
        answer = text[slice(*found.span)].strip(" .,;:")
        sure = found.probability >= _SURE and len(answer.split()) <= _ANSWER_WORDS
        asked = after(part.question.query, query, answer if sure else "")
        return trace.with_part(place, replace(part, question=replace(part.question, query=asked)))

    def _about(self, trace: Trace) -> Trace:
        """What is known of a question once, beside its rounds: better ones, what it could mean, its parts."""
        case, house = trace.rounds[0].case, domain(self.settings.domain)
        parts = parts_of(case.question, case.kind)
        meant = () if case.language or case.question.contexts is not None else meanings(case, house)
        asked = replace(trace.question, understood="")  # each part says in brackets what it points at
        return replace(
            trace, suggestions=self._suggestions(case), meanings=meant,
            parts=tuple(Trace(question=replace(asked, query=q), messages=trace.messages) for q in parts),
        )  # fmt: skip

    def is_answerable(self, query: str, vector: np.ndarray, scope: Scope) -> bool:
        """Would the query checks of the default preset let `query` pass? Nothing is written for it.

        vector: that of `query`.
        """
        found = self.retriever.glance(query, vector, scope)
        if max((e.answers for e in found.evidence), default=0.0) < _ANSWERABLE:
            return False
        question = Question(query=query, scope=scope)
        case = Case(question=question, query=query, evidence=found.evidence, closest=found.closest)
        vocabulary = self.retriever.snapshot().vocabulary
        measured = measure(ROUNDS[0], case, self.models, self.settings, vocabulary)
        return not blocking(judge(measured, Preset()), "query")

    def _suggestions(self, case: Case) -> tuple[str, ...]:
        """Better questions in the same class and subject, on the topic of the best passage; none where nothing was
        found, or the search is broken, which its round reports."""
        question = case.question
        if question.contexts is not None or not case.evidence:
            return ()
        scope, topic = replace(question.scope, documents=(), pages=()), case.evidence[0].passage.document
        try:
            with TURNS.taken():
                return suggestions(case.query, self.retriever, scope, topic, self.is_answerable)
        except Exception:
            log.exception("no better questions could be found")
            return ()


def _looked_at(trace: Trace) -> tuple[Round, ...]:
    """The rounds whose evidence an answer was read against: of a question in parts, the best of each as one."""
    if not trace.parts:
        return trace.rounds
    searched = [[r for r in part.rounds if r.name in ROUNDS] for part in trace.parts if part.rounds]
    case: Case = joint_case(trace, [max(rounds, key=reached) for rounds in searched])
    return (Round(name=ROUNDS[0], case=case),)
