"""The pages that a verdict rests on, as pictures for a report, with what mattered on them marked."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from core.case import Evidence
from core.chain import Verdict
from core.chain.judged_sentences import deciding
from core.library import LibraryError
from core.library.passage_store import document_of, marks_of
from core.pdf.page import Place

MOST = 6
"""More pages than this are not drawn: a report is to be sent and printed."""
WIDTH = 900
"""Pixels: enough for formulae at the width of a printed page."""


@dataclass(frozen=True, kw_only=True)
class PagePicture:
    """A page, counted from 1, of the document called `document`; `png` is empty where `why` says why there is none.

    sentences: those of the answer, from 1, that what is marked decided; none where the marks are what was read.
    """

    document: str
    page: int
    png: bytes = b""
    why: str = ""
    marked: int = 0
    sentences: tuple[int, ...] = ()

    @property
    def caption(self) -> str:
        """What the picture shows."""
        said = f"Page {self.page} of {self.document}"
        if not self.marked:
            return f"{said}. Where the sentences stand on it is not known."
        numbers = ", ".join(map(str, self.sentences))
        return f"{said}. Marked: what decided sentence {numbers}." if numbers else f"{said}. Marked: what was read."


@dataclass(kw_only=True)
class _Page:
    """What is to be marked on one page."""

    name: str
    why: str = ""
    marks: list[Place] = field(default_factory=list)
    sentences: set[int] = field(default_factory=set)


def used(verdict: Verdict) -> tuple[int, ...]:
    """Places in the evidence of the passages that were cited or decided a sentence, those cited first."""
    count = len(verdict.round.case.evidence)
    cited = [c - 1 for s in verdict.sentences for c in s.citations if 1 <= c <= count]
    return tuple(dict.fromkeys([*cited, *(p for p in range(count) if deciding(verdict.round, p))]))


def page_pictures(
    verdict: Verdict, library: Any, progress: Callable[[int, int], None] = lambda _, __: None
) -> tuple[PagePicture, ...]:
    """The pages of the used passages of `verdict`, and of its parts, at most MOST of them, each drawn once.

    progress: called with how many are drawn, of how many. Where the library no longer has a page, it says why.
    """
    pages: dict[tuple[str, int], _Page] = {}
    for one in verdict.parts or (verdict,):
        for place in used(one):
            _mark(pages, one, place, library)
    shown = list(pages.items())[:MOST]
    return tuple(_drawn(shown, library, progress))


def _mark(pages: dict[tuple[str, int], _Page], verdict: Verdict, place: int, library: Any) -> None:
    """Add what mattered of one passage to the pages that it stands on."""
    evidence = verdict.round.case.evidence[place]
    passage, decided = evidence.passage, deciding(verdict.round, place)
    places, why = _places(evidence, library)
    marks = marks_of(places, sorted(decided) or evidence.kept)
    for page in sorted({mark[0] for mark in marks}) or [passage.page]:
        about = pages.setdefault((document_of(passage.id), page), _Page(name=passage.document, why=why))
        about.marks += [mark for mark in marks if mark[0] == page]
        about.sentences |= {s + 1 for s in decided.values()}


def _places(evidence: Evidence, library: Any) -> tuple[tuple[tuple[Place, ...], ...], str]:
    """Where the sentences of a passage stand; nowhere, and why, when its document was removed."""
    try:
        return tuple(library.places(evidence.passage.id)), ""
    except LibraryError as error:
        return (), str(error)


def _drawn(
    shown: list[tuple[tuple[str, int], _Page]], library: Any, progress: Callable[[int, int], None]
) -> Iterator[PagePicture]:
    for done, ((document, page), about) in enumerate(shown):
        progress(done, len(shown))
        picture = PagePicture(
            document=about.name, page=page, why=about.why, marked=len(about.marks),
            sentences=tuple(sorted(about.sentences)),
        )  # fmt: skip
        yield picture if about.why else _with_png(picture, document, about.marks, library)


def _with_png(picture: PagePicture, document: str, marks: list[Place], library: Any) -> PagePicture:
    try:
        png = library.picture(document, picture.page, tuple(dict.fromkeys(marks)), width=WIDTH)
    except LibraryError as error:
        return replace(picture, why=str(error))
    return replace(picture, png=png)
