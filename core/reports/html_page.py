"""One HTML file that prints well, needs nothing else and runs nothing: what the reports have in common."""

from collections.abc import Iterable, Sequence
from html import escape

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
