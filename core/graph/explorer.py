"""Runs the chain as a graph until it ends on a route: each node measures a round, and `next_step` alone decides which
node comes next.
"""

import logging
import time
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache, partial
from itertools import product
from typing import Any, TypedDict

import numpy as np
from pydantic import SecretStr

from core.case import MAX_QUERY, Case, CaseError, Question, Round, Scope, Trace
from core.checks import check_of
from core.decide import SEARCHES, Step, Verdict, judge, next_step, verdict
from core.decide.check_results import ON_TOPIC, blocking
from core.decide.evidence import confidence_of
from core.decide.multi_part import joint_case
from core.decide.routes import ROUTES
from core.graph.rounds import RoundMaker, measure
from core.models.stretches import definition_probability
from core.platform.jobs import one_job, turn_at_models
from core.question import unknown_documents
from core.retrieval.intent import meanings
from core.retrieval.question_parts import after, clauses_about, parts_of
from core.retrieval.retriever import Retriever
from core.retrieval.standalone_question import standalone_question
from core.retrieval.suggestions import suggestions
from core.settings import Settings
from core.settings.domains import domain
from core.text.answer_sentences import given_draft
from core.text.given_answer import require_answer
from core.thresholds import Preset
from core.writers.auto_writer import with_resolved_writer
from core.writers.llm_judge import FactJudge, StageOne
from core.writers.writer_choice import language_model, writer_for

_ANSWERABLE = 0.5
"""Minimum P(a passage answers it) of a question that is suggested."""
_MIN_READER_PROBABILITY, _ANSWER_WORDS = 0.5, 6
"""Minimum probability, and maximum number of words, of an answer that is inserted into a later part of the question."""
log = logging.getLogger(__name__)

_MOST_STEPS = 100
"""Limit on the number of steps of the graph; no question needs as many."""
NODES = ("retrieve", "refine", "correct", "recheck", "part")
"""The nodes that measure a round; every other node is a route that ends the path."""
_NODE_OF = {"first": "retrieve", "corrected": "correct", "rechecked": "recheck"}
Watch = Callable[[Step, Trace | None], None]
"""A function that is called with (step, None) when a step begins, and with (step, new trace) when it is measured.

An exception from it ends the question.
"""


class State(TypedDict):
    """The state of the graph.

    step: the next step of `trace` under `preset`; each node computes it once. measure: makes the round of a step, so
    that the graph itself knows no model.
    """

    trace: Trace
    preset: Preset
    step: Step
    measure: Callable[[Trace, Step], Trace]


@lru_cache(maxsize=1)
def graph() -> Any:
    """The compiled graph. Each of its conditional edges follows the result of `next_step`, and nothing else decides."""
    from langgraph.graph import END, START, StateGraph  # imported here: it takes a second

    builder = StateGraph(State)
    for name in NODES:
        builder.add_node(name, _measure)
    for route in ROUTES:
        builder.add_node(route, lambda state: {"trace": state["trace"]})  # the verdict computes what goes out
        builder.add_edge(route, END)
    for name in (START, *NODES):
        builder.add_conditional_edges(name, lambda state: node_of(state["step"]), [*NODES, *ROUTES])
    return builder.compile()


def node_of(step: Step) -> str:
    """Name of the node that a step leads to."""
    if step.action != "measure":
        return step.action
    return "part" if step.part is not None else _NODE_OF.get(step.round, "refine")


def measured_by(step: Step, trace: Trace) -> Round:
    """The round of `trace` that `step` measured."""
    return _of_part(trace, step.part).round(step.round, step.of)


def _of_part(trace: Trace, part: int | None) -> Trace:
    """The trace of the part with this index; `trace` itself for None."""
    return trace if part is None else trace.parts[part]


def _measure(state: State) -> dict[str, Any]:
    """Measure the round that the step asks for, and compute the next step."""
    trace = state["measure"](state["trace"], state["step"])
    return {"trace": trace, "step": next_step(trace, state["preset"])}


