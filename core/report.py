"""An evaluation for people: sentences for a terminal, and one HTML file that prints well and needs nothing else."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from core.outcomes import ANSWERS, QUESTIONS, Outcome

_STYLE = """
body { font: 15px/1.45 Georgia, serif; color: #1a1a1a; background: #fff; max-width: 62rem; margin: 2rem auto;
  padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; margin: .6rem 0 1.4rem; font-size: .85rem; }
caption { text-align: left; font-weight: bold; padding-bottom: .3rem; }
th, td { border: 1px solid #bbb; padding: .3rem .45rem; text-align: left; vertical-align: top;
  overflow-wrap: anywhere; }
th { background: #f0f0f0; }
table.rows { table-layout: fixed; }
small { color: #555; }
thead { display: table-header-group; } tr { break-inside: avoid; }
@page { margin: 1.5cm; }
@media print { body { margin: 0; max-width: none; font-size: 11px; } th { background: none; } }
"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def in_words(found: Mapping[str, Any]) -> str:
    """An evaluation as plain sentences, a line for each kind and expectation."""
    lines = [_headline(found)]
    for group, names in (("questions", QUESTIONS), ("answers", ANSWERS)):
        if found[group]["all"]["n"]:
            lines += ["", *(f"{label}: {_said(counted, names)}" for label, counted in _lines(found[group]))]
    return "\n".join(lines)


def page(found: Mapping[str, Any], outcomes: Sequence[Outcome]) -> str:
    """The evaluation as one HTML page: counts, then every row with what became of it. All text of others is escaped."""
    tables = [
        _table(title, found[group], names)
        for title, group, names in (("Questions", "questions", QUESTIONS), ("Judged answers", "answers", ANSWERS))
        if found[group]["all"]["n"]
    ]
    return "\n".join([
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        f"<title>Evaluation of {escape(found['bank'])}</title>\n<style>{_STYLE}</style>\n</head>\n<body>",
        f"<h1>Evaluation of {escape(found['bank'])}</h1>\n<p>{escape(_headline(found))}</p>",
        "<p>Each count stands with its share and a 95 % interval (Wilson).</p>",
        *tables, _rows_table(outcomes), "</body>\n</html>\n",
    ])  # fmt: skip


def _headline(found: Mapping[str, Any]) -> str:
    asked, judged = found["questions"]["all"]["n"], found["answers"]["all"]["n"]
    lacking = found["missing_documents"]
    lacks = f" The library lacks {', '.join(lacking)}, so these counts say little." if lacking else ""
    return (
        f"{found['bank']}: {asked} questions and {judged} answers, preset {found['preset']}, "
        f"{found['profile']} models, {found['date']}.{lacks}"
    )


def _lines(group: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """("kind, expected ..., alteration", its counts), the sums of a kind before its alterations."""
    for kind, expected in group["kinds"].items():
        for due, counted in expected.items():
            for alteration, some in counted.items():
                yield f"{kind}, {due}" + ("" if alteration == "all" else f", {alteration}"), some


def _said(counted: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """What became of them, the outcomes that did not happen left out."""
    happened = [f"{plain} {_rate(counted[name])}" for name, plain in names.items() if counted[name]["count"]]
    return f"n {counted['n']}; " + "; ".join(happened)


def _rate(rate: Mapping[str, Any]) -> str:
    if not rate["n"]:
        return "none"
    low, high = (100 * x for x in rate["interval"])
    return f"{rate['count']} ({100 * rate['share']:.0f} %, {low:.0f}-{high:.0f})"


def _table(title: str, group: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """The counts as a table; an outcome that never happened has no column."""
    shown = [name for name in names if group["all"][name]["count"]]
    head = "".join(f"<th>{escape(name.replace('_', ' '))}</th>" for name in ("kind", "n", *shown))
    lines = [
        f"<tr><td>{escape(label)}</td><td>{counted['n']}</td>"
        + "".join(f"<td>{_rate(counted[name])}</td>" for name in shown) + "</tr>"
        for label, counted in _lines(group)
    ]  # fmt: skip
    meaning = "; ".join(f"{name.replace('_', ' ')}: {names[name]}" for name in shown)
    return (
        f"<h2>{escape(title)}</h2>\n<p>{escape(meaning)}.</p>\n<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n"
        + "\n".join(lines) + "\n</tbody>\n</table>"
    )  # fmt: skip


def _rows_table(outcomes: Sequence[Outcome]) -> str:
    heads = (("row", 18), ("question, and the answer to judge", 34), ("became", 14), ("what the user gets", 34))
    head = "".join(f'<th style="width: {width}%">{name}</th>' for name, width in heads)
    return (
        f'<h2>Every row</h2>\n<table class="rows">\n<thead><tr>{head}</tr></thead>\n<tbody>\n'
        + "\n".join(_row(o) for o in outcomes) + "\n</tbody>\n</table>"
    )  # fmt: skip


def _row(o: Outcome) -> str:
    kind = ", ".join(str(x) for x in (o.kind, o.row.get("alteration"), f"expects {o.expected}") if x)
    reason = o.error or (o.primary_reason or "").replace("_", " ")
    cells = (
        (o.row.get("id") or "", kind), (o.row["query"], o.row.get("answer") or ""), (o.name.replace("_", " "), reason),
        (o.answer, ""),
    )  # fmt: skip
    return "<tr>" + "".join(f"<td>{_two(*cell)}</td>" for cell in cells) + "</tr>"


def _two(first: object, second: str) -> str:
    """A cell of two lines, the second one small."""
    return escape(str(first)) + (f"<br><small>{escape(second)}</small>" if second else "")
