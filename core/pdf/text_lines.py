"""Letters become lines of words: what a person sees as one line of one text, with powers, bullets and its look."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import count, pairwise
from statistics import median

from core.pdf.glyphs import Glyph, Letters
from core.pdf.page import BULLET, UNCODED, Line, Word

LOWERED = 0.85
"""Times the size of its neighbours: an index or a power is smaller."""
_JUMP, _SPACED_JUMP = 1.3, 2.0  # of the size: a wider gap ends a run, without a space in the file and with one
_SAME_LINE, _BESIDE_INDEX = 0.25, 0.6  # of the size: level, and the gap beside an index
_ALIKE = 0.92  # of the size of the other: what is smaller belongs to another text, or is an index
_LARGEST = 2.5  # times the size of its neighbour: a larger letter is an ornament
_OVER = 0.12  # of the size: a letter is printed at most this far from where it was printed before
_CELL = 5.0  # points: letters printed over each other are looked for in squares of this width
_LATELY = 3  # runs: a line that the file writes in pieces has these close together
_SPACE = 0.2  # of the size: a gap that parts words, though no space stands in it
_STRAY, _OVERHANG = 0.04, -0.15  # a gap that does not, though one does; the letter before may lean over it
_LEANING = "fFTVWYPyvw"
_SPREAD = 5  # letters that a letter-spaced heading has at least
_AFTER_BULLET = 0.6  # of the size: the gap after a bullet
_INITIAL = 1.4  # times the size of the text beside it: a first letter that hangs down over several lines
_INITIALS = 20  # such letters that a page has at most
_RAISED = 0.15  # of the size: a power stands at least this much over its line
_DIGITS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_POWERS = str.maketrans("0123456789+-–−", f"{_DIGITS}⁺⁻⁻⁻")


def runs(letters: Iterable[Glyph]) -> list[list[Glyph]]:
    """The letters of each line from left to right, each with its place; lines in the order of the file."""
    every = list(_following(letters))
    kept, place = _once(every), count()
    if sum(map(len, kept)) < sum(map(len, every)):  # what is printed twice has one place
        kept = [[letter._replace(place=next(place)) for letter in run] for run in kept]
    return _merged(kept)


def _following(letters: Iterable[Glyph]) -> Iterator[list[Glyph]]:
    """Letters that follow each other in the file and on the page."""
    run: list[Glyph] = []
    for letter in letters:
        if run and not _follows(run[-1], letter):
            yield run
            run = []
        run.append(letter)
    if run:
        yield run


def _follows(before: Glyph, after: Glyph) -> bool:
    size = max(before.size, after.size)
    gap = after.left - before.right
    level = abs(after.baseline - before.baseline)
    raised = min(before.size, after.size) < LOWERED * size and gap < _BESIDE_INDEX * size
    jump = _SPACED_JUMP if after.space else _JUMP
    if size > _LARGEST * min(before.size, after.size):
        return False
    return -0.5 * size < gap < jump * size and level < (0.6 if raised else _SAME_LINE) * size


def _once(runs: Sequence[list[Glyph]]) -> list[list[Glyph]]:
    """The same runs without letters printed over themselves to look bold; the longest run keeps its own."""
    seen: dict[tuple[str, int, int], list[Glyph]] = {}
    kept = {
        n: [g for g in runs[n] if _is_first(g, seen)] for n in sorted(range(len(runs)), key=lambda n: -len(runs[n]))
    }
    return [kept[n] for n in range(len(runs)) if kept[n]]


def _is_first(letter: Glyph, seen: dict[tuple[str, int, int], list[Glyph]]) -> bool:
    """Remember a letter; False when the same one stood there already, at most a small part of its size away."""
    x, y, far = letter.left, letter.baseline, min(_OVER * letter.size, _CELL)
    for column in range(int((x - far) // _CELL), int((x + far) // _CELL) + 1):
        for row in range(int((y - far) // _CELL), int((y + far) // _CELL) + 1):
            for other in seen.get((letter.text, column, row), ()):
                if abs(other.left - x) + abs(other.baseline - y) < far:
                    return False
    seen.setdefault((letter.text, int(x // _CELL), int(y // _CELL)), []).append(letter)
    return True


def _merged(runs: list[list[Glyph]]) -> list[list[Glyph]]:
    """Runs that continue each other on the page, though the file has something in between, as one."""
    found: list[list[Glyph]] = []
    for run in runs:
        home = next((other for other in reversed(found[-_LATELY:]) if _touch(other, run)), None)
        if home is None:
            found.append(run)
        else:
            home[:] = sorted([*home, *run], key=lambda g: g.left)
    return found


def _touch(one: list[Glyph], other: list[Glyph]) -> bool:
    first, second = sorted((one, other), key=lambda run: run[0].left)
    before, after = _last(first), second[0]
    ratio = min(before.size, after.size) / max(before.size, after.size)
    if before.left >= after.left or LOWERED < ratio < _ALIKE:
        return False
    return _follows(before, after) or _follows(first[-1], after)


def _last(run: Sequence[Glyph]) -> Glyph:
    """The last letter of a run as if it stood on the run's own line: an index may end it."""
    size = max(g.size for g in run)
    return next(g for g in run if g.size > LOWERED * size)._replace(left=run[-1].left, right=run[-1].right)


