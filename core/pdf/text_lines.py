"""Groups the letters of a page into lines of words, with powers, bullets, size and style."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import count, pairwise, product
from statistics import median

from core.pdf.glyphs import Glyph
from core.pdf.page import BULLET, UNCODED, Line, Word, groups

SUBSCRIPT_SIZE = 0.85
"""Maximum size of an index or a power, as a multiple of the size of its neighbours."""
_JUMP, _SPACED_JUMP = 1.3, 2.0  # of the font size: a wider gap ends a run, without and with a space in the file
# As shares of the font size: maximum difference of two baselines in one line, and maximum gap beside an index.
_SAME_LINE, _BESIDE_INDEX = 0.25, 0.6
_ALIKE = 0.92  # of the size of the other: a smaller letter belongs to another text, or is an index
_LARGEST = 2.5  # times the size of its neighbour: a larger letter is an ornament
_OVER = 0.12  # of the font size: a letter printed again is at most this far from the first
_CELL = 5.0  # points: width of the grid squares in which letters printed again are looked up
_LATELY = 3  # maximum distance, in runs of the file, between two pieces of one line
_SPACE = 0.2  # of the font size: a wider gap separates words even without a space in the file
_PARTED = 0.15  # the same where pdfium sees a gap between words
_STRAY, _OVERHANG = 0.04, -0.15  # the same where the file has a space; a slanted letter may overhang the gap
_LEANING = "fFTVWYPyvw"
_SPREAD = 5  # fewest letters of a letter-spaced heading
_AFTER_BULLET = 0.6  # of the font size: smallest gap after a bullet
_INITIAL = 1.4  # times the size of the text beside it: a drop capital is larger
_INITIALS = 20  # most drop capitals of a page
_SUPERSCRIPT_RISE = 0.15  # of the font size: a power is at least this much above its line
_DIGITS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_POWERS = str.maketrans("0123456789+-–−", f"{_DIGITS}⁺⁻⁻⁻")


def runs(letters: Iterable[Glyph]) -> list[list[Glyph]]:
    """Group letters into runs: the letters of a line from left to right. The runs are in file order.

    Of a letter that is printed over itself only one remains; the letters then get new numbers.
    """
    pieces = list(groups(letters, _follows))
    distinct = _without_repeats(pieces)
    if sum(map(len, distinct)) < sum(map(len, pieces)):  # letters printed twice are gone: number the others anew
        orders = count(pieces[0][0].order)
        distinct = [[letter._replace(order=next(orders)) for letter in run] for run in distinct]
    # Runs that continue each other on the page are one, although the file has other text in between.
    whole_runs: list[list[Glyph]] = []
    for run in distinct:
        earlier = next((other for other in reversed(whole_runs[-_LATELY:]) if _touch(other, run)), None)
        if earlier is None:
            whole_runs.append(run)
        else:
            earlier[:] = sorted([*earlier, *run], key=lambda g: g.left)
    return whole_runs


def _follows(before: Glyph, after: Glyph) -> bool:
    """True if `after` continues the line that `before` ends, as indices and powers also do."""
    size = max(before.size, after.size)
    gap = after.left - before.right
    offset = abs(after.baseline - before.baseline)
    is_index = min(before.size, after.size) < SUBSCRIPT_SIZE * size and gap < _BESIDE_INDEX * size
    max_gap = _SPACED_JUMP if after.space else _JUMP
    if size > _LARGEST * min(before.size, after.size):
        return False
    return -0.5 * size < gap < max_gap * size and offset < (0.6 if is_index else _SAME_LINE) * size


def _without_repeats(runs: Sequence[list[Glyph]]) -> list[list[Glyph]]:
    """Remove letters that are printed over themselves to look bold. If copies of a letter are in two runs, the copy in
    the longer run stays.
    """
    known: dict[tuple[str, int, int], list[Glyph]] = defaultdict(list)  # by text and grid square

    def is_first(letter: Glyph) -> bool:
        x, y, radius = letter.left, letter.baseline, min(_OVER * letter.size, _CELL)
        columns, rows = (range(int((at - radius) // _CELL), int((at + radius) // _CELL) + 1) for at in (x, y))
        near = (g for column, row in product(columns, rows) for g in known.get((letter.text, column, row), ()))
        if any(abs(other.left - x) + abs(other.baseline - y) < radius for other in near):
            return False
        known[letter.text, int(x // _CELL), int(y // _CELL)].append(letter)
        return True

    longest_first = sorted(range(len(runs)), key=lambda n: -len(runs[n]))
    letters = {n: [letter for letter in runs[n] if is_first(letter)] for n in longest_first}
    return [letters[n] for n in range(len(runs)) if letters[n]]


def _touch(one: list[Glyph], other: list[Glyph]) -> bool:
    """True if one of the two runs continues the other on the page. The run that begins further right is the
    continuation.
    """
    first, second = sorted((one, other), key=lambda run: run[0].left)
    size, after = max(g.size for g in first), second[0]
    # The last letter may be an index: the run goes on at the size and baseline of its other letters.
    before = next(g for g in first if g.size > SUBSCRIPT_SIZE * size)
    before = before._replace(left=first[-1].left, right=first[-1].right)
    ratio = min(before.size, after.size) / max(before.size, after.size)
    if before.left >= after.left or SUBSCRIPT_SIZE < ratio < _ALIKE:
        return False
    return _follows(before, after) or _follows(first[-1], after)


def split_run(run: Sequence[Glyph], size: float) -> Iterator[Sequence[Glyph]]:
    """Yield the letters of each word of a line. size: font size of the line (points)."""
    gaps = [after.left - before.right for before, after in pairwise(run)]
    # Between two letters of one word, the gap is wide in a letter-spaced line, and about 0 in others.
    gaps_without_space = [gap for gap, after in zip(gaps, run[1:], strict=True) if not after.space]
    usual_gaps = gaps_without_space if 2 * len(gaps_without_space) > len(gaps) else gaps
    usual_gap = max(0.0, median(usual_gaps)) if gaps else 0.0
    # With a space after most letters, the run is one spread heading, not words of one letter.
    spaces = sum(letter.space for letter in run[1:])
    is_spread = 2 * spaces > len(run) >= _SPREAD and all(letter.text.isalpha() for letter in run)
    start = 0
    for index, gap in enumerate(gaps, 1):
        before, after = run[index - 1], run[index]
        if is_spread or not after.space:
            least = _PARTED if after.parted and not is_spread else _SPACE
        else:
            is_upright = before.text.isascii() and before.text not in _LEANING and not before.italic
            least = _STRAY if is_upright else _OVERHANG
        if gap - usual_gap > least * size:
            yield run[start:index]
            start = index
    yield run[start:]


def lines(letters: Iterable[Glyph]) -> list[Line]:
    """Return the lines of a page in file order."""
    letters = list(letters)
    # A font that the page uses for one letter only holds bullets, whatever the code of that letter.
    letters_by_font: dict[str, set[str]] = defaultdict(set)
    for g in letters:
        letters_by_font[g.font].add(g.text)
    bullet_fonts = frozenset(font for font, texts in letters_by_font.items() if len(texts) == 1)
    # A line is not readable if more than half of its letters have no known character.
    readable_runs = [
        run
        for run in _attach_bullets(runs(letters), bullet_fonts)
        if 2 * sum(letter.text == UNCODED for letter in run) <= len(run)
    ]
    return _attach_drop_capitals([_line(run) for run in readable_runs])


def _attach_drop_capitals(lines: list[Line]) -> list[Line]:
    """Join drop capitals with the words that they begin. A page with too many single capitals is left as it is."""
    capitals = [line for line in lines if len(line.text) == 1 and line.text.isupper()]
    for letter in capitals if len(capitals) <= _INITIALS else ():
        for n, line in enumerate(lines):
            is_close = -0.2 * letter.size < line.left - letter.right < line.size
            is_level = letter.top - line.size < line.middle < letter.bottom
            if is_close and is_level and letter.size > _INITIAL * line.size and line.text[:1].islower():
                first, *rest = line.words
                lines[n] = replace(line, words=(letter.words[0].joined(first), *rest))
                lines.remove(letter)
                break
    return lines


def _attach_bullets(runs: Iterable[list[Glyph]], bullet_fonts: frozenset[str]) -> list[list[Glyph]]:
    """Join each bullet with the run behind it, however wide the gap."""
    result: list[list[Glyph]] = []
    for run in runs:
        if result and len(result[-1]) == 1 and _is_bullet(result[-1][0], run[0], bullet_fonts):
            run = [*result.pop(), *run]
        if len(run) > 1 and _is_bullet(run[0], run[1], bullet_fonts):
            run = [run[0]._replace(text=BULLET), *run[1:]]
        result.append(run)
    return result


def _is_bullet(first: Glyph, after: Glyph, bullet_fonts: frozenset[str]) -> bool:
    """True if `first` is a bullet: by character or font, with a gap before `after` on the same line."""
    gap, offset = after.left - first.right, abs(after.baseline - first.baseline)
    is_near = _AFTER_BULLET * after.size < gap < _SPACED_JUMP * after.size and offset < _SAME_LINE * after.size
    return is_near and (first.text == BULLET or first.font in bullet_fonts)


def _line(run: list[Glyph]) -> Line:
    """Build a line from its letters. Its top and bottom ignore indices and powers."""
    size = median(g.size for g in run)
    baseline = median(g.baseline for g in run if g.size > SUBSCRIPT_SIZE * size)
    words = tuple(_word(part, size, baseline) for part in split_run(run, size))
    bold, italic = (2 * sum(flags) > len(run) for flags in zip(*((g.bold, g.italic) for g in run), strict=True))
    body = [g for g in run if SUBSCRIPT_SIZE * size < g.size < size / SUBSCRIPT_SIZE] or run
    top, bottom = min(g.top for g in body), max(g.bottom for g in body)
    return Line(words=words, top=_points(top), bottom=_points(bottom), size=_points(size), bold=bold, italic=italic)


def _word(part: Sequence[Glyph], size: float, baseline: float) -> Word:
    """Build a word from its letters. Powers become superscript digits: otherwise 10⁸ would read 108."""
    plain_text = "".join(g.text for g in part)
    is_raised = [g.size < SUBSCRIPT_SIZE * size and baseline - g.baseline > _SUPERSCRIPT_RISE * size for g in part]
    letters = zip(part, is_raised, strict=True)
    text_with_powers = "".join(g.text.translate(_POWERS) if raised else g.text for g, raised in letters)
    text = text_with_powers if any(c in _DIGITS for c in text_with_powers) else plain_text
    indices = [g.order for g in part]
    is_consecutive = indices == list(range(indices[0], indices[0] + len(part)))
    span = (indices[0], indices[-1] + 1) if is_consecutive else (0, 0)
    return Word(text=text, left=_points(part[0].left), right=_points(max(g.right for g in part)), span=span)


def _points(length: float) -> float:
    return round(length, 2)
