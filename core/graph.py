"""Runs the chain: measures what `next_step` asks for, until it delivers or refuses."""

import logging
import time
from dataclasses import replace
from typing import Any

from core.case import Case, CaseError, Question, Round, Trace
from core.chain import ROUNDS, Verdict, next_step, verdict
from core.draft import given_draft
from core.engine import broken, measure
from core.models.writers import ExtractiveWriter
from core.query.rewriting import expansion, mended
from core.query.suggestions import suggestions
from core.retrieval.retriever import Found, Retriever
from core.settings import Settings
from core.thresholds import Preset

log = logging.getLogger(__name__)
MAX_QUERY = 2_000
"""Longest question, in characters."""


class Explorer:
    """One library with one set of models: answers questions and measures what a preset still needs."""

    def __init__(self, library: Any, models: Any, settings: Settings = Settings()) -> None:  # noqa: B008 - frozen
        self.library, self.models, self.settings = library, models, settings
        self.retriever = Retriever(library, models)
        self.writer = ExtractiveWriter(models.embedder)

    def with_settings(self, settings: Settings) -> "Explorer":
        """The same library, models and search index under other settings."""
        other = Explorer.__new__(Explorer)
        other.__dict__.update(self.__dict__, settings=settings)
        return other

    def ask(self, question: Question, preset: Preset) -> tuple[Trace, Verdict]:
        """Measure `question` as far as `preset` needs, and decide. CaseError for a question that cannot be asked."""
        if not question.query.strip():
            raise CaseError("The question is empty; type one.")
        if len(question.query) > MAX_QUERY:
            raise CaseError(
                f"A question may have {MAX_QUERY:,} characters, this one has {len(question.query):,}; shorten it."
            )
        if question.answer is not None:
            given_draft(question)  # refuses an answer that cannot be read before any model runs
        trace = self.complete(Trace(question=question, models=self.models.names), preset)
        return trace, verdict(trace, preset)

    def complete(self, trace: Trace, preset: Preset) -> Trace:
        """`trace` with the rounds that `preset` needs and that were never measured; the same trace when none is."""
        while (step := next_step(trace, preset)).action == "measure":
            started = time.perf_counter()
            measured = self._round(trace, step.round)
            if not trace.rounds:
                trace = replace(trace, suggestions=self._suggestions(trace.question))
            trace = trace.with_round(measured, time.perf_counter() - started)
        return trace

    def judge_instead(self, trace: Trace, answer: str) -> Trace:
        """`trace` with `answer` read in the place of its own in every round, against the very same evidence."""
        question = replace(trace.question, answer=answer, citations=None)
        draft = given_draft(question)
        other = replace(trace, question=question, rounds=(), seconds=0.0)
        for one in trace.rounds:
            started = time.perf_counter()
            case = replace(one.case, question=question, draft=draft)
            measured = measure(one.name, case, self.models, self.settings)
            other = other.with_round(measured, time.perf_counter() - started)
        return other

    def _round(self, trace: Trace, name: str) -> Round:
        """One round, measured. When the search or the writer breaks, a round that says so for every check."""
        query = trace.question.query
        try:
            query, found = self._searched(trace, name)
            case = Case(question=trace.question, query=query, evidence=found.evidence, closest=found.closest)
            case = replace(case, draft=self._draft(case))
        except Exception as error:  # a broken search is a refusal with a cause, never an answer
            log.exception("round %s could not be measured", name)
            return broken(name, Case(question=trace.question, query=query), error)
        return measure(name, case, self.models, self.settings)

    def _searched(self, trace: Trace, name: str) -> tuple[str, Found]:
        """The query of this round and what it found: as asked, mended, then fetched wider."""
        asked, scope = trace.question.query, trace.question.scope
        number, fetch = ROUNDS.index(name), ""
        lexical = self.retriever.snapshot().lexical
        query = mended(asked, lexical) if number else asked
        if number > 1:
            fetch = expansion(query, trace.rounds[-1].case.evidence, lexical)
        return query, self.retriever.search(query, scope, self.settings.passages_fetched, fetch)

    def _draft(self, case: Case) -> Any:
        if case.question.answer is not None:
            return given_draft(case.question)
        return self.writer.write(case.query, case.evidence)

    def _suggestions(self, question: Question) -> tuple[str, ...]:
        """Better questions in the same class and subject; none when the search is broken, which its round reports."""
        scope = replace(question.scope, documents=(), pages=())
        try:
            return suggestions(question.query, self.retriever, scope)
        except Exception:
            log.exception("no better questions could be found")
            return ()