def parted(run: Sequence[Glyph], size: float) -> Iterator[Sequence[Glyph]]:
    """The letters of each word of a line of this size."""
    gaps = [after.left - before.right for before, after in pairwise(run)]
    usual, spread = _usual(gaps, run), _is_letter_spaced(run)
    start = 0
    for place, gap in enumerate(gaps, 1):
        if gap - usual > _least(run[place - 1], run[place], spread) * size:
            yield run[start:place]
            start = place
    yield run[start:]


def _least(before: Glyph, after: Glyph, spread: bool) -> float:
    """The gap that parts these two letters, as a share of the size."""
    if spread or not after.space:
        return _SPACE
    upright = before.text.isascii() and before.text not in _LEANING and not before.italic
    return _STRAY if upright else _OVERHANG


def _is_letter_spaced(run: Sequence[Glyph]) -> bool:
    """Letters with a space after most of them: a heading spread over the line, no words of one letter."""
    spaces = sum(letter.space for letter in run[1:])
    return 2 * spaces > len(run) >= _SPREAD and all(letter.text.isalpha() for letter in run)


def _usual(gaps: Sequence[float], run: Sequence[Glyph]) -> float:
    """The gap between two letters of one word: wide in a letter-spaced line, about nothing in others."""
    inside = [gap for gap, after in zip(gaps, run[1:], strict=True) if not after.space]
    if not gaps:
        return 0.0
    return max(0.0, median(inside if 2 * len(inside) > len(gaps) else gaps))


def lines(letters: Iterable[Glyph]) -> list[Line]:
    """The lines of a page, in the order of the file."""
    letters = list(letters)
    lone = _lone_fonts(letters)
    return _capitals([_line(run) for run in _bulleted(runs(letters), lone) if _is_text(run)])


def _is_text(run: Sequence[Glyph]) -> bool:
    """Is at least half of a line known? Nobody can read one of which less is."""
    return 2 * sum(letter.text == UNCODED for letter in run) <= len(run)


def turned_lines(letters: Letters) -> list[Line]:
    """The lines that are turned by one, two and three quarters; their letters are counted on from the upright ones."""
    found, first = [], len(letters.turned[0])
    for turn in (1, 2, 3):
        found += [_counted_from(replace(line, turn=turn), first) for line in lines(letters.turned[turn])]
        first += len(letters.turned[turn])
    return found


def _counted_from(line: Line, first: int) -> Line:
    """`line` with the places of its letters counted from `first`; an empty span stays empty."""
    spans = ((w, (w.span[0] + first, w.span[1] + first)) for w in line.words)
    return replace(line, words=tuple(replace(w, span=span) if span[0] < span[1] else w for w, span in spans))


