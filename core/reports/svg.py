"""Small pictures for a page that runs nothing: shares as bars, promises against what came true, scores on a line."""

from collections.abc import Iterator, Sequence
from html import escape

from core.evaluation.outcomes import Rate

GOOD, BAD, QUIET, INK = "#00796b", "#c43e00", "#6f7885", "#1a1a1a"
_WIDE, _LEFT, _ROW = 640, 250, 26
_LONG = _WIDE - _LEFT - 110
"""Pixels of the whole picture, of the labels to its left, of a bar's row, and of a share of 1."""


def bars(title: str, rows: Sequence[tuple[str, Rate, str]]) -> str:
    """A share a row as a bar with its 95 % interval and its numbers; a row is (label, rate, colour)."""
    drawn = [line for n, row in enumerate(rows) for line in _bar(30 + n * _ROW, *row)]
    return _picture(title, 36 + len(rows) * _ROW, drawn)


def promises(title: str, points: Sequence[tuple[float, Rate]], across: str, upward: str) -> str:
    """What was said, in [0, 1], against how often it came true, each with its 95 % interval.

    On the dotted line a promise is kept.
    """
    side, left, top = 260, 60, 30
    frame = f'<rect x="{left}" y="{top}" width="{side}" height="{side}" fill="none" stroke="{QUIET}"/>'
    kept = f'<path d="M{left},{top + side} l{side},{-side}" stroke="{QUIET}" stroke-dasharray="3 4" fill="none"/>'
    drawn = [frame, kept]
    for said, true in points:
        x, (low, high) = left + said * side, true.interval
        y, most, least = (top + side * (1 - share) for share in (true.share, high, low))
        drawn.append(f'<path d="M{x:.1f},{most:.1f} V{least:.1f}" stroke="{GOOD}"/>')
        drawn.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" fill="{GOOD}"/>')
        drawn.append(_text(x + 7, y + 4, f"n {true.n}", size=10))
    drawn += [_text(left, top + side + 16, "0"), _text(left + side, top + side + 16, "1", "middle")]
    drawn += [_text(left + side / 2, top + side + 32, across, "middle"), _text(left + side + 14, top + 12, upward)]
    return _picture(title, top + side + 44, drawn)


def strips(title: str, rows: Sequence[tuple[str, Sequence[float], str]], limit: float | None = None) -> str:
    """Scores in [0, 1] as ticks on a line, a row each: (label, scores, colour). limit: a line through all of them."""
    drawn, bottom = [], 30 + 34 * len(rows)
    for n, (label, scores, colour) in enumerate(rows):
        y = 30 + 34 * n
        drawn.append(_text(_LEFT - 10, y + 16, label, "end"))
        drawn.append(f'<path d="M{_LEFT},{y + 22} h{_LONG}" stroke="#ddd"/>')
        ticks = "".join(f"M{_LEFT + _LONG * min(1.0, max(0.0, s)):.1f},{y + 3} v18" for s in scores)
        drawn.append(f'<path d="{ticks}" stroke="{colour}" stroke-opacity="0.6"/>')
    if limit is not None:
        x = _LEFT + _LONG * limit
        drawn.append(f'<path d="M{x:.1f},26 V{bottom}" stroke="{INK}" stroke-dasharray="4 3"/>')
        drawn.append(_text(x, bottom + 14, f"limit {limit:g}", "middle"))
    drawn += [_text(_LEFT, bottom + 14, "0"), _text(_LEFT + _LONG, bottom + 14, "1", "middle")]
    return _picture(title, bottom + 22, drawn)


def _bar(y: int, label: str, rate: Rate, colour: str) -> Iterator[str]:
    yield _text(_LEFT - 10, y + 13, label, "end")
    if rate.share is None:
        yield _text(_LEFT, y + 13, "no case", colour=QUIET)
        return
    low, high = (_LEFT + _LONG * x for x in rate.interval)
    size = f'width="{_LONG * rate.share:.1f}" height="17"'
    yield f'<rect x="{_LEFT}" y="{y}" {size} fill="{colour}" fill-opacity="0.75"/>'
    yield f'<path d="M{low:.1f},{y + 8.5} H{high:.1f}" stroke="{INK}"/>'
    yield _text(max(high, _LEFT + _LONG * rate.share) + 6, y + 13, f"{rate.count} of {rate.n}")


def _text(x: float, y: float, words: str, anchor: str = "start", colour: str = INK, size: int = 12) -> str:
    look = f'text-anchor="{anchor}" fill="{colour}" font-size="{size}"'
    return f'<text x="{x:.1f}" y="{y:.1f}" {look}>{escape(words)}</text>'


def _picture(title: str, height: float, drawn: Sequence[str]) -> str:
    head = _text(0, 14, title).replace("<text ", '<text font-weight="bold" ')
    body = "\n".join([head, *drawn])
    said = f'viewBox="0 0 {_WIDE} {height:.0f}" role="img" aria-label="{escape(title)}"'
    return f"<svg {said}>\n{body}\n</svg>"
