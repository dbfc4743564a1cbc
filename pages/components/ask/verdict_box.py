"""The verdict box: the headline, what the user gets, why, two figures, and every check by name."""

from collections.abc import Sequence
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.book_titles import book, page_of_passage, titles_of
from core.case import Scope, Trace, in_scope, with_marks
from core.decide import Verdict
from core.decide.delivery import confidences
from core.decide.sensitivity import check_moves
from core.decide.verdicts import counted_sentences
from core.graph.startup import home_folder
from core.library import library_documents
from core.presentation.check_tiles import tally
from core.retrieval.question_parts import with_meaning, without_section_number
from core.retrieval.suggestions import MAX_SUGGESTIONS, questions_of
from core.thresholds import Preset
from core.words import REASONS, ROUTES
from pages.components.ask.asking import ask_everywhere, ask_instead
from pages.components.ask.check_lanes import lanes, stopped_by
from pages.components.ask.confidence import band, confidence_text, has_search
from pages.components.ask.conversation import LOOKS, draw_reading
from pages.components.ask.evidence import title
from pages.components.ask.into_view import VERDICT
from pages.components.shared.question_state import open_passage, sensitivity_of
from pages.components.shared.safe_display import all_of, plain, shorten
from pages.components.shared.settings_box import current_domain

LONG = 1200
"""Maximum characters of an answer that is shown in full; a longer one scrolls in its own box."""
HEADLINES = {route: f"{LOOKS[route].removesuffix(']')} {sign.title.upper()}]" for route, sign in ROUTES.items()}
"""Icon, words and colour of each route, as Markdown; each of the three tells the routes apart by itself."""
MEDIUM = "Medium tier: the passages support it, but not strongly. It was checked again."
HANDED_OVER = "A person should look at the question; no answer is shown."
OF_WHAT_GOES_OUT = {"deliver_corrected": " of the corrected answer", "deliver_part": " of the shortened answer"}
"""The end of the count of supported sentences, by route, if the delivered text is not the draft: what the counted
sentences belong to."""
MAX_QUOTES = 2
"""Maximum unsupported sentences that are quoted above the checks; the grid shows all of them."""
UNRELATED_REASONS = ("off_topic", "other_language", "outside_scope")
"""Primary reasons of a refusal after which no other question is suggested, since none that the books answer is
related."""
LOOSELY = "The closest passages of these books are only loosely related to this question."
"""The sentence shown instead of that of the reason off_topic if the check `topic_relevance` passes."""
_READABLE_ERRORS = ("ModelError: ", "LibraryError: ")
"""Prefixes of the cause of an error; what follows one of them is a sentence for users."""


def verdict_box(trace: Trace, verdict: Verdict, preset: Preset, explorer: Any) -> DeltaGenerator:
    """Draw the box, and return an empty container in it, in which the caller draws the move that would flip the
    verdict.

    For a refusal, questions that the books can answer are drawn first, and the container is inside an expander.
    """
    with st.container(border=True, key=VERDICT, gap="small"):
        with st.container(horizontal=True, vertical_alignment="center", gap="medium", key="headline"):
            st.header(headline(verdict), anchor=False, width="content")
            st.markdown(figures(verdict, preset), width="content")
        draw_reading(trace)
        if verdict.answered:
            _answer(verdict)
            citations(verdict)
        else:
            st.markdown(f"**{plain(verdict.answer)}** {reason(verdict)}")
            _refusal(trace, verdict, explorer)
        for takeover in trace.takeovers:
            st.caption(f":material/info: {plain(takeover)}")
        if not verdict.parts:
            band(verdict, preset)
        _checks(trace, verdict, preset)
        area = st.container() if verdict.answered else st.expander("What would let it through", icon=":material/tune:")
        return area.container(key="flip", horizontal=True, vertical_alignment="center", gap="small")


def _checks(trace: Trace, verdict: Verdict, preset: Preset) -> None:
    """Draw what stopped the answer in words, then every check as a tile."""
    is_changed = verdict.route in ("deliver_part", "deliver_corrected") and not verdict.parts
    has_faults = is_changed and not all(s.supported or s.abstains for s in verdict.sentences)
    faults = plain(f"{title(verdict)}{_named(open_sentences(verdict))}") if has_faults else ""
    st.caption(
        " ".join(part for part in (faults and f"**{faults}**", stopped_by(verdict), plain(counts(verdict))) if part)
    )
    lanes(verdict, preset, {} if verdict.parts else check_moves(sensitivity_of(trace), verdict.round, preset))


def open_sentences(verdict: Verdict) -> list[str]:
    """The sentences of the original answer that the book does not clearly support; [] if it supports none."""
    stating = [s for s in verdict.sentences if not s.abstains]
    texts = [s.text for s in stating if not s.supported]
    return texts if len(texts) < len(stating) else []


