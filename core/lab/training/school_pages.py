"""Questions over whole pages of school prose that we wrote ourselves (data/reading/pages), and the examples that a
reader learns from them: an answer may take several neighbouring sentences, and most sentences of a page are none.

A page of a file:

    ## chapter | heading
    1. First sentence.
    Q kind | a question | the numbers of all sentences of a full answer | its shortest answer, or nothing
    N | a question that the page does not answer | the number of the sentence that looks most like an answer
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from core.lab.training.nli_datasets import TrainingError
from core.lab.training.qa_datasets import QuestionExample
from core.text.words import content

PAGES = Path("data/reading/pages")
_PARTS = 12
"""One in this many chapters is held out for choosing, and another one for reporting."""
_WINDOW = 110
"""Maximum words of a page in one input of the reader."""
_SOURCE = "pages"


@dataclass(frozen=True, kw_only=True)
class PageQuestion:
    """A question that a page answers. places: indices of the sentences of a full answer. short: the shortest answer, a
    part of one of them; "" if the whole sentences are the answer."""

    kind: str
    query: str
    places: tuple[int, ...]
    short: str


@dataclass(frozen=True, kw_only=True)
class OpenQuestion:
    """A question that a page does not answer. near: index of the sentence that looks most like an answer."""

    query: str
    near: int


@dataclass(frozen=True, kw_only=True)
class SchoolPage:
    """A section of a chapter with its questions."""

    chapter: str
    heading: str
    sentences: tuple[str, ...]
    asked: tuple[PageQuestion, ...]
    open: tuple[OpenQuestion, ...]

    @property
    def part(self) -> str:
        """ "train", "choose" or "report"; every page of a chapter belongs to the same part."""
        digest = hashlib.sha256(self.chapter.encode()).digest()
        return {0: "choose", 1: "report"}.get(digest[0] % _PARTS, "train")

    def text(self, places: Sequence[int]) -> str:
        """The sentences with indices `places` as one text."""
        return " ".join(self.sentences[n] for n in places)


def school_pages(part: str, folder: Path = PAGES) -> list[SchoolPage]:
    """Every page of one part. Raises TrainingError for an unreadable one."""
    files = sorted(folder.glob("*.txt"))
    if not files:
        raise TrainingError(f"{folder} holds no pages (*.txt); name their folder with --pages.")
    texts = ((file, text) for file in files for text in file.read_text("utf-8").split("## ")[1:])
    return [page for file, text in texts if (page := _page(text, file)).part == part]


def _page(text: str, file: Path) -> SchoolPage:
    head, *lines = text.strip().splitlines()
    chapter, _, heading = (part.strip() for part in head.partition("|"))
    try:
        return SchoolPage(
            chapter=chapter, heading=heading,
            sentences=tuple(line.split(". ", 1)[1].strip() for line in lines if re.match(r"\d+\. ", line)),
            asked=tuple(_asked(line[2:]) for line in lines if line.startswith("Q ")),
            open=tuple(_open(line) for line in lines if line.startswith("N |")),
        )  # fmt: skip
    except ValueError as error:
        raise TrainingError(f"The page {head!r:.80} of {file.name} cannot be read ({error}); see README.md.") from error


def _asked(line: str) -> PageQuestion:
    kind, query, numbers, short = (part.strip() for part in line.split("|"))
    return PageQuestion(kind=kind, query=query, places=tuple(int(n) - 1 for n in numbers.split()), short=short)


def _open(line: str) -> OpenQuestion:
    _, query, number = (part.strip() for part in line.split("|"))
    return OpenQuestion(query=query, near=int(number) - 1)


def examples(pages: Sequence[SchoolPage], random: Random) -> list[QuestionExample]:
    """The training examples from the pages, in random order."""
    found = [one for page in pages for one in _of_page(page, random)]
    random.shuffle(found)
    return found


def _of_page(page: SchoolPage, random: Random) -> Iterator[QuestionExample]:
    for asked in page.asked:
        yield from _of_answered(page, asked, random)
    for asked in page.open:
        yield _unanswered(page, asked.query, _around(page, (asked.near,), random))
        near = {asked.near, *random.choice([(), (asked.near - 1,), (asked.near + 1,)])}
        yield _unanswered(page, asked.query, sorted(n for n in near if 0 <= n < len(page.sentences)))


def _of_answered(page: SchoolPage, asked: PageQuestion, random: Random) -> Iterator[QuestionExample]:
    """Yield examples with the answer alone, with neighbours and in its page; and with a part of it or without it."""
    last = len(page.sentences) - 1
    yield _answered(page, asked, asked.places)
    yield _answered(page, asked, _around(page, asked.places, random))
    if random.random() < 0.7:
        beside = random.choice([min(asked.places) - 1, max(asked.places) + 1])
        yield _answered(page, asked, sorted({*asked.places, min(max(beside, 0), last)}))
    if len(asked.places) > 1 and asked.kind not in ("example", "keywords"):
        short = [n for n in asked.places if asked.short and asked.short in page.sentences[n]]
        left = [n for n in asked.places if n not in (short or asked.places[-1:])]
        if left:
            yield _unanswered(page, asked.query, left)
    others = [n for n in range(len(page.sentences)) if n not in asked.places]
    wanted = set(content(asked.query))
    likely = sorted(others, key=lambda n: -len(wanted & set(content(page.sentences[n]))))
    for place in {*likely[:1], random.choice(others)}:
        stretch = [n for n in range(place, place + random.choice([1, 1, 2, 3])) if n in others]
        yield _unanswered(page, asked.query, stretch)
    if random.random() < 0.6:
        yield _unanswered(page, asked.query, _within(page, others, random.choice(others)))


def _around(page: SchoolPage, places: Sequence[int], random: Random) -> list[int]:
    """`places` with a random number of sentences before and after, at most _WINDOW words."""
    chosen, grows = set(range(min(places), max(places) + 1)), [-1, 1]
    random.shuffle(grows)
    for step in [random.choice(grows) for _ in range(12)]:
        place = min(chosen) - 1 if step < 0 else max(chosen) + 1
        if 0 <= place < len(page.sentences) and len(page.text(sorted({*chosen, place})).split()) <= _WINDOW:
            chosen.add(place)
    return sorted(chosen)


def _within(page: SchoolPage, places: Sequence[int], start: int) -> list[int]:
    """The first of `places` from `start` on, as many as fit into _WINDOW words."""
    chosen: list[int] = []
    for place in (n for n in places if n >= start):
        if len(page.text([*chosen, place]).split()) > _WINDOW:
            break
        chosen.append(place)
    return chosen or [start]


def _answered(page: SchoolPage, asked: PageQuestion, places: Sequence[int]) -> QuestionExample:
    """The question with the sentences at `places`, which contain its answer: the short one, or else from the first of
    its sentences to the last consecutive one."""
    text = page.text(places)
    if asked.short:
        start = text.find(asked.short)
        span = (start, start + len(asked.short))
    else:
        first = min(asked.places)
        run = [n for n in asked.places if n - first == asked.places.index(n)]
        start = text.find(page.sentences[first])
        span = (start, start + len(page.text(run)))
    return QuestionExample(question=asked.query, text=text, span=span, source=f"{_SOURCE}/answered")


def _unanswered(page: SchoolPage, query: str, places: Sequence[int]) -> QuestionExample:
    return QuestionExample(question=query, text=page.text(places), span=None, source=f"{_SOURCE}/open")
