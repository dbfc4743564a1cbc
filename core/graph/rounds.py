"""Makes each round of a trace: its query, its evidence, its draft, and the signals of all checks."""

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from core.case import MAX_QUERY, Absence, Case, Draft, Evidence, Question, Round, Sentence, Signals, Trace
from core.check import NotApplicable
from core.checks import all_checks
from core.decide import SEARCHES
from core.features.case_features import CaseFeatures
from core.features.correction import answering_sentences, correction
from core.features.sentence_facts import with_sentence_facts
from core.platform.jobs import turn_at_models, yield_to_users
from core.retrieval.intent import kind_of_turn, last_answer, tool_texts
from core.retrieval.library_words import LibraryVocabulary
from core.retrieval.question_parts import parts_of
from core.retrieval.refinement import Search, refine
from core.retrieval.retriever import Retriever, SearchResult, search_contexts
from core.settings import Settings
from core.settings.domains import Domain, domain
from core.text.answer_sentences import given_draft
from core.text.citation_marks import without_marks
from core.text.sentences import sentences
from core.text.words import content, in_english, language_of
from core.writers.extractive_writer import ExtractiveWriter

MOST_SENTENCES = 4
"""Maximum number of sentences of a reply to a turn that is no question."""
_ANSWERS = 0.5
"""P(it answers) from which a writer reads a passage whatever its cosine: the passage with the highest cosine is often
only a heading.
"""
log = logging.getLogger(__name__)


def reply(question: Question, kind: str, greeting: str) -> Draft:
    """A draft for a turn of a `kind` that is no question: sentences of the assistant's last answer, sentences of the
    tool results, or the `greeting`.
    """
    texts = {"about_last_turn": [last_answer(question)], "tool_result": tool_texts(question)}.get(kind, [greeting])
    if kind == "about_last_turn":
        texts = [without_marks(text) for text in texts]
    candidates = [s for text in texts for s in sentences(text)]
    # The sentences that share most words with the question, in their order; the first ones if none shares any.
    query_words = set(content(question.query))
    shared = np.array([len(query_words & set(content(s))) for s in candidates], dtype=float)
    best = np.argsort(-shared, kind="stable")[:MOST_SENTENCES]
    closest = sorted(int(n) for n in best if shared[n] > 0 or not shared.any())
    reply_sentences = tuple(Sentence(text=candidates[n]) for n in closest)
    return Draft(text=" ".join(s.text for s in reply_sentences), sentences=reply_sentences, writer="reply")


def within_reach(evidence: tuple[Evidence, ...], most: int, min_cosine: float) -> tuple[Evidence, ...]:
    """Return `evidence` with no sentences in the passages that a writer does not read. The passages themselves stay, so
    that their numbers do not change.

    It reads at most `most` passages, those with at least `min_cosine` or with P(it answers) of at least one half. The
    passage that answers best is always read. If no passage is close enough, the best ones are read nevertheless: a
    writer does not refuse, the checks do.
    """
    near = [n for n, e in enumerate(evidence) if e.cosine >= min_cosine or e.answers >= _ANSWERS]
    near = near or list(range(len(evidence)))
    best = sorted(range(len(evidence)), key=lambda n: -evidence[n].answers)  # contexts of a question keep their order
    near = [n for n in best if n in near or n == best[0]][:most]
    return tuple(e if n in near else replace(e, kept=()) for n, e in enumerate(evidence))