def _named(texts: Sequence[str]) -> str:
    """The end of a sentence that quotes up to MAX_QUOTES texts; a full stop for none, or for more."""
    if not 0 < len(texts) <= MAX_QUOTES:
        return "."
    quotes = " and ".join(f"“{shorten(text, 80)}”" for text in texts)
    return f": {quotes}" if quotes[-2] in ".!?…" else f": {quotes}."


def counts(verdict: Verdict) -> str:
    """A text: how many checks passed; for a changed answer, also how many passed on the delivered text."""
    check_text = tally(verdict.checks.values())
    if verdict.route not in ("deliver_part", "deliver_corrected") or not verdict.delivery or verdict.parts:
        return f"{check_text[:1].upper()}{check_text[1:]}."
    subject = "Corrected answer" if verdict.route == "deliver_corrected" else "What goes out"
    return f"Original answer: {check_text}. {subject}: {tally(verdict.delivery.checks.values())}."


def headline(verdict: Verdict) -> str:
    """Icon and word of a verdict, as Markdown."""
    return HEADLINES[verdict.route]


def reason(verdict: Verdict) -> str:
    """The primary reason in plain words, as Markdown. If a check broke with an error that users can read, or if a
    person is asked, the text says so."""
    is_near = verdict.checks["topic_relevance"].state == "passed"
    text = LOOSELY if verdict.primary_reason == "off_topic" and is_near else verdict.explanation
    errors = (r.why for r in verdict.checks.values() if r.blocks and r.cause == "error")
    readable = (cause.removeprefix(start) for cause in errors for start in _READABLE_ERRORS if cause.startswith(start))
    return plain(f"{text} {next(readable, '')} {HANDED_OVER if verdict.route == 'escalate' else ''}")


def figures(verdict: Verdict, preset: Preset) -> str:
    """Evidence confidence and supported sentences as Markdown, without a figure that was not measured.

    The sentences are those that are delivered; for a refusal, those of the withheld draft.
    """
    texts = []
    if has_search(verdict):
        parts = sorted((p for p in verdict.parts or (verdict,) if has_search(p)), key=lambda part: part.confidence)
        ends = dict.fromkeys(confidence_text(part) for part in (parts[0], parts[-1]))
        texts.append(f"Evidence confidence: **{' to '.join(ends)} of 100**{' in its parts' if verdict.parts else ''}")
    if verdict.answered or verdict.stage not in ("query checks", "clarity"):
        texts.append(_support_text(verdict, preset))
    return " · ".join(texts)


def _support_text(verdict: Verdict, preset: Preset) -> str:
    """How many sentences are supported; for a withheld draft that is supported, also why it is withheld."""
    sentences = counted_sentences(verdict, preset)
    if verdict.round.case.draft is None or not sentences:
        return "no sentence to support"
    if not has_search(verdict):
        return "it states nothing that needs a source" if verdict.answered else "nothing was compared with the library"
    if all(s.abstains for s in sentences):
        return "it only says that there is no answer"
    if all(s.label is None for s in sentences):
        return "support was not measured"
    lead, of_what = "" if verdict.answered else "withheld draft: ", OF_WHAT_GOES_OUT.get(verdict.route, "")
    stating = [s for s in sentences if not s.abstains]
    count, support_count = len(stating), sum(s.supported for s in stating)
    if support_count < count:
        return f"{lead}**{support_count} of {count}** sentence{'s' * (count > 1)}{of_what} supported"
    verb = "is" if count == 1 else "are"
    if verdict.answered:
        return f"**{all_of(count)}**{of_what} {verb} supported"
    cause = REASONS[verdict.primary_reason].withheld if verdict.primary_reason else "another check failed"
    return f"**{all_of(count)}** of the draft {verb} supported by the book; withheld: {cause}"


def _answer(verdict: Verdict) -> None:
    """Draw the delivered text. For a partial answer, draw also its introduction, a note on omitted sentences, and the
    confidence in each sentence; if citation marks were corrected, a note on them."""
    phrase, _, note = verdict.answer.partition(verdict.delivery.text)
    if phrase.strip():
        st.markdown(plain(phrase.strip()))
    _text(verdict.delivery.text)
    if note.strip():
        st.markdown(f":material/info: {plain(note.strip())}")
    if verdict.route == "deliver_part" and (sure := confidences(verdict.changes)):
        st.caption(plain(sure))
    if corrected_marks := verdict.delivery.marks_put_right:
        st.caption(plain(corrected_marks))
    if verdict.route == "deliver" and verdict.tier == "medium" and "recheck" in verdict.steps:
        st.caption(MEDIUM)


def _text(text: str) -> None:
    if len(text) <= LONG:
        st.markdown(f"“{plain(text)}”")
    else:
        with st.container(height=260):
            st.markdown(plain(text))


