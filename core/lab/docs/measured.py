"""The tables of what the program does with real chapters, of what its rules bring, and of how fast it is."""

from collections.abc import Iterable, Mapping
from typing import Any

from core.lab.docs.measurements import changes_since, read_measurement, share
from core.lab.figure_files import DATE, table, without_date
from core.lab.figures.ablation_rows import Grade


def questions_table() -> str:
    """The outcomes of real textbook questions, a row per preset."""
    heads = ("preset", "answered", "of these agreeing", "refused where the reference says that it is absent")
    stored = without_date(read_measurement("ncert_qa"))
    names = ("answered", "agrees", "refused_where_absent")
    return table(heads, ([preset, *(share(o[name]) for name in names)] for preset, o in stored.items()))


def pairs_table() -> str:
    """A row per setting: the share of supported answers that it refuses, and of altered answers that it delivers."""
    stored = read_measurement("chapter_pairs")
    settings = {f"preset {n}": o for n, o in stored["presets"].items()} | {
        "answer checks alone, default limits": stored["answer_checks_at_the_default_limits"],
    }
    rows = (
        (name, share(o["supported"]["all"]["refused"]), share(o["altered"]["all"]["delivered"]))
        for name, o in settings.items()
    )
    return table(("setting", "supported, refused", "altered, delivered"), rows)


def kinds_table() -> str:
    """A row per kind of change that was made to an answer: the share of altered answers delivered by the answer checks
    alone."""
    altered = read_measurement("chapter_pairs")["answer_checks_at_the_default_limits"]["altered"]
    rows = ((kind, share(outcome["delivered"])) for kind, outcome in altered.items() if kind != "all")
    return table(("altered", "delivered"), rows)


def bench_table() -> str:
    """A row per figure of the benchmark's last stored run: its value, that of its baseline, and their ratio."""
    rows = []
    for name, f in without_date(read_measurement("bench")).items():
        if f["value"] is None:
            rows.append((f"`{name}`", f["note"], "", "", "", ""))
            continue
        ratio = "" if f["ratio"] is None else f"{f['ratio']:.2f}"
        value, other = (f"{f[k]:,.{0 if f[k] >= 100 else 1}f} {f['unit']}" for k in ("value", "baseline_value"))
        rows.append((f"`{name}`", value, f["baseline"], other, ratio, f"{f['n']:,}"))
    return table(("figure", "value", "baseline", "baseline's value", "ratio", "n"), rows)


def words_table() -> str:
    """A row per real chapter: the share of its words that are in no English word list, in the text as pypdf reads it
    and in the text as the library mends it."""
    chapters = read_measurement("reading")["unknown_words"]
    rows = ((name, share(figures["raw"]), share(figures["mended"])) for name, figures in chapters.items())
    return table(("chapter", "as pypdf reads it", "mended"), rows)


def recall_table() -> str:
    """A row per text of the chapters (read by pypdf, or mended by the library): for how many questions one of the first
    five passages has the key terms of the reference answer."""
    recalls = read_measurement("reading")["recall"]
    heads = ("text", "questions answered by one of the first five passages")
    return table(heads, ((name, share(recall)) for name, recall in recalls.items()))


def spliced_table() -> str:
    """A row per PDF reader: how many sentences of real chapters it splices, and how many are one run of the page,
    against all reading orders and against those that are not its own."""
    heads = ("reader", "date", "pages", "sentences", "spliced", "one run of the page", "spliced, other orders")
    stored, rows = read_measurement("spliced"), []
    for name, f in stored.items():
        run, elsewhere = (f"{f[key]:,} ({f[key] / f['sentences']:.0%})" for key in ("whole", "whole_elsewhere"))
        counts = (f["pages"], f"{f['sentences']:,}", f["spliced"], run, f["spliced_elsewhere"], elsewhere)
        rows.append((name, f[DATE], *counts))
    since = changes_since(min(f[DATE] for f in stored.values()), ("reading",)).strip()
    return (f"{since}\n\n" if since else "") + table((*heads, "one run, other orders"), rows)


_UNDRAWN = (Grade.ABSENT_REFUSED, Grade.ALTERED_HELD, Grade.OTHER_BAD, Grade.CASE_OTHERWISE, Grade.NOT_READ)
"""Grades without a column in the ablation table: the opposites of those that have one, and rows that cannot be read."""


def ablation_table() -> str:
    """Tables of the results without one hint of a fitted model, and without one family of rules of English."""
    stored = read_measurement("ablation")
    drawn = (("support", _support_hints), ("writer", _writer_hints), ("families", _families))
    return "\n\n".join(draw(stored[part]) for part, draw in drawn if part in stored)


def _support_hints(stored: Mapping[str, Any]) -> str:
    hints = without_date(stored)
    n = hints.pop("n")
    heads = ("`support` without", f"fires on supported, of {n['supported']}", f"on altered, of {n['altered']}", "area",
             "supported that pass")  # fmt: skip
    rows = []
    for name, row in hints.items():
        fires = row.get("fires", {"supported": "", "altered": ""})
        rows.append((name, fires["supported"], fires["altered"], f"{row['area']:.3f}", row["supported_pass"]))
    return f"Hints of `support`, measured on {stored[DATE]}.\n\n{table(heads, rows)}"


def _writer_hints(stored: Mapping[str, Any]) -> str:
    hints = without_date(stored)
    n = hints.pop("n")
    names = ("picked", "right", "wrong", "refused", "absent_answered", "changed")
    heads = ("the writer without", f"best stretch right, of {n['answerable']}", "given out", "wrong ones", "refused",
             f"absent answered, of {n['absent']}", "another stretch")  # fmt: skip
    rows = ([name, *(row[one] for one in names)] for name, row in hints.items())
    return f"Hints of the writer's choice, measured on {stored[DATE]}.\n\n{table(heads, rows)}"


def _families(stored: Mapping[str, Any]) -> str:
    usual, sets = stored["all rules"], stored["sets"]
    grades = [grade for grade in Grade if usual.get(grade) and grade not in _UNDRAWN]
    of_each = ", ".join(f"{name} {n}" for name, n in sets.items())
    rows: list[Iterable[Any]] = [["nothing", "", "", *(usual[grade] for grade in grades)]]
    for name, row in stored["without"].items():
        moves = (row.get(grade, 0) - usual[grade] for grade in grades)
        rows.append([name, row["fires"], row["changed"], *(f"{move:+}" if move else "" for move in moves)])
    head = f"Families of rules, measured on {stored[DATE]} on {sum(sets.values())} rows: {of_each}."
    return f"{head}\n\n{table(['without', 'fires on', 'answers changed', *grades], rows)}"
