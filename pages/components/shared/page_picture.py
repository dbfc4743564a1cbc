"""The picture of a page of a book with marked text, and the way to that page in the Library."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from core.errors import UserError
from core.pdf.page import PageRect
from pages.components.shared.safe_display import MARKUP, plain, show
from pages.components.shared.session import LIBRARY

BADLY = ":gray-badge[not read well]"
"""Badge after a sentence that is not one run of text on its page; such a sentence is never quoted."""
WIDTH = 1100
"""Width of a page picture in pixels, enough to read formulae when it is enlarged."""
_NEARER = 0.1
"""The left margin takes the label of a text only if it is nearer to the text by more than this share of the width."""
_LABEL_HEIGHT = 2.5
"""Height of a label in percent of the height of a page, as the page is drawn beside an answer."""


@dataclass(frozen=True, kw_only=True)
class PageLabel:
    """A word beside marked text on a page. rects: of the text. look: the NLI label that colours it."""

    rects: tuple[PageRect, ...]
    text: str
    look: str


def page_picture(
    library: Any, document: str, page: int, marks: tuple[PageRect, ...], title: str,
    labels: Sequence[PageLabel] = (), shows: str = "",
) -> None:  # fmt: skip
    """Draw a page with the rectangles `marks` highlighted; draw an error if the page cannot be drawn.

    title: the text above the picture. shows: what is marked; with the title, it is the text alternative.
    """
    with st.container(key="page_picture", gap="xsmall"):
        st.caption(plain(title))
        try:
            with st.spinner("Drawing the page …"):
                image = library.picture(document, page, marks, width=WIDTH)
        except UserError as error:
            show(error)
        else:
            with st.container(border=True, key="page_sheet", gap=None):  # separates white paper from the white page
                st.image(image, width="stretch", output_format="PNG", alt=f"{title}: {shows}" if shows else title)
                if labels:
                    st.html(labels_html(labels, page))


def labels_html(labels: Sequence[PageLabel], page: int) -> str:
    """The labels of a page as HTML: each in the nearer margin, at the first line of its text, or below the label that
    is there already."""
    found, spans, free_from = [], [], {"left": 0.0, "right": 0.0}
    for label in labels:
        if here := [rect[1:] for rect in label.rects if rect[0] == page]:
            left, top, right = min(r[0] for r in here), min(r[1] for r in here), max(r[2] for r in here)
            side = ("right", 100 * (1 - left)) if left + _NEARER < 1 - right else ("left", 100 * right)
            found.append((100 * top, *side, label.look, label.text))
    for top, side, distance, look, text in sorted(found):
        place = max(top, free_from[side])
        free_from[side] = place + _LABEL_HEIGHT
        spans.append((look, place, side, distance, text))
    return MARKUP.labels(spans)


def open_document(document: str, page: int = 1, passage: str = "") -> None:
    """Open a document at a page; a callback. passage: the id of the passage to highlight; "" highlights all passages
    that can be evidence."""
    LIBRARY.reading.value, LIBRARY.page.value, LIBRARY.passage.value = document, page, passage