def citations(verdict: Verdict, part: int = 0) -> None:
    """Draw a button for each passage that the answer cites. part: number of the question part, from 1; 0 for the whole
    question."""
    evidence = verdict.round.case.evidence
    citation_numbers = sorted({c for s in verdict.delivered_sentences for c in s.citations if 1 <= c <= len(evidence)})
    with st.container(horizontal=True, gap="small", key=f"citations {part}"):
        for number in citation_numbers:
            _citation(number, verdict, part)
        attributions = [s.attributed for s in verdict.sentences]
        if verdict.route != "deliver_corrected" and any(attributions):
            whole = "Citations added automatically."
            st.caption(whole if all(attributions) else "Citations added automatically to sentences without one.")


def cited_source(verdict: Verdict, number: int) -> tuple[int, Verdict, int]:
    """The part of the question that a citation number refers to, from 1, its verdict, and the index of its passage. The
    part is 0 for a question without parts.

    The passages of the second part are numbered after those of the first.
    """
    index = number - 1
    for part, own in enumerate(verdict.parts, 1):
        if index < len(own.round.case.evidence):
            return part, own, index
        index -= len(own.round.case.evidence)
    return 0, verdict, index


def _citation(number: int, verdict: Verdict, part: int) -> None:
    own_part, source, index = cited_source(verdict, number)
    passage, page = source.round.case.evidence[index].passage, source.page_of(index)
    on_page = f", {page_of_passage(passage, page)}" if page else ""
    st.button(
        plain(f"[{number}] {shorten(book(passage), 60)}{on_page}"), key=f"cite {part} {number}",
        icon=":material/menu_book:", type="tertiary", on_click=open_passage, args=(index, part or own_part),
        help=plain(f"Read the passage of {passage.name}"),
    )  # fmt: skip


def _refusal(trace: Trace, verdict: Verdict, explorer: Any) -> None:
    """Draw what to ask instead of a refused question, and the withheld draft in grey."""
    filters(trace.question.scope, verdict)
    if verdict.route == "clarify":
        meanings = {without_section_number(m): with_meaning(trace.question.standalone, m) for m in trace.meanings}
        _question_buttons("Ask about:", "meaning", meanings)
    elif trace.question.contexts is None:
        questions = offered_questions(trace, verdict) or library_questions(explorer.library, trace.question.scope)
        lead = f"Questions that these {current_domain().words['sources']} can answer:"
        _question_buttons(lead, "suggestion", {question: question for question in questions})
    draft = verdict.round.case.draft
    if draft and draft.sentences and verdict.route != "clarify":  # nothing was searched for an unclear question
        with st.expander("Withheld draft", icon=":material/visibility:"):
            st.markdown(f":gray[“{plain(with_marks(draft.sentences))}”]")
            citations(verdict)


def library_questions(library: Any, scope: Scope) -> tuple[str, ...]:
    """Questions that passages in `scope` define an answer to, at most MAX_SUGGESTIONS, each from another document."""
    by_document = {}
    for passage in library.passages():
        if passage.document not in by_document and in_scope(passage, scope) and (questions := questions_of(passage)):
            by_document[passage.document] = questions[0]
        if len(by_document) == MAX_SUGGESTIONS:
            break
    return tuple(by_document.values())


def offered_questions(trace: Trace, verdict: Verdict) -> tuple[str, ...]:
    """Similar questions that the books can answer, for a refused question. () on other routes, and for a refusal with
    one of UNRELATED_REASONS."""
    if verdict.answered or verdict.route == "clarify" or verdict.primary_reason in UNRELATED_REASONS:
        return ()
    return trace.suggestions


def filters(scope: Scope, verdict: Verdict) -> None:
    """If a query check refused the question and its search had filters, draw the filters and a button that asks without
    them."""
    filter_text = looked_in(scope)
    if not filter_text or verdict.stage != "query checks":
        return
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.markdown(f"Only {plain(filter_text)} was searched.", width="content")
        st.button(
            f"Ask in all {current_domain().words['sources']}", key="ask in all books", icon=":material/filter_alt_off:",
            on_click=ask_everywhere,
        )  # fmt: skip


def looked_in(scope: Scope) -> str:
    """The filters of a search in words; "" for a search without filters."""
    texts = [
        f"class {scope.class_number}" if scope.class_number else "", scope.subject,
        ", ".join(titles_of(scope.documents, library_documents(home_folder()))) if scope.documents else "",
        f"pages {scope.pages_text}" if scope.pages else "",
    ]  # fmt: skip
    return ", ".join(text for text in texts if text)


def _question_buttons(lead: str, key: str, questions: dict[str, str]) -> None:
    """Draw a button for each question to ask instead, after `lead`. questions: button label -> question."""
    if not questions:
        return
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.markdown(lead, width="content")
        for n, (words, question) in enumerate(questions.items()):
            st.button(plain(words), key=f"{key} {n}", on_click=ask_instead, args=(question,))