@dataclass(frozen=True, kw_only=True)
class RoundMaker:
    """Makes rounds with one set of models, one writer and one set of settings. retriever: searches the library. writer:
    writes the drafts. models: measure the features.
    """

    retriever: Retriever
    writer: Any
    models: Any
    settings: Settings
    stage_1: Any = None
    """The model that judges a draft against the domain's interest; None for the built-in rules."""
    judge: Any = None
    """The model that judges whether the passages say each sentence, and corrects the draft; None for no model."""

    def round(self, trace: Trace, name: str, of: str = "", *, is_part: bool = False) -> Round:
        """Make the round `name` of `trace`. If the search breaks, every check of the round gets the state of an error.

        of: the round that this round corrects or rechecks, "" for a search. is_part: True if `trace` is a part of a
        question; a part is not split again. A whole question with parts gets no draft, because its parts are answered
        instead. A writer that writes only on request writes when the round is requested a second time. If the writer
        breaks, only the answer checks get an error.
        """
        yield_to_users()
        started, known_round = time.perf_counter(), trace.round(name, of)
        new_round = self._round(trace, name, of, is_part)
        return replace(new_round, seconds=time.perf_counter() - started + (known_round.seconds if known_round else 0.0))

    def _round(self, trace: Trace, name: str, of: str, is_part: bool) -> Round:
        known_round = trace.round(name, of)
        if known_round is not None and known_round.case.awaits_draft:
            return self._with_draft(known_round)
        query = trace.question.standalone
        kind = trace.rounds[0].case.kind if trace.rounds else "question" if is_part else kind_of_turn(trace.question)
        case = Case(question=trace.question, query=query, kind=kind, language=self._language(trace.question, kind))
        in_parts = not is_part and bool(parts_of(case.question, case.kind))
        try:
            case = self._case_of_round(trace, case, name, of)
        except Exception as error:  # a broken search leads to a refusal with a cause, never to an answer
            log.exception("round %s could not be measured", name)
            return replace(failed_round(name, case, error), of=of)
        if name == "corrected" and not case.sentences:
            return Round(name=name, of=of, case=case)  # no correction was possible, so there is nothing to measure
        if in_parts or case.draft:
            return self.measure_round(name, replace(case, draft=None if in_parts else case.draft), of)
        if case.question.answer is None and getattr(self.writer, "on_demand", False) and name != "rechecked":
            empty_draft = Draft(text="", sentences=(), writer=self.writer.name, awaited=True)
            return self.measure_round(name, replace(case, draft=empty_draft), of)
        return self._with_draft(Round(name=name, of=of, case=case))

    def measure_round(self, name: str, case: Case, of: str = "") -> Round:
        """Measure all checks on `case`, with the opinions of the language models that the settings name."""
        has_contexts = case.question.contexts is not None  # the question brings all passages
        vocabulary = None if has_contexts else self.retriever.snapshot().vocabulary
        case = with_opinions(case, domain(self.settings.domain), self.stage_1, self.judge)
        with turn_at_models():
            return replace(measure(name, case, self.models, self.settings, vocabulary), of=of)

    def _with_draft(self, round_without_draft: Round) -> Round:
        """Write the draft of a round and measure all checks. If the writer breaks, every answer check is broken."""
        name, case = round_without_draft.name, replace(round_without_draft.case, draft=None)
        read = case.query, within_reach(case.evidence, *self.settings.reach(name))
        try:
            draft = given_draft(case.question) if case.question.answer is not None else self.writer.write(*read)
        except Exception as error:  # a writer may fail in any way; the evidence stays visible
            log.error("the writer of round %s wrote nothing (%s)", name, type(error).__name__)
            return without_draft(self.measure_round(name, case, round_without_draft.of), error)
        case = replace(case, draft=draft)
        # A draft of this writer is neither the answer of the question nor the draft of a substitute writer.
        is_own_draft = draft.text and draft.writer == self.writer.name
        if self.settings.consensus and is_own_draft and hasattr(self.writer, "more_drafts"):
            case = _asking(case, "consensus", lambda: replace(case, drafts=self.writer.more_drafts(*read)))
        return self.measure_round(name, case, round_without_draft.of)

    def _case_of_round(self, trace: Trace, case: Case, name: str, of: str) -> Case:
        """The case of the round `name`. It has no draft if a draft is still to be written from its evidence."""
        if name == "corrected":
            judged_round = trace.round(of)
            return replace(judged_round.case, draft=self._correction_draft(judged_round), drafts=(), unheard=())
        if name == "rechecked":  # the same query with more documents
            judged, count = trace.round(of).case, max(self.settings.passages_rechecked, self.settings.passages_fetched)
            search_result = self._search(judged.question, judged.query, judged.fetch, count)
            # The answer is written again, except for a turn that is no question.
            draft = None if judged.kind == "question" else judged.draft
            return replace(_with_evidence(judged, search_result), drafts=(), unheard=(), draft=draft)
        if case.kind == "question":
            return self._search_case(trace, case, name)
        # Of a turn that is no question, the reply or the caller's answer is the draft, and its words find the evidence.
        question, greeting = case.question, trace.messages.get("small_talk", "")
        draft = reply(question, case.kind, greeting) if question.answer is None else given_draft(question)
        query = draft.text[:MAX_QUERY] or question.query
        return replace(_with_evidence(replace(case, query=query), self._search(question, query)), draft=draft)

    def _correction_draft(self, judged_round: Round) -> Draft:
        """The corrected answer, from the first of these that is possible: sentences of the passages; a rewrite by the
        judging language model, if there is one; an answer quoted from the passages.

        The draft is empty if it would equal the judged answer, or if a sentence of the judged answer abstains: no other
        answer may replace that.
        """
        new_draft, case = correction(judged_round), judged_round.case
        if new_draft.sentences or not case.sentences or judged_round.flags("abstains").any():
            return new_draft
        if self.judge is not None:
            return answering_sentences(judged_round, self.judge.corrected(case, domain(self.settings.domain)))
        if case.kind != "question" or case.draft.writer == ExtractiveWriter.name:
            return new_draft
        read = within_reach(case.evidence, *self.settings.reach("first"))
        return answering_sentences(judged_round, ExtractiveWriter(self.models).write(case.query, read))

    def _language(self, question: Question, kind: str) -> str:
        """The language of the question if it differs from English while the library or the contexts are in English;
        else "".

        Also "" for a turn that is no question, and if the search is broken.
        """
        if kind != "question" or not (language := language_of(question.standalone)):
            return ""
        if question.contexts is not None:
            return language if in_english(c.text for c in question.contexts) else ""
        try:
            return language if self.retriever.snapshot().english else ""
        except Exception:  # the search, which comes next, reports the error
            return ""

    def _search(self, question: Question, query: str, fetch: str = "", count: int = 0) -> SearchResult:
        with turn_at_models():
            if question.contexts is not None:
                search_result = search_contexts(query, question.scope, question.contexts, self.models)
                return blend_hybrid_score(search_result, self.settings.hybrid_share)
            count = count or self.settings.passages_fetched
            search_result = self.retriever.search(query, question.scope, count, fetch)
        return blend_hybrid_score(search_result, self.settings.hybrid_share, in_order=True)

    def _search_case(self, trace: Trace, turn: Case, name: str) -> Case:
        """Return the case with the query and the evidence of the search `name`, and with `exhausted` if no later search
        could have a new query.
        """
        earlier_rounds = [r for n in SEARCHES[: SEARCHES.index(name)] if (r := trace.round(n))]
        searches = [Search(r.case.query, r.case.fetch) for r in earlier_rounds]
        if not earlier_rounds:
            query = turn.question.standalone
            if turn.question.contexts is None:
                query = self.retriever.snapshot().spelling.correct(query)  # in the library's spelling of its words
            search = Search(query)
        else:
            search = self._next_search(turn.question, searches, earlier_rounds[-1].case.evidence) or searches[-1]
        case = replace(turn, query=search.query, fetch=search.fetch)
        case = _with_evidence(case, self._search(case.question, *search))
        if case.question.contexts is not None or name == SEARCHES[-1]:
            return case
        # A first search that found nothing is refined once, as source document B prints, though no new words are left.
        found = bool(case.evidence or earlier_rounds)
        no_next = self._next_search(case.question, [*searches, search], case.evidence) is None
        return replace(case, exhausted=found and no_next)

    def _next_search(
        self, question: Question, searches: Sequence[Search], evidence: tuple[Evidence, ...]
    ) -> Search | None:
        """The search that follows `searches`; None if it would repeat an earlier search."""

        def near_terms() -> str:
            with turn_at_models():
                return self.retriever.terms_near(searches[0].query, question.scope)

        return refine(searches, evidence, self.retriever.snapshot().lexical, near_terms)


