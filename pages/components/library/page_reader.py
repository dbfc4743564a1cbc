"""The view of one document: pictures of its pages with passages highlighted, beside the cleaned or the raw text."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from core.book_titles import book, page_of_passage, page_title
from core.case import Passage
from core.errors import UserError
from core.library.passages import document_of, marks_of
from core.presentation.library_rows import details, loss_texts
from pages.components.shared.page_picture import BADLY, open_document, page_picture
from pages.components.shared.safe_display import plain, show
from pages.components.shared.session import LIBRARY


def turn_to(page: int) -> None:
    """Show another page of the open document; a callback."""
    open_document(LIBRARY.reading.value, page)


VIEWS = ("Cleaned", "Raw", "Not read well")
"""The texts that can be shown beside the picture."""
HEIGHT = 820
"""Height of the text beside the picture in pixels; longer texts scroll."""


def reader(library: Any, document_id: str) -> None:
    """Draw a document; if it was removed, an error and the button to all documents."""
    page, passage_id = LIBRARY.page.value, LIBRARY.passage.value
    st.button(
        "All documents", key="close", icon=":material/arrow_back:", type="tertiary", on_click=LIBRARY.reading.clear
    )
    try:
        document = library.document(document_id)
        own = [p for p in library.passages() if document_of(p.id) == document.id]
        passages = around(own, page)
    except UserError as error:
        show(error)
        return
    st.markdown(f"### {plain(book(document))}  \n:small[:gray[{plain(f'{details(document)} · {document.name}')}]]")
    if losses := loss_texts(document):
        st.warning(plain(" ".join(losses)), icon=":material/warning:")
    picture, text = st.columns([1, 1], gap="medium")
    with picture:
        _page_controls(page, document)
        picture_area = st.container()
    with text:
        _text(library, document, page, own, passage_id)
    with picture_area:  # last, since it takes longest
        _picture(library, document, page, passages, passage_id)


def around(own: Sequence[Passage], page: int) -> tuple[Passage, ...]:
    """Those passages of a document that may have text on this page, in order.

    A passage whose last sentence begins on the page before counts too, since that sentence may continue here.
    """
    return tuple(p for p in own if p.pages[0] <= page <= p.pages[-1] + 1)


def _page_controls(page: int, document: Any) -> None:
    pages, label = document.pages, document.label(page)
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="leaf"):
        st.button(
            "Previous", key="previous page", icon=":material/chevron_left:", shortcut="Left", disabled=page <= 1,
            on_click=turn_to, args=(page - 1,),
        )  # fmt: skip
        st.number_input(
            "Page", 1, pages, step=1, **LIBRARY.page.kept, on_change=LIBRARY.passage.clear, width=80,
            label_visibility="collapsed",
        )  # fmt: skip
        print_label = f" (printed {plain(label)})" if label and label != str(page) else ""
        st.markdown(f"of {pages}{print_label}", width="content")
        st.button(
            "Next", key="next page", icon=":material/chevron_right:", icon_position="right", shortcut="Right",
            disabled=page >= pages, on_click=turn_to, args=(page + 1,),
        )  # fmt: skip


def _picture(library: Any, document: Any, page: int, passages: tuple[Passage, ...], passage_id: str) -> None:
    """Draw the page with sentences highlighted. In the view "Not read well" these are the badly read sentences;
    otherwise those of the chosen passage or, if none is chosen, of all evidence."""
    badly = LIBRARY.view.value == VIEWS[2]
    passages_to_mark = (
        passages if badly else [p for p in passages if p.id == passage_id] or [p for p in passages if p.tells]
    )

    def chosen(p: Passage) -> Sequence[int]:  # a sentence that was read well is one run of text on its page
        return p.broken if badly else [i for i in range(len(p.sentences)) if i not in p.broken]

    try:
        marks = tuple(m for p in passages_to_mark for m in marks_of(library.sentence_rects(p.id), chosen(p)))
    except UserError as error:
        show(error)
        return
    if badly:
        note = "parts that were not read well are marked"
    elif not any(m[0] == page for m in marks):
        note = "nothing on this page can be evidence"
    else:
        note = f"{'the chosen passage is' if passage_id else 'passages that can be evidence are'} marked"
    page_picture(library, document.id, page, marks, f"{page_title(page, document.label(page))}: {note}")


def _text(library: Any, document: Any, page: int, own: Sequence[Passage], passage_id: str) -> None:
    view = st.segmented_control(
        "The text", VIEWS, default=VIEWS[0], required=True, key=LIBRARY.view.key, label_visibility="collapsed"
    )
    with st.container(height=HEIGHT, border=False, key="page_text"):
        if view == VIEWS[1]:
            try:
                st.text(library.raw_page(document.id, page) or "The file has no text on this page.")
            except UserError as error:
                show(error)
        elif view == VIEWS[2]:
            _not_read_well(own)
        elif here := [p for p in own if page in p.pages]:
            _draw_sentences(here, page, passage_id)
        else:
            st.caption("The library read no sentence that begins on this page.")


def _draw_sentences(passages: Sequence[Passage], page: int, passage_id: str) -> None:
    section = None
    for passage in passages:
        if passage.section and passage.section != section:
            st.markdown(f"**{plain(passage.section)}**")
        section = passage.section
        with st.container(border=True, key=f"passage {passage.id}", gap="xsmall"):
            st.markdown(page_sentences(passage, page))
            is_chosen = passage.id == passage_id
            st.button(
                "Marked" if is_chosen else "Mark", key=f"mark {passage.id}", icon=":material/ink_highlighter:",
                type="primary" if is_chosen else "tertiary", on_click=LIBRARY.passage.set,
                args=("" if is_chosen else passage.id,), help="Mark only this passage on the page",
            )  # fmt: skip


def page_sentences(passage: Passage, page: int) -> str:
    """The sentences of a passage that are on this page, as Markdown. If the passage begins on an earlier page or ends
    on a later one, a note says where."""
    sentences = [
        f":gray[{plain(text)}] {BADLY}" if i in passage.broken else plain(text)
        for i, (text, n) in enumerate(zip(passage.sentences, passage.pages, strict=True))
        if n == page and text != passage.section
    ]
    lines = [
        ":gray-badge[exercise: it asks a question, so it is not evidence]" if passage.kind == "exercise" else "",
        f":gray[from {plain(page_of_passage(passage, passage.pages[0]))} on …]" if passage.pages[0] < page else "",
        " ".join(sentences),
        f":gray[… on {plain(page_of_passage(passage, passage.pages[-1]))}]" if passage.pages[-1] > page else "",
    ]
    return "  \n".join(line for line in lines if line)


def _not_read_well(own: Sequence[Passage]) -> None:
    """Draw the badly read sentences by page, with a button that shows the page."""
    badly = [(p.pages[i], p.sentences[i]) for p in own for i in p.broken]
    if not badly:
        st.caption("Every sentence of this document was read well.")
    for page in sorted({n for n, _ in badly}):
        label = next(p.label(page) for p in own if page in p.pages)
        st.button(page_title(page, label), key=f"badly {page}", type="tertiary", on_click=turn_to, args=(page,))
        st.markdown("  \n".join(plain(text) for n, text in badly if n == page))