def _capitals(lines: list[Line]) -> list[Line]:
    """`lines` without letters that stand alone and large before a word that wants one, which has it now."""
    alone = [line for line in lines if len(line.text) == 1 and line.text.isupper()]
    for letter in alone if len(alone) <= _INITIALS else ():
        home = next((n for n, line in enumerate(lines) if _is_begun(line, letter)), None)
        if home is not None:
            first, *rest = lines[home].words
            lines[home] = replace(lines[home], words=(_begun(letter.words[0], first), *rest))
            lines.remove(letter)
    return lines


def _begun(letter: Word, rest: Word) -> Word:
    """A word with its first letter; no run of the file's letters where that stands elsewhere in it."""
    span = (letter.span[0], rest.span[1]) if letter.span[1] == rest.span[0] else (0, 0)
    return Word(text=letter.text + rest.text, left=letter.left, right=rest.right, span=span)


def _is_begun(line: Line, letter: Line) -> bool:
    """Does `letter` stand right before the first word of `line`, higher than it, or hanging down beside it?"""
    close = -0.2 * letter.size < line.left - letter.right < line.size
    level = letter.top - line.size < (line.top + line.bottom) / 2 < letter.bottom
    return close and level and letter.size > _INITIAL * line.size and line.text[:1].islower()


def _lone_fonts(letters: Iterable[Glyph]) -> frozenset[str]:
    """Fonts that the page needs for one letter only: it draws a bullet, whatever its code says."""
    used: dict[str, set[str]] = defaultdict(set)
    for letter in letters:
        used[letter.font].add(letter.text)
    return frozenset(font for font, texts in used.items() if len(texts) == 1)


def _bulleted(runs: Iterable[list[Glyph]], lone: frozenset[str]) -> list[list[Glyph]]:
    """The runs, a bullet with what stands behind it, however wide the gap."""
    found: list[list[Glyph]] = []
    for run in runs:
        if found and len(found[-1]) == 1 and _is_bullet(found[-1][0], run[0], lone):
            run = [*found.pop(), *run]
        if len(run) > 1 and _is_bullet(run[0], run[1], lone):
            run = [run[0]._replace(text=BULLET), *run[1:]]
        found.append(run)
    return found


def _is_bullet(first: Glyph, after: Glyph, lone: frozenset[str]) -> bool:
    gap, level = after.left - first.right, abs(after.baseline - first.baseline)
    near = _AFTER_BULLET * after.size < gap < _SPACED_JUMP * after.size and level < _SAME_LINE * after.size
    return near and (first.text == BULLET or first.font in lone)


def _line(run: list[Glyph]) -> Line:
    size = median(g.size for g in run)
    level = median(g.baseline for g in run if g.size > LOWERED * size)
    words = tuple(_word(part, size, level) for part in parted(run, size))
    bold, italic = (2 * sum(flags) > len(run) for flags in zip(*((g.bold, g.italic) for g in run), strict=True))
    body = [g for g in run if LOWERED * size < g.size < size / LOWERED] or run
    top, bottom = min(g.top for g in body), max(g.bottom for g in body)
    return Line(words=words, top=_p(top), bottom=_p(bottom), size=_p(size), bold=bold, italic=italic)


def _word(part: Sequence[Glyph], size: float, level: float) -> Word:
    """The letters of a word, powers as such: without them 10⁸ would read 108."""
    plain = "".join(g.text for g in part)
    powers = "".join(g.text.translate(_POWERS) if _is_raised(g, size, level) else g.text for g in part)
    text = powers if any(c in _DIGITS for c in powers) else plain
    places = [g.place for g in part]
    follow = places == list(range(places[0], places[0] + len(part)))
    span = (places[0], places[-1] + 1) if follow else (0, 0)
    return Word(text=text, left=_p(part[0].left), right=_p(max(g.right for g in part)), span=span)


def _is_raised(letter: Glyph, size: float, level: float) -> bool:
    return letter.size < LOWERED * size and level - letter.baseline > _RAISED * size


def _p(length: float) -> float:
    return round(length, 2)
