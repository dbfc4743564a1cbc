"""The verdict in one glance: the word, what the user gets, why, two figures, and what decided."""

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.case import Scope, Sentence, Trace
from core.chain import Verdict
from core.chain.contrasts import contrasts
from core.chain.judged_sentences import JudgedSentence, cited_page
from core.chain.messages import ENDS
from core.chain.verdicts import counted_sentences
from core.retrieval.question_parts import clarified, meant
from core.text.answer_sentences import with_marks
from core.text.book_titles import book, book_title, page_of_passage
from core.thresholds import Preset
from pages.components.ask.asking import ask_everywhere, ask_instead
from pages.components.ask.check_table import count, decided, strip
from pages.components.ask.confidence import band, confidence_drawn, searched
from pages.components.ask.conversation import LOOKS, taken_as
from pages.components.shared.question_state import open_passage
from pages.components.shared.safe_display import plain, shortened
from pages.components.shared.settings_box import house

LONG = 1200
"""A longer answer scrolls in its own box."""
HEADLINES = {route: f"{LOOKS[route].removesuffix(']')} {words.upper()}]" for route, words in ENDS.items()}
"""Icon, word and colour of each route together: none of them has to be seen for the others to be read."""
MEDIUM = "Of the medium tier: the passages bear it out, but not as well as they could. It was looked at again."
HANDED_OVER = "A person should look at it; nothing else goes out."
UNRELATED = ("off_topic", "other_language", "outside_scope")
"""Reasons of a refusal after which nothing that the books can answer would have to do with the question."""
_SAID = ("ModelError: ", "LibraryError: ")
"""How the cause of what broke begins where the rest is a sentence for people."""


def verdict_box(trace: Trace, verdict: Verdict, preset: Preset) -> DeltaGenerator:
    """The box; returns the room in it for what would change the verdict, which is filled last."""
    with st.container(border=True, key="verdict", gap="small"):
        with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
            st.header(headline(verdict), anchor=False, width="content")
            st.markdown(figures(verdict, preset), width="content")
        taken_as(trace)
        if verdict.answered:
            _answer(verdict)
            citations(verdict)
        else:
            st.markdown(f"**{plain(verdict.answer)}** {reason(verdict)}")
        for why in trace.takeovers:
            st.caption(f":material/info: {plain(why)}")
        if not verdict.parts:
            band(verdict, preset)
        _checks(verdict)
        if not verdict.answered:
            _refusal(trace, verdict)
        return st.container(key="flip", horizontal=True, vertical_alignment="center", gap="small")


def _checks(verdict: Verdict) -> None:
    """One mark a check, and in words those that decided."""
    strip(verdict)
    stopped = decided(verdict)
    told = "Does not hold:" if not verdict.answered else "Not given out as it was written. Does not hold:"
    counts = f"{count(verdict.checks.values())} of {len(verdict.checks)} checks"
    st.caption(f"{told} {stopped}" if stopped else counts)


def headline(verdict: Verdict) -> str:
    """The word of a verdict."""
    return HEADLINES[verdict.route]


def reason(verdict: Verdict) -> str:
    """The one main reason in plain words, what it says of itself that broke, and what an escalation means."""
    return plain(f"{verdict.explanation} {_cause(verdict)} {HANDED_OVER if verdict.route == 'escalate' else ''}")


def _cause(verdict: Verdict) -> str:
    """The sentence of what could not be used; "" for anything else that broke, which the cards tell."""
    broken = (r.why for r in verdict.checks.values() if r.blocks and r.cause == "error")
    return next((w.removeprefix(said) for w in broken for said in _SAID if w.startswith(said)), "")


def figures(verdict: Verdict, preset: Preset) -> str:
    """Evidence confidence and supported sentences, of what goes out if anything does, each under its own name.

    Nothing is said of evidence that was not looked for, nor of sentences that nobody had to look at.
    """
    found = []
    if searched(verdict):
        looked = sorted((p for p in verdict.parts or (verdict,) if searched(p)), key=lambda part: part.confidence)
        ends = dict.fromkeys(confidence_drawn(part, preset) for part in (looked[0], looked[-1]))
        what = "how good the passages of its parts are" if verdict.parts else "how good the passages are"
        found.append(f"evidence **{' to '.join(ends)}/100** :gray[({what})]")
    if verdict.answered or verdict.steps[-2:-1] not in (("query checks",), ("clear",)):
        found.append(_supported(verdict, preset))
    return " · ".join(found)


def _supported(verdict: Verdict, preset: Preset) -> str:
    """How many sentences hold: of what goes out, else of the answer that is held back, those with nothing against."""
    sentences = counted_sentences(verdict, preset)
    if verdict.round.case.draft is None or not sentences:
        return "no sentence to support"
    if not searched(verdict):
        return "it states nothing that needs a source" if verdict.answered else "nothing was read against the library"
    if all(s.label is None for s in sentences):
        return "support was not measured"
    if verdict.answered:
        return f"supported **{sum(s.supported for s in sentences)} of {len(sentences)}** {_noun(sentences)}"
    seen = contrasts(verdict, preset)
    held = sum(c.state == "said" for c in seen)
    return f"of the answer that is held back **{held} of {len(seen)}** {_noun(seen)} could go out alone"


