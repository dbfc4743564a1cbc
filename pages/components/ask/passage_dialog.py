"""The dialog that shows a passage: its text, what it does with the answer, and its page with the sentence marked."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from core.book_titles import book, origin, page_of_passage, page_title, with_page
from core.case import Evidence, Passage
from core.decide import Verdict
from core.decide.judged_sentences import deciding
from core.library.passages import document_of, marks_of
from core.pdf.page import PageRect
from core.reply.display_rounding import number
from core.retrieval.scoring import SCORES
from core.thresholds import Preset
from pages.components.ask.evidence import GRID_TITLES, cells
from pages.components.library.page_reader import BADLY, PageLabel, open_document, page_picture
from pages.components.shared.safe_display import ERRORS, plain, show
from pages.components.shared.session import ASK

LOOKS = {
    "entailment": ("green", "check_circle", "Supports {}"),
    "neutral": ("gray", "radio_button_unchecked", "Leaves {} open"),
    "contradiction": ("red", "cancel", "Contradicts {}"),
}
"""Colour, icon and words of what a passage does with a sentence, by NLI label."""


def show_passage_dialog(verdict: Verdict, preset: Preset, explorer: Any) -> None:
    """Open the dialog of the passage that was clicked, if there is one."""
    index, part = ASK.opened.take() or (-1, 0)
    shown_verdict = verdict.parts[part - 1] if 1 <= part <= len(verdict.parts) else verdict
    if 0 <= index < len(shown_verdict.round.case.evidence):
        _dialog(shown_verdict, preset, index, explorer.library)


@st.dialog("The passage", width="large", icon=":material/menu_book:")
def _dialog(verdict: Verdict, preset: Preset, index: int, library: Any) -> None:
    evidence, sentence_by_index = verdict.round.case.evidence[index], deciding(verdict.round, index)
    cell_by_sentence = {
        n: row[index] for n, row in enumerate(cells(verdict, preset)) if n in sentence_by_index.values()
    }
    text_column, picture_column = st.columns(2, gap="medium")
    with text_column:
        _text(verdict, index, sentence_by_index, cell_by_sentence)
    with picture_column:
        if verdict.round.case.question.contexts is None:
            _page(library, evidence, sentence_by_index, cell_by_sentence)
        else:
            st.caption("This text came with the question, so there is no page to show.")


def _text(
    verdict: Verdict, index: int, sentence_by_index: dict[int, int], cell_by_sentence: dict[int, dict[str, str]]
) -> None:
    """Draw a passage with its origin, what it does with the answer, its text and its scores.

    sentence_by_index: passage sentence -> answer sentence that it decided. cell_by_sentence: the cell of the latter.
    """
    evidence = verdict.round.case.evidence[index]
    st.markdown(origin_text(evidence.passage, verdict.page_of(index)))
    for n, cell_ in cell_by_sentence.items():
        sentence = f"sentence {n + 1}{GRID_TITLES.get(verdict.route, ' of the answer')}"
        st.markdown(decision_text(sentence, verdict.sentences[n].text, cell_))
    with st.container(border=True, key="passage_text"):
        st.markdown(passage_text(evidence, sentence_by_index, cell_by_sentence))
    meaning = (
        "Highlighted: what was compared with the answer." if sentence_by_index else "Blue: relevant to the question."
    )
    has_others = len(evidence.kept) < len(evidence.passage.sentences)
    st.caption(f"{meaning}{' Grey: not about the question.' if has_others else ''}")
    with st.expander("Scores of this passage", icon=":material/speed:"):
        scores = (f"- {name} **{number(getattr(evidence, name))}**: {meaning}" for name, meaning in SCORES.items())
        st.caption("\n".join(scores))


def decision_text(of_what: str, text: str, cell_: dict[str, str]) -> str:
    """What a passage does with a sentence of the answer, and that sentence, as Markdown. of_what: which one it is."""
    colour, icon, words = LOOKS[cell_["look"]]
    head = f":{colour}[:material/{icon}: **{words.format(of_what)}**] :gray[({cell_['look']} {cell_['number']})]"
    return f"{head}  \n“{plain(text)}”"


def _page(
    library: Any, evidence: Evidence, sentence_by_index: dict[int, int], cell_by_sentence: dict[int, dict[str, str]]
) -> None:
    """Draw the page with the deciding sentences marked, else those that bear on the question; a choice of two pages."""
    passage, marked_sentences = evidence.passage, sorted(sentence_by_index) or evidence.kept
    try:
        rects = library.sentence_rects(passage.id)
    except ERRORS as error:
        show(error)
        return
    marks = marks_of(rects, marked_sentences)
    pages = pages_of(passage, marked_sentences, marks)
    page = pages[0]
    if len(pages) > 1:
        page = st.segmented_control("Page", pages, default=page, required=True, key=f"page of {passage.id}")
    if st.button(
        f"Open {page_of_passage(passage, page)} in the library", icon=":material/arrow_forward:",
        key="open in the library", type="tertiary", on_click=open_document,
        args=(document_of(passage.id), page, passage.id),
    ):  # fmt: skip
        st.switch_page("pages/library.py")
    count = sum(any(mark[0] == page for mark in marks_of(rects, [i])) for i in marked_sentences)
    title = (
        f"{page_title(page, passage.label(page))} of {book(passage)}: {picture_title(count, bool(sentence_by_index))}"
    )
    labels = [
        PageLabel(rects=marks_of(rects, indices), text=f"S{n + 1} {cell_['label'].lower()}", look=cell_["look"])
        for n, cell_ in cell_by_sentence.items()
        if (indices := [i for i, of in sentence_by_index.items() if of == n])
    ]
    page_picture(library, document_of(passage.id), page, marks, title, labels)


def picture_title(count: int, is_deciding: bool) -> str:
    """The title of a page picture.

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


def origin_text(passage: Passage, page: int) -> str:
    """The origin of a passage as Markdown: chapter and page, then class, subject, section and file if known."""
    rest = plain(origin(passage))
    return f"**{plain(with_page(passage, page))}**" + (f"  \n{rest}" if rest else "")


def passage_text(
    evidence: Evidence, sentence_by_index: dict[int, int], cell_by_sentence: dict[int, dict[str, str]]
) -> str:
    """The passage as Markdown: a deciding sentence in the colour of its label, before it the label and the number of
    the answer sentence; if none decided, those that bear on the question are blue. The others are grey.

    sentence_by_index, cell_by_sentence: as in `_text`.
    """
    sentences, labelled = [], set()
    for i, sentence in enumerate(evidence.passage.sentences):
        text = plain(sentence)
        if i in evidence.passage.broken:
            sentences.append(f":gray[{text}] {BADLY}")
        elif (n := sentence_by_index.get(i)) is not None:
            colour, icon, _ = LOOKS[cell_by_sentence[n]["look"]]
            label = f":{colour}-badge[:material/{icon}: S{n + 1} {cell_by_sentence[n]['label'].lower()}] "
            sentences.append(f"{'' if n in labelled else label}:{colour}-background[**{text}**]")
            labelled.add(n)
        elif i not in evidence.kept:
            sentences.append(f":gray[{text}]")
        else:
            sentences.append(text if sentence_by_index else f":blue-background[{text}]")
    return " ".join(sentences)
