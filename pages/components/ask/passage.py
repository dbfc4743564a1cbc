"""A passage to read: where it stands, what it scored, and which of its sentences mattered, in words and on its page."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from core.case import Evidence, Passage
from core.chain import Verdict
from core.chain import judged_sentences as sentences
from core.chain.number_format import number
from core.library.passage_store import document_of, marks_of
from core.pdf.page import Place
from core.retrieval.scoring import SCORES
from core.text.book_titles import book, origin, with_page
from pages.components.library.page_reader import BADLY, open_document, page_picture
from pages.components.shared.asked_question import opened_passage
from pages.components.shared.safe_display import ERRORS, plain, show


def show_opened(verdict: Verdict, library: Any) -> None:
    """The dialog of the passage that was clicked, if one was."""
    place, part = opened_passage() or (-1, 0)
    of = verdict.parts[part - 1] if 1 <= part <= len(verdict.parts) else verdict
    if 0 <= place < len(of.round.case.evidence):
        _dialog(of, place, library)


@st.dialog("The passage", width="large", icon=":material/menu_book:")
def _dialog(verdict: Verdict, place: int, library: Any) -> None:
    evidence, decided = verdict.round.case.evidence[place], deciding(verdict, place)
    words, picture = st.columns(2, gap="medium")
    with words:
        _words(verdict, evidence, decided)
    with picture:
        if verdict.round.case.question.contexts is None:
            _page(library, evidence, decided)
        else:
            st.caption("This text came with the question, so there is no page to show.")


def _words(verdict: Verdict, evidence: Evidence, decided: dict[int, int]) -> None:
    place = verdict.round.case.evidence.index(evidence)
    st.markdown(where(evidence.passage, sentences.cited_page(verdict.round, place, verdict.sentences)))
    st.markdown(" · ".join(f"{name} **{number(getattr(evidence, name))}**" for name in SCORES), help=_legend())
    with st.container(border=True, key="passage_text"):
        st.markdown(marked(evidence, decided))
    st.caption("Blue: read for this question. Bold with a flag: decided how a sentence of the answer was judged.")
    for sentence in sorted(set(decided.values())):
        st.caption(f"Sentence {sentence + 1} of the answer: {plain(verdict.sentences[sentence].text)}")


def _page(library: Any, evidence: Evidence, decided: dict[int, int]) -> None:
    """The picture of the page with the sentences that matter marked; of each page where they lie on two."""
    passage, matter = evidence.passage, sorted(decided) or evidence.kept
    try:
        places = library.places(passage.id)
    except ERRORS as error:
        show(error)
        return
    marks = marks_of(places, matter)
    pages = pages_of(passage, matter, marks)
    page = pages[0]
    if len(pages) > 1:
        page = st.segmented_control("Page", pages, default=page, required=True, key=f"page of {passage.id}")
    if st.button(
        f"Open page {page} in the library", icon=":material/arrow_forward:", key="open in the library", type="tertiary",
        on_click=open_document, args=(document_of(passage.id), page, passage.id),
    ):  # fmt: skip
        st.switch_page("pages/library.py")
    count = sum(any(mark[0] == page for mark in marks_of(places, [i])) for i in matter)
    title = f"Page {page} of {book(passage)}: {what_is_marked(count, bool(decided))}"
    page_picture(library, document_of(passage.id), page, marks, title)


def what_is_marked(count: int, decided: bool) -> str:
    """What a picture shows of a passage: `count` of its sentences, those that decided or those that were read."""
    if not count:
        return "where the sentence stands on it is not known"
    why = "that decided" if decided else "that was read" if count == 1 else "that were read"
    return f"the sentence {why} is marked" if count == 1 else f"the {count} sentences {why} are marked"


def pages_of(passage: Passage, matter: Sequence[int], marks: Sequence[Place]) -> list[int]:
    """The pages on which these sentences of a passage lie, as their marks say it, else the passage; never none."""
    marked = {mark[0] for mark in marks}
    return sorted(marked or {passage.pages[i] for i in matter} or {passage.page})


def where(passage: Passage, page: int) -> str:
    """Chapter and page, and below them class, subject, section and file, as far as they are known."""
    rest = plain(origin(passage))
    return f"**{plain(with_page(passage, page))}**" + (f"  \n{rest}" if rest else "")


def deciding(verdict: Verdict, place: int) -> dict[int, int]:
    """Sentence of the passage -> sentence of the answer that it decided."""
    return sentences.deciding(verdict.round, place)


def marked(evidence: Evidence, decided: dict[int, int]) -> str:
    """The passage as Markdown: kept sentences on blue, deciding ones bold with a flag and their sentence's number."""
    return " ".join(
        f":gray[{plain(text)}] {BADLY}"
        if i in evidence.passage.broken
        else _sentence(plain(text), i in evidence.kept, decided.get(i))
        for i, text in enumerate(evidence.passage.sentences)
    )


def _sentence(text: str, kept: bool, decided: int | None) -> str:
    if decided is not None:
        text = f":material/flag: S{decided + 1} **{text}**"
    return f":blue-background[{text}]" if kept else text


def _legend() -> str:
    return "  \n".join(f"**{name}**: {meaning}" for name, meaning in SCORES.items())