def _noun(sentences: Sequence[object]) -> str:
    return "sentence" if len(sentences) == 1 else "sentences"


def _answer(verdict: Verdict) -> None:
    """What goes out, and in a line of its own what is said of what does not."""
    _text(verdict.delivery.text)
    if note := verdict.answer.removeprefix(verdict.delivery.text).strip():
        st.markdown(f":material/info: {plain(note)}")
    if moved := verdict.delivery.marks_put_right:
        st.caption(plain(moved))
    if verdict.route == "deliver" and verdict.tier == "medium" and "recheck" in verdict.steps:
        st.caption(MEDIUM)


def _text(text: str) -> None:
    if len(text) <= LONG:
        st.markdown(f"“{plain(text)}”")
    else:
        with st.container(height=260):
            st.markdown(plain(text))


def citations(verdict: Verdict, part: int = 0) -> None:
    """A button for each passage that the answer cites. part: place of a part of the question, from 1."""
    if verdict.parts:
        return  # each part shows its own
    evidence = verdict.round.case.evidence
    cited = sorted({c for s in _going_out(verdict) for c in s.citations if 1 <= c <= len(evidence)})
    with st.container(horizontal=True, gap="small"):
        for number in cited:
            _citation(number, verdict, part)
        attributed = [s.attributed for s in verdict.sentences]
        if verdict.route != "deliver_corrected" and any(attributed):
            whole = "The answer had no marks: these sources were found by us."
            st.caption(whole if all(attributed) else "Sentences without a mark: their sources were found by us.")


def _going_out(verdict: Verdict) -> Sequence[Sentence | JudgedSentence]:
    """The sentences whose sources are offered: those that go out, else those that were judged."""
    if verdict.route == "deliver_corrected":
        return verdict.delivery.sentences
    if verdict.route == "deliver_part":
        return [s for s, c in zip(verdict.sentences, verdict.changes, strict=True) if c.done == "kept"]
    return verdict.sentences


def _citation(number: int, verdict: Verdict, part: int) -> None:
    passage = verdict.round.case.evidence[number - 1].passage
    page = cited_page(verdict.round, number - 1, _going_out(verdict))
    on_page = f", {page_of_passage(passage, page)}" if page else ""
    st.button(
        plain(f"[{number}] {shortened(book(passage), 60)}{on_page}"), key=f"cite {part} {number}",
        icon=":material/menu_book:", type="tertiary", on_click=open_passage, args=(number - 1, part),
        help=plain(f"Read the passage of {passage.name}"),
    )  # fmt: skip


def _refusal(trace: Trace, verdict: Verdict) -> None:
    filters(trace.question.scope, verdict)
    if verdict.route == "clarify":
        _meanings(trace)
    _offered(
        f"These {house().words['sources']} can answer:",
        "suggestion",
        {question: question for question in offered(trace, verdict)},
    )
    _held_back(verdict)


def offered(trace: Trace, verdict: Verdict) -> tuple[str, ...]:
    """Questions close to this one that the books can answer; none where what is close has nothing to do with it."""
    if verdict.answered or verdict.route == "clarify" or verdict.primary_reason in UNRELATED:
        return ()
    return trace.suggestions


def filters(scope: Scope, verdict: Verdict) -> None:
    """That a question was only looked for in some of the books, with a button that asks it in all of them."""
    where = looked_in(scope)
    if not where or verdict.steps[-2:-1] != ("query checks",):
        return
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.markdown(f"It was only looked for in {plain(where)}.", width="content")
        st.button(
            f"Ask in all {house().words['sources']}", key="ask in all books", icon=":material/filter_alt_off:",
            on_click=ask_everywhere,
        )  # fmt: skip


def looked_in(scope: Scope) -> str:
    """Where a question was looked for, in words; "" for everywhere."""
    pages = ", ".join(f"{a}" if a == b else f"{a}-{b}" for a, b in scope.pages)
    found = [f"class {scope.class_number}" if scope.class_number else "", scope.subject,
             ", ".join(book_title(name) for name in scope.documents), f"pages {pages}" if pages else ""]  # fmt: skip
    return ", ".join(part for part in found if part)


def _meanings(trace: Trace) -> None:
    """What the library could mean, one click each."""
    _offered("Ask about:", "meaning", {meant(m): clarified(trace.question.standalone, m) for m in trace.meanings})


def _offered(lead: str, key: str, questions: dict[str, str]) -> None:
    """Questions to ask instead, each under the words on its button."""
    if not questions:
        return
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.markdown(lead, width="content")
        for n, (words, question) in enumerate(questions.items()):
            st.button(plain(words), key=f"{key} {n}", on_click=ask_instead, args=(question,))


def _held_back(verdict: Verdict) -> None:
    draft = verdict.round.case.draft
    if draft is None or not draft.sentences:
        return
    with st.expander("The answer that was held back", icon=":material/visibility:"):
        _text(with_marks(draft.sentences))
        citations(verdict)
