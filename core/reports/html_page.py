"""One HTML file that prints well, needs nothing else and runs nothing: pages, tables and drawings of the reports."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from core.evaluation.outcomes import Rate

_STYLE = """
:root { color-scheme: light; }
body { font: 15px/1.45 Georgia, serif; color: #1a1a1a; background: #fff; max-width: 62rem; margin: 2rem auto;
  padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2rem; } h3 { font-size: 1rem; margin: 1.2rem 0 .3rem; }
table { border-collapse: collapse; width: 100%; margin: .6rem 0 1.4rem; font-size: .85rem; }
caption { text-align: left; font-weight: bold; padding-bottom: .3rem; }
th, td { border: 1px solid #bbb; padding: .3rem .45rem; text-align: left; vertical-align: top;
  overflow-wrap: break-word; }
th { background: #f0f0f0; }
table.rows { table-layout: fixed; } table.rows td { overflow-wrap: anywhere; }
small { color: #555; }
thead { display: table-header-group; } tr { break-inside: avoid; } h1, h2, h3 { break-after: avoid; }
@page { margin: 1.5cm; }
@media print { body { margin: 0; max-width: none; font-size: 11px; } th { background: none; } }
"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
GOOD, BAD, QUIET, INK = "#00796b", "#c43e00", "#6f7885", "#1a1a1a"
_WIDE, _LEFT, _ROW = 640, 250, 26
_LONG = _WIDE - _LEFT - 110
"""Pixels of the whole picture, of the labels to its left, of a bar's row, and of a share of 1."""


def html_page(title: str, parts: Iterable[str], *, style: str = "", pictures: bool = False) -> str:
    """The parts, which are HTML already, as a page called `title`, which is not.

    style: more rules. pictures: the page may show those that it holds itself; it can never load anything.
    """
    policy = f"{_POLICY}; img-src data:" if pictures else _POLICY
    return "\n".join([
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        f"<title>{escape(title)}</title>\n<style>{_STYLE}{style}</style>\n</head>\n<body>",
        *parts, "</body>\n</html>\n",
    ])  # fmt: skip


def table(heads: Sequence[tuple[str, int]], rows: Iterable[Sequence[str]]) -> str:
    """Rows of cells that are HTML already, under heads that are not, each with its share of the width in percent.

    Without shares (all of them 0) the columns are as wide as what is in them.
    """
    fixed = any(width for _, width in heads)
    widths = [f' style="width: {width}%"' if fixed else "" for _, width in heads]
    head = "".join(f"<th{width}>{escape(name)}</th>" for (name, _), width in zip(heads, widths, strict=True))
    lines = ["<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows]
    opening = '<table class="rows">' if fixed else "<table>"
    return f"{opening}\n<thead><tr>{head}</tr></thead>\n<tbody>\n" + "\n".join(lines) + "\n</tbody>\n</table>"


def two(first: object, second: str) -> str:
    """A cell of two lines, the second one small; both are escaped."""
    return escape(str(first)) + (f"<br><small>{escape(second)}</small>" if second else "")


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
