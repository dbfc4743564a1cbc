"""Pages of school prose with questions, which we wrote ourselves (data/reading/pages), and the examples for training
the reader that are made of them.

An answer may be several neighbouring sentences, and most sentences of a page answer no question. A page of a file:

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
    """A question that a page answers.

    kind: the word after "Q" in the file. places: the indices of the sentences that are a full answer. short: the
    shortest answer, a part of one of these sentences; "" if the whole sentences are the answer.
    """

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
    """A page of school prose. answerable: the questions that it answers. unanswerable: questions on its topic that it
    does not answer."""

    chapter: str
    heading: str
    sentences: tuple[str, ...]
    answerable: tuple[PageQuestion, ...]
    unanswerable: tuple[OpenQuestion, ...]

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
            answerable=tuple(
                PageQuestion(kind=kind, query=query, places=tuple(int(n) - 1 for n in numbers.split()), short=short)
                for kind, query, numbers, short in _cells(lines, "Q ")
            ),
            unanswerable=tuple(
                OpenQuestion(query=query, near=int(number) - 1) for query, number in _cells(lines, "N |")
            ),
        )  # fmt: skip
    except ValueError as error:
        raise TrainingError(f"The page {head!r:.80} of {file.name} cannot be read ({error}); see README.md.") from error


def _cells(lines: Sequence[str], start: str) -> list[list[str]]:
    """The cells of each line that begins with `start`."""
    return [[cell.strip() for cell in line[len(start) :].split("|")] for line in lines if line.startswith(start)]


def examples(pages: Sequence[SchoolPage], random: Random) -> list[QuestionExample]:
    """The training examples from the pages, in random order."""
    examples_ = [one for page in pages for one in _page_examples(page, random)]
    random.shuffle(examples_)
    return examples_


def _page_examples(page: SchoolPage, random: Random) -> Iterator[QuestionExample]:
    for question in page.answerable:
        yield from _question_examples(page, question, random)
    for open_question in page.unanswerable:
        yield _unanswered_example(page, open_question.query, _around(page, (open_question.near,), random))
        near = {open_question.near, *random.choice([(), (open_question.near - 1,), (open_question.near + 1,)])}
        yield _unanswered_example(page, open_question.query, sorted(n for n in near if 0 <= n < len(page.sentences)))


def _question_examples(page: SchoolPage, question: PageQuestion, random: Random) -> Iterator[QuestionExample]:
    """Yield training examples of one question with different texts: the answer alone, with neighbouring sentences, a
    part of the answer, and sentences without it."""
    last = len(page.sentences) - 1
    yield _answered_example(page, question, question.places)
    yield _answered_example(page, question, _around(page, question.places, random))
    if random.random() < 0.7:
        beside = random.choice([min(question.places) - 1, max(question.places) + 1])
        yield _answered_example(page, question, sorted({*question.places, min(max(beside, 0), last)}))
    if len(question.places) > 1 and question.kind not in ("example", "keywords"):
        short = [n for n in question.places if question.short and question.short in page.sentences[n]]
        left = [n for n in question.places if n not in (short or question.places[-1:])]
        if left:
            yield _unanswered_example(page, question.query, left)
    others = [n for n in range(len(page.sentences)) if n not in question.places]
    question_words = set(content(question.query))
    likely = sorted(others, key=lambda n: -len(question_words & set(content(page.sentences[n]))))
    for index in {*likely[:1], random.choice(others)}:
        stretch = [n for n in range(index, index + random.choice([1, 1, 2, 3])) if n in others]
        yield _unanswered_example(page, question.query, stretch)
    if random.random() < 0.6:
        yield _unanswered_example(page, question.query, _within(page, others, random.choice(others)))


def _around(page: SchoolPage, places: Sequence[int], random: Random) -> list[int]:
    """The indices of a run of sentences: those in `places`, and a random number of sentences before and after them, as
    long as the run has at most _WINDOW words."""
    indices, directions = set(range(min(places), max(places) + 1)), [-1, 1]
    random.shuffle(directions)
    for step in [random.choice(directions) for _ in range(12)]:
        index = min(indices) - 1 if step < 0 else max(indices) + 1
        if 0 <= index < len(page.sentences) and len(page.text(sorted({*indices, index})).split()) <= _WINDOW:
            indices.add(index)
    return sorted(indices)


def _within(page: SchoolPage, places: Sequence[int], start: int) -> list[int]:
    """The indices in `places` from `start` on, as many as together have at most _WINDOW words; `start` is always among
    them."""
    indices: list[int] = []
    for index in (n for n in places if n >= start):
        if len(page.text([*indices, index]).split()) > _WINDOW:
            break
        indices.append(index)
    return indices or [start]


def _answered_example(page: SchoolPage, question: PageQuestion, places: Sequence[int]) -> QuestionExample:
    """The question with the sentences at `places` as text.

    The span is the short answer. Without a short answer it is the first run of consecutive sentences of the full
    answer.
    """
    text = page.text(places)
    if question.short:
        start = text.find(question.short)
        span = (start, start + len(question.short))
    else:
        first = min(question.places)
        run = [n for n in question.places if n - first == question.places.index(n)]
        start = text.find(page.sentences[first])
        span = (start, start + len(page.text(run)))
    return QuestionExample(question=question.query, text=text, span=span, source=f"{_SOURCE}/answered")


def _unanswered_example(page: SchoolPage, query: str, places: Sequence[int]) -> QuestionExample:
    return QuestionExample(question=query, text=page.text(places), span=None, source=f"{_SOURCE}/open")
