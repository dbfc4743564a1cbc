"""The furniture of a book: running heads, page numbers and reprint lines, which are no part of its text, and the
printed number of each page. Turned lines are read as if the page were turned, apart from its main text.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from core.pdf.page import Line, Page

_DEPTH = 3  # a running line is among the highest or lowest three of its page
_SHARE = 0.25  # of the pages: left and right pages have different heads, and some pages have none
_LEAST = 3
REPRINT = re.compile(r"(?:re)?print(?:ed)?\s+\d{4}\s*[-–]\s*\d{2,4}", re.IGNORECASE)
_PAGE_NUMBER = re.compile(r"(?:page\s*)?[-–—\s]*(\d{1,4})[-–—\s]*(?:(?:of|/)\s*\d{1,4})?", re.IGNORECASE)
_AT_END = re.compile(r"(?:page\s*)?(?<![\d.])(\d{1,4})(?![\d.])(?:\s|$)|(?:\s|^)(?:page\s*)?(?<![\d.])(\d{1,4})$", re.I)
_ANY_NUMBER = re.compile(r"(?<![.\d])\d{1,4}(?![.\d])")
_HEAD_WORDS = 12  # a line with more words is no running head
_FEW = 0.25  # share of upright letters, at most, on a page whose text is turned: its head and number may be upright


def without_furniture(pages: Sequence[Page]) -> tuple[Page, ...]:
    """Return the pages without reprint lines, running heads and feet, and page numbers.

    A page number is a line that is only a number which increases with the pages: in the highest or lowest line on two
    pages, elsewhere, such as in the margin, on at least three pages and on half of the pages with text.
    """
    pages = tuple(_without(page, [n for n in page.lines if REPRINT.fullmatch(n.text)]) for page in pages)
    pages = without_running_lines(pages)
    # The lines of each page that are only a number: (line, its number minus the page's, is it the highest or lowest).
    lines: list[list[tuple[Line, int, bool]]] = []
    for page_number, page in enumerate(pages, 1):
        in_order = sorted(page.lines, key=lambda line: line.top)
        numbers = [(line, _PAGE_NUMBER.fullmatch(line.text)) for line in in_order if line.cell is None]
        ends = (in_order[0], in_order[-1]) if in_order else ()
        lines.append([(line, int(number[1]) - page_number, line in ends) for line, number in numbers if number])
    at_ends = Counter(offset for page in lines for _, offset, is_end in page if is_end)
    anywhere = Counter(offset for page in lines for offset in {offset for _, offset, _ in page})
    often = max(_LEAST, sum(bool(page.lines) for page in pages) / 2)

    def counts_pages(page: Sequence[tuple[Line, int, bool]], offset: int, is_end: bool) -> bool:
        in_doubt = not is_end and sum(other == offset for _, other, _ in page) > 1
        return not in_doubt and ((is_end and at_ends[offset] > 1) or anywhere[offset] >= often)

    return tuple(
        _without(page, [line for line, offset, is_end in found if counts_pages(found, offset, is_end)])
        for page, found in zip(pages, lines, strict=True)
    )


def without_running_lines(pages: Sequence[Page], *, all_may_go: bool = False) -> tuple[Page, ...]:
    """Remove running lines: lines at the top or bottom that recur, digits ignored, on at least 3 pages and on a quarter
    of the pages with text.

    If the lines contain a number, the number must increase with the pages, which that of a caption such as "Fig. 4"
    does not. If no line of the document would remain, the pages only look alike: nothing is then removed unless
    `all_may_go`.
    """
    recurring: dict[str, list[tuple[int, str]]] = defaultdict(list)  # (page number, line) of each key
    for number, page in enumerate(pages, 1):
        for text in dict.fromkeys(line.text for line in edges(page)):
            recurring[_key(text)].append((number, text))
    least = max(_LEAST, _SHARE * sum(bool(page.lines) for page in pages))
    running = {key for key, lines in recurring.items() if _is_running(key, lines, least)}
    new_pages = tuple(_without(page, [n for n in edges(page) if _key(n.text) in running]) for page in pages)
    return new_pages if all_may_go or any(page.lines for page in new_pages) else tuple(pages)


def _key(text: str) -> str:
    """The part of a running line that recurs: its text without digits, or all of it if it has no letters."""
    letters = "".join(re.sub(r"\d", "", text).split())
    return letters if any(c.isalpha() for c in letters) else "".join(text.split())


def _is_running(key: str, lines: Sequence[tuple[int, str]], least: float) -> bool:
    """True if these lines, (page number, text) of each, are on enough pages and are all the same or count the pages."""
    if len({page for page, _ in lines}) < least or not any(c.isalnum() for c in key):
        return False
    numbers = [{int(n) - page for n in _ANY_NUMBER.findall(text)} for page, text in lines]
    steps = Counter(step for line_steps in numbers for step in line_steps)
    return len({text for _, text in lines}) == 1 or 2 * max(steps.values(), default=0) >= sum(map(bool, numbers))


def _without(page: Page, lines: Sequence[Line]) -> Page:
    return replace(page, lines=tuple(n for n in page.lines if n not in lines)) if lines else page


def edges(page: Page) -> list[Line]:
    """The highest three and the lowest three lines; of a short page a third each."""
    lines = sorted(page.lines, key=lambda line: line.top)
    depth = min(_DEPTH, max(1, (len(lines) + 1) // 3))
    return lines[:depth] + lines[depth:][-depth:]


def page_labels(pages: Sequence[Page]) -> tuple[str, ...]:
    """The printed number of each page; "" if unknown.

    The file's own labels come first, unless they only count its pages. A file without them has the numbers that its
    pages print, and a page that prints none the number that follows from the others.
    """
    if any(page.label not in ("", str(page.number)) for page in pages):
        return tuple("" if page.label == str(page.number) else page.label for page in pages)
    pages_by_offset: dict[int, set[int]] = defaultdict(set)
    for page in pages:
        for number in _numbers_at_edges(page):
            pages_by_offset[number - page.number].add(page.number)
    offset = max(pages_by_offset, key=lambda offset: len(pages_by_offset[offset]), default=0)
    numbered_pages = set().union(*pages_by_offset.values())
    counts_on = len(pages_by_offset[offset]) >= max(2, len(numbered_pages) / 2)
    return tuple(str(page.number + offset) if counts_on and page.number + offset > 0 else "" for page in pages)


def _numbers_at_edges(page: Page) -> Iterator[int]:
    """Yield the numbers of the highest and lowest lines: on their own, or at an end of a running head."""
    for line in edges(page):
        if alone := _PAGE_NUMBER.fullmatch(line.text):
            yield int(alone[1])
        elif len(line.words) <= _HEAD_WORDS:
            ends = (m for m in _AT_END.finditer(line.text) if m.start() == 0 or m.end() == len(line.text))
            yield from (int(match[1] or match[2]) for match in ends)


def views(pages: Sequence[Page]) -> list[Page]:
    """Return each page without its furniture, followed by further pages for its turned lines.

    The first page has the lines that are turned like the main text. For each other turn of its lines there is one
    further page, on which these lines are in one box as large as the page, since they are no part of the running text.
    """
    mains: list[Page] = []
    others: list[list[Page]] = [[], [], [], []]  # by turn, each with one page for each of `pages`
    for page in pages:
        letters: Counter[int] = Counter({0: 0})
        for line in page.lines:
            letters[line.turn] += len(line.text)
        main = 0 if letters[0] > _FEW * letters.total() else letters.most_common(1)[0][0]
        mains.append(replace(page, lines=tuple(line for line in page.lines if line.turn == main)))
        boxes = *page.boxes, (0.0, 0.0, page.width, page.height)
        for turn in range(4):
            # Without letters and digits a line is the arrow head of a drawing.
            has_text = (n for n in page.lines if n.turn == turn != main and any(c.isalnum() for c in n.text))
            lines = tuple(replace(line, box=len(page.boxes)) for line in has_text)
            others[turn].append(replace(page, boxes=boxes, lines=lines))
    turned = [without_running_lines(of_turn, all_may_go=True) for of_turn in others]
    views_of_pages = zip(without_furniture(mains), *turned, strict=True)
    return [view for page, *rest in views_of_pages for view in (page, *(v for v in rest if v.lines))]