def blend_hybrid_score(search_result: SearchResult, hybrid_share: float, *, in_order: bool = False) -> SearchResult:
    """Return `search_result` with the score `answers` of each passage replaced by its weighted mean with the score
    `hybrid`, as source document B allows.

    hybrid_share: weight of the score `hybrid`, 0 to 1. in_order: True to sort the passages by the new score; contexts
    of a question keep their own order.
    """
    if not hybrid_share:
        return search_result
    mixed = [
        replace(e, answers=(1 - hybrid_share) * e.answers + hybrid_share * e.hybrid) for e in search_result.evidence
    ]
    if in_order:
        mixed.sort(key=lambda e: -e.answers)
    return replace(search_result, evidence=tuple(mixed))


def _with_evidence(case: Case, search_result: SearchResult) -> Case:
    return replace(case, evidence=search_result.evidence, closest=search_result.closest)


def measure(
    name: str,
    case: Case,
    models: Any,
    settings: Settings = Settings(),  # noqa: B008 - frozen
    vocabulary: LibraryVocabulary | None = None,
) -> Round:
    """Measure every check on `case` as one round. If a check breaks, the other checks are still measured; the chain
    then blocks because of the broken check.

    vocabulary: that of the whole library; None to use that of the passages of the case. The opinions of language models
    on the draft must be in the case already.
    """
    started = time.perf_counter()
    features = CaseFeatures(case, models, settings, vocabulary=vocabulary, round_name=name)
    signals: dict[str, Signals] = {}
    absent = {check: Absence(cause="error", why=cause) for check, cause in case.unheard}
    for check in (c for c in all_checks() if c.name not in absent):
        yield_to_users()
        try:
            raw, declarations = check.measure(case, features), check.signals()
            if set(raw) != set(declarations):
                raise ValueError(f"{check.name} must measure {', '.join(declarations)}, got {', '.join(raw)}.")
            signals[check.name] = {
                name: declarations[name].verified(value, f"{check.name}.{name}") for name, value in raw.items()
            }
        except NotApplicable as reason:
            absent[check.name] = Absence(cause="not applicable", why=str(reason))
        except Exception as error:  # the edge of the system: a model may fail in any way it likes
            log.exception("%s could not be measured", check.name)
            absent[check.name] = failure(error)
    windows = features.windows if "entailment" in signals else ()
    checking = time.perf_counter() - started
    measured = Round(name=name, case=case, signals=signals, absent=absent, windows=windows, checking=checking)
    return with_sentence_facts(measured)


