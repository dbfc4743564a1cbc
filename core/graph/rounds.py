"""How each round of a trace comes about: its query, its evidence, its draft or reply, and all that is measured."""

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from core.case import MAX_QUERY, Case, Draft, Evidence, Question, Round, Scope, Sentence, Trace
from core.chain import ROUNDS
from core.chain.correction import abstentions, correction, that_answers
from core.checks import fact_grounding
from core.graph.signals import broken, measure, with_drafts, with_opinions, without_draft
from core.platform.jobs import TURNS, stand_back
from core.retrieval.intent import kind_of_turn, last_answer, tool_texts
from core.retrieval.question_parts import parts_of
from core.retrieval.refinement import Search, refined
from core.retrieval.retriever import Found, Retriever, found_in
from core.settings import Settings
from core.settings.domains import domain
from core.text.answer_sentences import given_draft
from core.text.citation_marks import without_marks
from core.text.sentences import sentences
from core.text.words import content, in_english, language_of
from core.writers.extractive_writer import ExtractiveWriter

MOST_SENTENCES = 4
"""Longest reply."""
_ANSWERS = 0.5
"""P(it answers) from which on a passage is read however far it lies: a heading alone is often the closest of all."""
log = logging.getLogger(__name__)


def reply(question: Question, kind: str, greeting: str) -> Draft:
    """A draft for a turn of this `kind`. It only repeats what was said or given before, or the house's `greeting`."""
    told = {"about_last_turn": [last_answer(question)], "tool_result": tool_texts(question)}.get(kind, [greeting])
    if kind == "about_last_turn":
        told = [without_marks(text) for text in told]
    said = [s for text in told for s in sentences(text)]
    picked = tuple(Sentence(text=said[n]) for n in _closest(question.query, said))
    return Draft(text=" ".join(s.text for s in picked), sentences=picked, writer="reply")


def _closest(query: str, said: Sequence[str]) -> list[int]:
    """Places of the sentences that share most words with `query`, in their order; the first ones when none does."""
    asked = set(content(query))
    shared = np.array([len(asked & set(content(s))) for s in said], dtype=float)
    best = np.argsort(-shared, kind="stable")[:MOST_SENTENCES]
    return sorted(int(n) for n in best if shared[n] > 0 or not shared.any())


