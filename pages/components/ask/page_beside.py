"""The page of the book beside the answer: the passage that decided, marked on its page, and its text below."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from core.book_titles import book, origin, page_of_passage, page_title, with_page
from core.case import Evidence, Passage
from core.decide import Verdict
from core.decide.delivery import bearing_passages
from core.decide.judged_sentences import deciding
from core.library import LibraryError
from core.library.passages import document_of, marks_of
from core.pdf.page import PageRect
from core.reply.display_rounding import number
from core.thresholds import Preset
from pages.components.ask.grid import GRID_TITLES, Cell, cells
from pages.components.shared.page_picture import BADLY, PageLabel, open_document, page_picture
from pages.components.shared.safe_display import plain
from pages.components.shared.session import ASK

LOOKS = {
    "entailment": ("green", "check_circle", "Supports {}"),
    "neutral": ("gray", "radio_button_unchecked", "Leaves {} open"),
    "contradiction": ("red", "cancel", "Contradicts {}"),
}
"""Colour, icon and words of what a passage does with a sentence, by NLI label."""
Judged = Mapping[int, tuple[int, Cell]]
"""By the index of each sentence of a passage that decided: the index of the answer sentence that it decided, and what
the passage says to it."""
BEING_ADDED = "The sample chapters are being added; the page comes in a moment."


def page_beside(verdict: Verdict, preset: Preset, library: Any) -> None:
    """Draw the passage that was chosen, or else the one that matters most, on its page; nothing without passages."""
    source, index = passage_to_show(verdict)
    if index < 0:
        return
    evidence, rows = source.round.case.evidence[index], cells(source, preset)
    judged = {i: (n, rows[n][index]) for i, n in deciding(source.round, index).items()}
    with st.container(key="page beside", gap="xsmall"):
        if source.round.case.question.contexts is None:
            is_given = bool(source.round.case.draft and source.round.case.draft.given)
            has_labels = source.answered or is_given  # nothing green stands beside a refusal of our own
            _page(library, evidence, judged, has_labels=has_labels)
        else:
            st.caption("This text came with the question, so there is no page to show.")
        with st.expander(
            "This passage in words", icon=":material/notes:", key=ASK.passage_box.key, on_change="rerun"
        ) as box:
            if box.open:
                _words(source, index, judged)


def passage_to_show(verdict: Verdict) -> tuple[Verdict, int]:
    """(verdict of a part or of the whole, index of a passage): the passage that was chosen, else the first that decides
    against a sentence, else the first that decides on one, else the best one; -1 without passages."""
    part, index = ASK.opened.value or (0, -1)
    source = verdict.parts[part - 1] if 1 <= part <= len(verdict.parts) else verdict
    if 0 <= index < len(source.round.case.evidence):
        return source, index
    for own in verdict.parts or (verdict,):
        order = sorted(range(len(own.sentences)), key=lambda n: own.sentences[n].supported)
        for n in order if own.round.signals.get("support") else ():
            if numbers := bearing_passages(own.round, n):
                return own, numbers[0] - 1
    with_evidence = (own for own in verdict.parts or (verdict,) if own.round.case.evidence)
    best = next(with_evidence, None)
    return (best, 0) if best else (verdict, -1)


def _page(library: Any, evidence: Evidence, judged: Judged, *, has_labels: bool) -> None:
    """Draw the page with the deciding sentences marked, else those that bear on the question; a choice of two pages.

    has_labels: whether what the passage does with each sentence stands in the margin.
    """
    passage, marked_sentences = evidence.passage, sorted(judged) or evidence.kept
    try:
        rects = library.sentence_rects(passage.id)
    except LibraryError as error:
        st.markdown(passage_text(evidence, judged))
        st.caption(plain(f"The page cannot be drawn: {error}" if library.documents() else BEING_ADDED))
        return
    marks = marks_of(rects, marked_sentences)
    pages = pages_of(passage, marked_sentences, marks)
    page = pages[0]
    if len(pages) > 1:
        page = st.segmented_control("Page", pages, default=page, required=True, key=f"page of {passage.id}")
    count = sum(any(mark[0] == page for mark in marks_of(rects, [i])) for i in marked_sentences)
    labels = [
        PageLabel(rects=marks_of(rects, indices), text=f"S{n + 1} {cell.label.lower()}", look=cell.look)
        for n, cell in dict(sorted(judged.values())).items()
        if has_labels and (indices := [i for i, (of, _) in judged.items() if of == n])
    ]
    title = f"{page_title(page, passage.label(page))} of {book(passage)}"
    page_picture(library, document_of(passage.id), page, marks, title, labels, picture_title(count, bool(judged)))


def picture_title(count: int, is_deciding: bool) -> str:
    """What is marked on a page picture.

    count: number of marked sentences. is_deciding: True if they decided on the answer, False if they were only read.
    """
    if not count:
        return "the position of the sentence is not known"
    bears = "bears" if count == 1 else "bear"
    role = "compared with the answer" if is_deciding else f"that {bears} on the question"
    return f"the sentence {role} is highlighted" if count == 1 else f"the {count} sentences {role} are highlighted"


def pages_of(passage: Passage, sentences: Sequence[int], marks: Sequence[PageRect]) -> list[int]:
    """The page numbers of these sentences of a passage, from their marks if there are any; never empty."""
    pages = {mark[0] for mark in marks}
    return sorted(pages or {passage.pages[i] for i in sentences} or {passage.page})


def _words(verdict: Verdict, index: int, judged: Judged) -> None:
    """Draw a passage with its origin, what it does with the answer, its text and its scores."""
    from core.retrieval.scoring import SCORES

    evidence = verdict.round.case.evidence[index]
    passage, page = evidence.passage, verdict.page_of(index)
    st.markdown("  \n".join(filter(None, (f"**{plain(with_page(passage, page))}**", plain(origin(passage))))))
    for n, cell in dict(sorted(judged.values())).items():
        colour, icon, words = LOOKS[cell.look]
        does = words.format(f"sentence {n + 1}{GRID_TITLES.get(verdict.route, ' of the answer')}")
        figure = f":gray[({cell.look} {cell.number})]"
        st.markdown(f":{colour}[:material/{icon}: {does}] {figure}  \n“{plain(verdict.sentences[n].text)}”")
    st.markdown(passage_text(evidence, judged))
    scores = (f"- {name} **{number(getattr(evidence, name))}**: {meaning}" for name, meaning in SCORES.items())
    st.caption("\n".join(scores))
    if verdict.round.case.question.contexts is None and st.button(
        f"Open {page_of_passage(passage, page)} in the library", icon=":material/arrow_forward:",
        key="open in the library", type="tertiary", on_click=open_document,
        args=(document_of(passage.id), page or passage.page, passage.id),
    ):  # fmt: skip
        st.switch_page("pages/library.py")


def passage_text(evidence: Evidence, judged: Judged) -> str:
    """The passage as Markdown: a deciding sentence in the colour of its label, before it the label and the number of
    the answer sentence; if none decided, those that bear on the question are blue. The others are grey."""
    sentences, labelled = [], set()
    for i, sentence in enumerate(evidence.passage.sentences):
        text = plain(sentence)
        if i in evidence.passage.broken:
            sentences.append(f":gray[{text}] {BADLY}")
        elif i in judged:
            n, cell = judged[i]
            colour, icon, _ = LOOKS[cell.look]
            label = f":{colour}-badge[:material/{icon}: S{n + 1} {cell.label.lower()}] "
            sentences.append(f"{'' if n in labelled else label}:{colour}-background[**{text}**]")
            labelled.add(n)
        elif i not in evidence.kept:
            sentences.append(f":gray[{text}]")
        else:
            sentences.append(text if judged else f":blue-background[{text}]")
    return " ".join(sentences)