def without_draft(measured_round: Round, error: Exception) -> Round:
    """Return `measured_round` without a draft and with every answer check as broken, because the writer failed."""
    failures = {c.name: failure(error) for c in all_checks() if c.stage == "answer"}
    signals = {name: values for name, values in measured_round.signals.items() if name not in failures}
    return replace(measured_round, signals=signals, absent={**measured_round.absent, **failures})


def failed_round(name: str, case: Case, error: Exception) -> Round:
    """A round in which nothing could be measured, because the search or the writer failed."""
    return Round(name=name, case=case, absent={c.name: failure(error) for c in all_checks()})


def failure(error: Exception) -> Absence:
    """The absence of a check's signals, because its measurement raised `error`."""
    return Absence(cause="error", why=f"{type(error).__name__}: {error}")


def with_opinions(case: Case, domain: Domain, stage_1: Any, judge: Any) -> Case:
    """Return `case` with the opinions of language models on its draft.

    If a model breaks, its error is stored in `unheard` for the check that reads the opinion. stage_1, judge: the
    models, from `core.writers.writer_choice`; None for no model.
    """
    case = replace(case, opinion=None, judgement=None)
    if case.sentences and stage_1:
        case = _asking(case, "interest", lambda: replace(case, opinion=stage_1(case, domain)))
    if case.sentences and judge:
        case = _asking(case, "llm_judge", lambda: replace(case, judgement=judge(case)))
    return case


def _asking(case: Case, check: str, ask: Callable[[], Case]) -> Case:
    """Return the case that `ask` returns; if it raises, `case` with the error stored in `unheard` for `check`."""
    try:
        return ask()
    except Exception as error:  # a model or a server may fail in any way; the other checks still run
        log.error("nothing was heard for %s (%s)", check, type(error).__name__)
        return replace(case, unheard=(*case.unheard, (check, f"{type(error).__name__}: {error}")))