@dataclass(frozen=True)
class Reach:
    """What a writer reads of the evidence: at most so many documents, each at least this close (a cosine), or rather
    answering than not."""

    documents: int
    cosine: float

    def within(self, evidence: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
        """`evidence` with no sentence kept of what is out of reach, so that every passage keeps its number.

        The one that answers best is always read. Where nothing is close enough the first documents are, all the
        same: checks refuse, a writer does not.
        """
        near = [n for n, e in enumerate(evidence) if e.cosine >= self.cosine or e.answers >= _ANSWERS]
        near = near or list(range(len(evidence)))
        best = sorted(range(len(evidence)), key=lambda n: -evidence[n].answers)  # given ones stand as they were given
        near = [n for n in best if n in near or n == best[0]][: self.documents]
        return tuple(e if n in near else replace(e, kept=()) for n, e in enumerate(evidence))


FIRST, RECHECK = (Reach(*reach) for reach in (fact_grounding.FIRST, fact_grounding.REACH["rechecked"]))
"""Seed D's first look and its recheck. They limit what the writer reads, never what the query checks see."""


@dataclass(frozen=True, kw_only=True)
class Measuring:
    """What rounds are made with."""

    retriever: Retriever
    writer: Any
    models: Any
    settings: Settings
    stage_1: Any = None
    """Who is asked what a draft does against the interest of the house; None for the built-in rules."""
    judge: Any = None
    """Who is asked whether the passages say its sentences, and corrects it; None for nobody."""

    def round(self, trace: Trace, name: str, of: str = "", *, of_a_whole: bool = False) -> Round:
        """The round `name` of `trace`. When the search or the writer breaks, a round that says so for every check.

        of_a_whole: `trace` is a part of a question, and so a question that is no further taken apart. A whole that
        has parts gets no draft, since it is these that are answered. A writer that writes on demand writes when the
        round is asked for once more. One that breaks leaves the query checks, which have nothing to do with it.
        """
        stand_back()
        started, known = time.perf_counter(), trace.round(name, of)
        found = self._round(trace, name, of, of_a_whole)
        return replace(found, seconds=time.perf_counter() - started + (known.seconds if known else 0.0))

    def _round(self, trace: Trace, name: str, of: str, of_a_whole: bool) -> Round:
        known = trace.round(name, of)
        if known is not None and known.case.awaits_draft:
            return self._written(known)
        query, kind = trace.question.standalone, _kind(trace, of_a_whole)
        case = Case(question=trace.question, query=query, kind=kind, language=self._language(trace.question, kind))
        in_parts = not of_a_whole and bool(parts_of(case.question, case.kind))
        try:
            case = self._case(trace, case, name, of)
        except Exception as error:  # a broken search is a refusal with a cause, never an answer
            log.exception("round %s could not be measured", name)
            return replace(broken(name, case, error), of=of)
        if name == "corrected" and not case.sentences:
            return Round(name=name, of=of, case=case)  # it could not be corrected, so there is nothing to measure
        if in_parts or case.draft:
            return self.measured(name, replace(case, draft=None if in_parts else case.draft), of)
        if case.question.answer is None and getattr(self.writer, "on_demand", False) and name != "rechecked":
            awaited = Draft(text="", sentences=(), writer=self.writer.name, awaited=True)
            return self.measured(name, replace(case, draft=awaited), of)
        return self._written(Round(name=name, of=of, case=case))

    def measured(self, name: str, case: Case, of: str = "") -> Round:
        """Everything measured on `case`."""
        given = case.question.contexts is not None  # they are all there is
        vocabulary = None if given else self.retriever.snapshot().vocabulary
        case = with_opinions(case, domain(self.settings.domain), self.stage_1, self.judge)
        with TURNS.taken():
            return replace(measure(name, case, self.models, self.settings, vocabulary), of=of)

    def _written(self, one: Round) -> Round:
        """`one` with its draft, and everything measured on it; when the writer breaks, every answer check says so."""
        case, reach = replace(one.case, draft=None), RECHECK if one.name == "rechecked" else FIRST
        try:
            draft = self._draft(case, reach)
        except Exception as error:  # a writer may fail in any way; what was found stays to be looked at
            log.error("the writer of round %s wrote nothing (%s)", one.name, type(error).__name__)
            return without_draft(self.measured(one.name, case, one.of), error)
        case = replace(case, draft=draft)
        own = draft.text and draft.writer == self.writer.name  # not a given draft, nor one of a substitute
        if self.settings.consensus and own and hasattr(self.writer, "again"):
            case = with_drafts(case, lambda: self.writer.again(case.query, reach.within(case.evidence)))
        return self.measured(one.name, case, one.of)

    def _case(self, trace: Trace, asked: Case, name: str, of: str) -> Case:
        """What the round looks at; without a draft where one is to be written from what was found."""
        if name == "corrected":
            judged = trace.round(of)
            return replace(judged.case, draft=self._corrected(judged), drafts=(), unheard=())
        if name == "rechecked":
            return self._rechecked(trace.round(of).case)
        if asked.kind == "question":
            return self._searched(trace, asked, name)
        return self._replied(asked, trace.messages.get("small_talk", ""))

    def _corrected(self, judged: Round) -> Draft:
        """The answer in the words of its passages, else as a language model writes it again where one judges, else what
        the passages themselves answer to the question. Empty where that is what was judged, and where a sentence of the
        answer is an abstention, which no other answer may replace."""
        said, case = correction(judged), judged.case
        if said.sentences or not case.sentences or abstentions(judged).any():
            return said
        if self.judge is not None:
            return that_answers(judged, self.judge.corrected(case, domain(self.settings.domain)))
        if case.kind != "question" or case.draft.writer == ExtractiveWriter.name:
            return said
        return that_answers(judged, ExtractiveWriter(self.models).write(case.query, FIRST.within(case.evidence)))

    def _replied(self, asked: Case, greeting: str) -> Case:
        """A turn that asks nothing is answered first; what it claims is then looked up in its own words."""
        question = asked.question
        draft = reply(question, asked.kind, greeting) if question.answer is None else given_draft(question)
        query = draft.text[:MAX_QUERY] or question.query
        return replace(_with(replace(asked, query=query), self._found(question, query)), draft=draft)

    def _rechecked(self, judged: Case) -> Case:
        """The same query at more documents. What was given, and what only repeats, is not written anew."""
        count = max(RECHECK.documents, self.settings.passages_fetched)
        case = _with(judged, self._found(judged.question, judged.query, judged.fetch, count))
        return replace(case, drafts=(), unheard=(), draft=case.draft if judged.kind != "question" else None)

    def _language(self, question: Question, kind: str) -> str:
        """The language of a question to books in English; of talk, or where the search is broken, nobody asks."""
        if kind != "question" or not (language := language_of(question.standalone)):
            return ""
        if question.contexts is not None:
            return language if in_english(c.text for c in question.contexts) else ""
        try:
            return language if self.retriever.snapshot().english else ""
        except Exception:  # the search says so itself
            return ""

    def _found(self, question: Question, query: str, fetch: str = "", count: int = 0) -> Found:
        with TURNS.taken():
            if question.contexts is not None:
                return found_in(query, question.scope, question.contexts, self.models)
            return self.retriever.search(query, question.scope, count or self.settings.passages_fetched, fetch)

    def _searched(self, trace: Trace, asked: Case, name: str) -> Case:
        """`asked` with what the search `name` asks and finds, and whether a search after it can ask anything new."""
        before = [r for n in ROUNDS[: ROUNDS.index(name)] if (r := trace.round(n))]
        searches = [Search(r.case.query, r.case.fetch) for r in before]
        if not before:
            search = Search(self._query(asked.question))
        else:
            search = self._refined(asked.question, searches, before[-1].case.evidence) or searches[-1]
        case = replace(asked, query=search.query, fetch=search.fetch)
        case = _with(case, self._found(case.question, *search))
        if case.question.contexts is not None or name == ROUNDS[-1]:
            return case
        return replace(case, exhausted=self._refined(case.question, [*searches, search], case.evidence) is None)

    def _query(self, question: Question) -> str:
        """The query of the first search: the standalone question, with the library's spelling of its words."""
        if question.contexts is not None:
            return question.standalone
        return self.retriever.snapshot().spelling.mended(question.standalone)

    def _refined(self, question: Question, searches: Sequence[Search], evidence: tuple[Evidence, ...]) -> Search | None:
        """The search after `searches`; None where nothing new can be asked."""
        terms = partial(self._terms_near, searches[0].query, question.scope)
        return refined(searches, evidence, self.retriever.snapshot().lexical, terms)

    def _terms_near(self, query: str, scope: Scope) -> str:
        with TURNS.taken():
            return self.retriever.terms_near(query, scope)

    def _draft(self, case: Case, reach: Reach) -> Draft:
        if case.question.answer is not None:
            return given_draft(case.question)
        return self.writer.write(case.query, reach.within(case.evidence))


def _kind(trace: Trace, of_a_whole: bool) -> str:
    """The kind of turn, which the first round of a trace remembers."""
    if trace.rounds:
        return trace.rounds[0].case.kind
    return "question" if of_a_whole else kind_of_turn(trace.question)


def _with(case: Case, found: Found) -> Case:
    return replace(case, evidence=found.evidence, closest=found.closest)
