"""Pictures of the pages that a verdict rests on, with the sentences that decided marked on them."""

from dataclasses import dataclass, field
from typing import Any

from core.book_titles import book, page_title
from core.decide import Verdict
from core.decide.judged_sentences import deciding
from core.library import LibraryError
from core.library.passages import document_of, marks_of
from core.pdf.page import PageRect

MOST_PAGES = 6
"""Maximum number of pages drawn: a report is meant to be sent and printed."""
WIDTH = 900
"""Width in pixels: enough for formulas at the width of a printed page."""


@dataclass(kw_only=True)
class PagePicture:
    """A picture of a page of a document. page: from 1. label: the page number that is printed on it.

    png: empty if `why`, the reason why it cannot be drawn, is set. marks: the marked rectangles. sentences: numbers,
    from 1, of the answer sentences that the marked text decided; empty if it decided none and only bears on the
    question.
    """

    document: str
    page: int
    label: str = ""
    png: bytes = b""
    why: str = ""
    marks: list[PageRect] = field(default_factory=list)
    sentences: set[int] = field(default_factory=set)

    @property
    def caption(self) -> str:
        location, numbers = f"{page_title(self.page, self.label)} of {self.document}", sorted(self.sentences)
        if not self.marks:
            return f"{location}. The place of the sentences on this page is not known."
        marked = f"decided about sentence {', '.join(map(str, numbers))}" if numbers else "relevant to the question"
        return f"{location}. Marked: the text that {marked}."


def used_passages(verdict: Verdict) -> tuple[int, ...]:
    """The indices of the passages that were cited or that decided a sentence, cited ones first."""
    count = len(verdict.round.case.evidence)
    citations = [c - 1 for s in verdict.sentences for c in s.citations if 1 <= c <= count]
    return tuple(dict.fromkeys([*citations, *(p for p in range(count) if deciding(verdict.round, p))]))


def page_pictures(verdict: Verdict, library: Any) -> tuple[PagePicture, ...]:
    """Pictures of the pages with the used passages of `verdict` and its parts, at most MOST_PAGES, each drawn once. If
    the library no longer has a page, its picture says why.
    """
    pictures: dict[tuple[str, int], PagePicture] = {}
    for part in verdict.parts or (verdict,):
        for index in used_passages(part) if part.round.case.question.contexts is None else ():  # contexts have no pages
            _mark(pictures, part, index, library)
    drawn = list(pictures.items())[:MOST_PAGES]
    for (document, page), picture in drawn:
        try:
            marks = tuple(dict.fromkeys(picture.marks))
            picture.png = b"" if picture.why else library.picture(document, page, marks, width=WIDTH)
        except LibraryError as error:
            picture.why = str(error)
    return tuple(picture for _, picture in drawn)


def _mark(pictures: dict[tuple[str, int], PagePicture], verdict: Verdict, index: int, library: Any) -> None:
    """Mark one passage on `pictures`, by (document, page): the sentences that decided an answer sentence, else those
    that bear on the query. index: of the passage in the evidence."""
    evidence = verdict.round.case.evidence[index]
    passage, decided, why = evidence.passage, deciding(verdict.round, index), ""
    try:
        rects = tuple(library.sentence_rects(passage.id))
    except LibraryError as error:  # the document was removed
        rects, why = (), str(error)
    marks = marks_of(rects, sorted(decided) or evidence.kept)
    for page in sorted({mark[0] for mark in marks}) or [passage.page]:
        key = (document_of(passage.id), page)
        picture = pictures.setdefault(key, PagePicture(document=book(passage), page=page, why=why))
        picture.label = picture.label or passage.label(page)
        picture.marks += [mark for mark in marks if mark[0] == page]
        picture.sentences |= {sentence + 1 for sentence in decided.values()}