class Explorer:
    """A library with a set of models: answers questions, and measures the rounds that a preset needs.

    library: None if every question brings its contexts. settings: those for measuring; the writer `auto` is replaced by
    the writer that it chooses. No writer and no language model is loaded yet. listen: called with the text that a
    language model has written so far; an exception from it ends the writing. key: the API key of the endpoint in
    `settings`; it stays in memory. retriever: that of another explorer over the same library with the same models.
    """

    def __init__(
        self,
        library: Any,
        models: Any,
        settings: Settings = Settings(),  # noqa: B008 - frozen
        listen: Callable[[str], None] | None = None,
        key: SecretStr | None = None,
        retriever: Retriever | None = None,
    ) -> None:
        self.library, self.models, self.retriever = library, models, retriever or Retriever(library, models)
        home = None if library is None else library.home
        self.settings = with_resolved_writer(settings, home)
        self.writer = writer_for(settings, models, home, key, listen)
        model = partial(language_model, settings=settings, home=home, key=key)
        self.judge = None if settings.judge == "none" else FactJudge(model(settings.judge), listen)
        self._rounds = RoundMaker(
            retriever=self.retriever, writer=self.writer, models=models, settings=self.settings, judge=self.judge,
            stage_1=None if settings.stage_1 == "rules" else StageOne(model(settings.stage_1)),
        )  # fmt: skip

    def with_settings(
        self, settings: Settings, key: SecretStr | None = None, listen: Callable[[str], None] | None = None
    ) -> "Explorer":
        """Return an explorer with the same library, models and search index, but other settings."""
        return type(self)(self.library, self.models, settings, listen, key, self.retriever)

    def ask(self, question: Question, preset: Preset, watch: Watch | None = None) -> tuple[Trace, Verdict]:
        """Measure every round of `question` that `preset` needs, and decide. watch: called before and after each step.

        Raises CaseError for an empty or too long question, or an unreadable answer.
        """
        if not question.query.strip():
            raise CaseError("The question is empty; type one.")
        if len(question.query) > MAX_QUERY:
            raise CaseError(
                f"A question may have {MAX_QUERY:,} characters, this one has {len(question.query):,}; shorten it."
            )
        if question.answer is not None:
            require_answer(question.answer)
            given_draft(question)  # raises for an unreadable answer before any model runs
        question_domain = domain(self.settings.domain)
        question = replace(question, understood=standalone_question(question, question_domain))
        writes = question.answer is None and self.settings.writer != "extractive"
        model_names = {"writer": self.writer.name} if writes else {}
        model_names |= {"judge": self.judge.model.name} if self.judge else {}
        models = self.models.names | model_names
        trace = self.complete(
            Trace(question=question, models=models, messages=dict(question_domain.messages)), preset, watch
        )
        return trace, verdict(trace, preset)

    def require_documents(self, question: Question) -> None:
        """Raise CaseError if a question without own contexts names a document that the library lacks."""
        if question.contexts is not None:
            return
        names = sorted(d.name for d in self.library.documents())
        for name in unknown_documents(question.scope.documents, names):
            raise CaseError(f"{name!r} is not in the library; it holds {', '.join(names) or 'no document yet'}.")

    def complete(self, trace: Trace, preset: Preset, watch: Watch | None = None) -> Trace:
        """Return `trace` with the rounds that `preset` needs and that are missing; the same trace if none is."""
        step = next_step(trace, preset)
        if step.action != "measure":
            return trace
        from langsmith import tracing_context

        watch = watch or (lambda *_: None)

        def measure_step(trace: Trace, step: Step) -> Trace:
            watch(step, None)
            new_trace = self._measure_step(trace, step)
            watch(step, new_trace)
            return new_trace

        state = State(trace=trace, preset=preset, step=step, measure=measure_step)
        with one_job(), tracing_context(enabled=False):  # no question leaves the computer
            return graph().invoke(state, {"recursion_limit": _MOST_STEPS})["trace"]

    def deepen(self, trace: Trace) -> Trace:
        """Return `trace`, a result of `ask`, with every round that any preset could need, so that a decision under any
        preset needs no model. Each search gets its draft at once, since corrections start from the draft.
        """
        for part in range(len(trace.parts)) if trace.parts else (None,):
            searches: list[str] = []
            for name in SEARCHES:
                if searches and not _of_part(trace, part).round(searches[-1]).case.may_find_more:
                    break
                trace = self._with_round(trace, Step(action="measure", round=name, part=part))
                searches.append(name)
            for name, of in product(("corrected", "rechecked"), searches):
                trace = self._with_round(trace, Step(action="measure", round=name, of=of, part=part))
        return trace

    def write_drafts(self, trace: Trace) -> Trace:
        """Return `trace` with all drafts that are still to be written, because the writer writes only on request."""
        for part in range(len(trace.parts)) if trace.parts else (None,):
            trace = self._with_drafts(trace, part)
        return trace

    def replace_answer(self, trace: Trace, answer: str) -> Trace:
        """Return a trace of the same question and evidence with `answer` as its answer, measured in every round."""
        question = replace(trace.question, answer=answer, citations=None)
        draft = given_draft(question)
        other = replace(trace, question=question, rounds=(), parts=(), seconds=0.0)
        judged_rounds = trace.rounds
        if trace.parts:  # one round with the evidence of each part's best search
            searches = [[r for r in part.rounds if r.name in SEARCHES] for part in trace.parts if part.rounds]
            case = joint_case(trace, [max(rounds, key=lambda r: confidence_of(r) or 0.0) for rounds in searches])
            judged_rounds = (Round(name=SEARCHES[0], case=case),)
        with one_job():
            for judged_round in judged_rounds:
                started = time.perf_counter()
                case = replace(judged_round.case, question=question, draft=draft, drafts=(), unheard=())
                if judged_round.name == "corrected":
                    measured_round = self._rounds.round(other, judged_round.name, judged_round.of)
                else:
                    measured_round = self._rounds.measure_round(judged_round.name, case, judged_round.of)
                other = other.with_round(measured_round, time.perf_counter() - started)
        return other

    def _with_drafts(self, trace: Trace, part: int | None) -> Trace:
        for r in [r for r in _of_part(trace, part).rounds if r.case.awaits_draft]:
            trace = self._measure_step(trace, Step(action="measure", round=r.name, of=r.of, part=part))
        return trace

    def _with_round(self, trace: Trace, step: Step) -> Trace:
        """Return `trace` with the round of `step` and its draft."""
        known = _of_part(trace, step.part).round(step.round, step.of)
        return self._with_drafts(trace if known else self._measure_step(trace, step), step.part)

    def _measure_step(self, trace: Trace, step: Step) -> Trace:
        """Return `trace` with the round of `step`, which may be a round of one of its parts. A part always has the kind
        `question`, and no parts of its own.
        """
        if step.part is not None:
            trace = self._with_first_answer(trace, step.part)
            part, started = trace.parts[step.part], time.perf_counter()
            measured_round = self._rounds.round(part, step.round, step.of, is_part=True)
            return trace.with_part(step.part, part.with_round(measured_round, time.perf_counter() - started))
        started, new = time.perf_counter(), not trace.rounds
        trace = trace.with_round(self._rounds.round(trace, step.round, step.of))
        trace = self._with_question_facts(trace) if new else trace
        return replace(trace, seconds=trace.seconds + time.perf_counter() - started)

    def _with_first_answer(self, trace: Trace, index: int) -> Trace:
        """Insert the answer of the first part into the question of a later part that refers to it.

        The reader extracts the answer from those clauses of the first part's draft that are about its question.
        """
        first, part = trace.parts[0], trace.parts[index]
        drafts = [r.case.sentences for r in first.rounds if r.name in SEARCHES and r.case.sentences]
        if index == 0 or part.rounds or not drafts:
            return trace
        query = first.question.query
        text = clauses_about(query, " ".join(s.text for s in drafts[-1]))
        with turn_at_models():
            (reading,) = self.models.reader.read(query, [text])
        answer = text[slice(*reading.span)].strip(" .,;:")
        is_sure = reading.probability >= _MIN_READER_PROBABILITY and len(answer.split()) <= _ANSWER_WORDS
        query_with_answer = after(part.question.query, query, answer if is_sure else "")
        return trace.with_part(index, replace(part, question=replace(part.question, query=query_with_answer)))

    def _with_question_facts(self, trace: Trace) -> Trace:
        """Return `trace` with suggestions, possible meanings and the parts of its question."""
        case, question_domain = trace.rounds[0].case, domain(self.settings.domain)
        parts = parts_of(case.question, case.kind)
        possible_meanings = (
            () if case.language or case.question.contexts is not None else meanings(case, question_domain)
        )
        question = replace(trace.question, understood="")  # each part names in brackets what it points at
        return replace(
            trace, suggestions=self._suggestions(case), meanings=possible_meanings,
            parts=tuple(Trace(question=replace(question, query=q), messages=trace.messages) for q in parts),
        )  # fmt: skip

    def is_answerable(self, query: str, vector: np.ndarray, scope: Scope) -> bool:
        """True if `query`, which asks for a definition, would pass the query checks of the default preset, and a
        sentence that defines its term the check `answer_relevance`. vector: its embedding, (d,).
        """
        search_result = self.retriever.quick_search(query, vector, scope)
        if max((e.answers for e in search_result.evidence), default=0.0) < _ANSWERABLE:
            return False
        question = Question(query=query, scope=scope)
        case = Case(question=question, query=query, evidence=search_result.evidence, closest=search_result.closest)
        vocabulary = self.retriever.snapshot().vocabulary
        measured_round = measure(SEARCHES[0], case, self.models, self.settings, vocabulary)
        if blocking(judge(measured_round, Preset()), "query"):
            return False
        limit = check_of("answer_relevance").bind(Preset()).min_answer_relevance
        return definition_probability(query, search_result.evidence, self.models) >= limit

    def _suggestions(self, case: Case) -> tuple[str, ...]:
        """Better questions in the same class and subject, on the topic of the best passage; () if there are none.

        For a question off the topics of the library, questions on any topic of the class and subject.
        """
        question = case.question
        if question.contexts is not None or not case.evidence:
            return ()
        scope, topic = replace(question.scope, documents=(), pages=()), case.evidence[0].passage.document
        if case.closest is None or case.closest.cosine < ON_TOPIC:
            topic = ""
        try:
            with turn_at_models():
                return suggestions(case.query, self.retriever, scope, topic, self.is_answerable)
        except Exception:
            log.exception("no better questions could be found")
            return ()
