"""The letters of a line become its words, with powers, bullets and the look of the line."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from statistics import median

from core.pdf.glyphs import Glyph
from core.pdf.page import Line, Word
from core.pdf.runs import LOWERED, runs
from core.pdf.spacing import parted
from core.pdf.symbols import BULLET

_BESIDE = 0.6  # of the size: the gap after a bullet
_RAISED = 0.15  # of the size: a power stands at least this much over its line
_DIGITS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_POWERS = str.maketrans("0123456789+-–−", f"{_DIGITS}⁺⁻⁻⁻")


def lines(letters: Iterable[Glyph]) -> list[Line]:
    """The lines of a page, in the order of the file where nothing says otherwise."""
    letters = list(letters)
    lone = _lone_fonts(letters)
    return [_line(_with_bullet(run, lone)) for run in runs(letters)]


def _lone_fonts(letters: Iterable[Glyph]) -> frozenset[str]:
    """Fonts that the page needs for one letter only: it draws a bullet, whatever its code says."""
    used: dict[str, set[str]] = defaultdict(set)
    for letter in letters:
        used[letter.font].add(letter.text)
    return frozenset(font for font, texts in used.items() if len(texts) == 1)


def _with_bullet(run: list[Glyph], lone: frozenset[str]) -> list[Glyph]:
    first = run[0]
    if len(run) > 1 and first.font in lone and run[1].left - first.right > _BESIDE * run[1].size:
        return [first._replace(text=BULLET), *run[1:]]
    return run


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
    return Word(text=text, left=_p(part[0].left), right=_p(max(g.right for g in part)))


def _is_raised(letter: Glyph, size: float, level: float) -> bool:
    return letter.size < LOWERED * size and level - letter.baseline > _RAISED * size


def _p(length: float) -> float:
    return round(length, 2)
