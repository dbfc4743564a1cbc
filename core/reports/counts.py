"""An evaluation for people: sentences for a terminal, and one HTML file that prints well and needs nothing else."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from core.evaluation.outcomes import ANSWERS, QUESTIONS, Outcome
from core.reports.evaluation_page import PICTURE_STYLE
from core.reports.html_page import html_page, table, two


def in_words(found: Mapping[str, Any]) -> str:
    """An evaluation as plain sentences, a line for each kind and expectation."""
    lines = [_headline(found)]
    for group, names in (("questions", QUESTIONS), ("answers", ANSWERS)):
        if found[group]["all"]["n"]:
            lines += ["", *(f"{label}: {_said(counted, names)}" for label, counted in _lines(found[group]))]
    return "\n".join(lines)


def page(found: Mapping[str, Any], outcomes: Sequence[Outcome], parts: Sequence[str] = ()) -> str:
    """The evaluation as one HTML page: `parts`, which are HTML already, counts, then every row with what became of it.

    All text of others is escaped.
    """
    tables = [
        _table(title, found[group], names)
        for title, group, names in (("Questions", "questions", QUESTIONS), ("Judged answers", "answers", ANSWERS))
        if found[group]["all"]["n"]
    ]
    title = f"Evaluation of {found['bank']}"
    head = [
        f"<h1>{escape(title)}</h1>\n<p>{escape(_headline(found))}</p>",
        "<p>Each count stands with its share and a 95 % interval (Wilson).</p>",
    ]
    return html_page(title, [*head, *parts, *tables, _rows_table(outcomes)], style=PICTURE_STYLE)


def _headline(found: Mapping[str, Any]) -> str:
    asked, judged = found["questions"]["all"]["n"], found["answers"]["all"]["n"]
    lacking = found["missing_documents"]
    rows = found.get("rows", asked + judged)
    partly = f" Only {asked + judged} of its {rows} rows are measured; the others are in no table."
    partly = partly if rows > asked + judged else ""
    lacks = f" The library lacks {', '.join(lacking)}, so these counts say little." if lacking else ""
    return (
        f"{found['bank']}: {asked} questions and {judged} answers, preset {found['preset']}, "
        f"{found['profile']} models, {found['date']}.{partly}{lacks}"
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
    heads = [(name.replace("_", " "), 0) for name in ("kind", "n", *shown)]
    rows = [
        (escape(label), str(counted["n"]), *(_rate(counted[name]) for name in shown))
        for label, counted in _lines(group)
    ]
    meaning = "; ".join(f"{name.replace('_', ' ')}: {names[name]}" for name in shown)
    return f"<h2>{escape(title)}</h2>\n<p>{escape(meaning)}.</p>\n{table(heads, rows)}"


def _rows_table(outcomes: Sequence[Outcome]) -> str:
    heads = (("row", 18), ("question, and the answer to judge", 34), ("became", 14), ("what the user gets", 34))
    return f"<h2>Every row</h2>\n{table(heads, map(_row, outcomes))}"


def _row(o: Outcome) -> list[str]:
    kind = ", ".join(str(x) for x in (o.kind, o.row.get("alteration"), f"expects {o.expected}") if x)
    reason = o.error or (o.primary_reason or "").replace("_", " ")
    cells = (
        (o.row.get("id") or "", kind), (o.row["query"], o.row.get("answer") or ""), (o.name.replace("_", " "), reason),
        (o.answer, ""),
    )  # fmt: skip
    return [two(*cell) for cell in cells]
