"""Words for what more passages, rows and people cost: the curves that the laboratory measured, each with its title."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from core.reply.display_rounding import number

Point = Mapping[str, Any]
"""One measured count: count, n, median and p95 in the unit of its curve, date, cores and load."""


@dataclass(frozen=True, kw_only=True)
class CostCurve:
    """One curve. name: as stored. unit: of its times, ms or s. limit: a time in that unit that people notice, and why.

    items: what is counted. title: with {count} and {time} of its largest count. timed: what takes the time, in the
    plural. conditions: how it was measured, as a sentence.
    """

    name: str
    unit: str
    limit: tuple[float, str]
    items: str
    title: str
    timed: str
    conditions: str


_AT_ONCE = (100, "a faster reply seems immediate")
CURVES = (
    CostCurve(
        name="passages", unit="ms", limit=_AT_ONCE, items="passages", timed="searches",
        title="Among {count} passages, a search takes {time}",
        conditions="The passages are made up for the test, and stored in a Chroma server.",
    ),
    CostCurve(
        name="rows", unit="ms", limit=_AT_ONCE, items="rows of a question set", timed="moves of a slider",
        title="Over {count} rows of a question set, moving a slider takes {time}",
        conditions="The rows are the sample questions, again and again. Computing time only.",
    ),
    CostCurve(
        name="people", unit="s", limit=(10, "after a longer wait, people turn to something else"),
        items="people at once", timed="answers",
        title="With {count} people at once, an answer takes {time}",
        conditions="In the test, each person pastes answers and moves a slider, with pauses in between.",
    ),
)  # fmt: skip


def time_text(curve: CostCurve, value: float) -> str:
    """A time with its unit, with a decimal below ten: "4.6 ms", "46 ms"."""
    return f"{number(value, 1 if value < 10 else 0)} {curve.unit}"


def title(curve: CostCurve, points: Sequence[Point]) -> str:
    """What the largest count costs, as the title of the picture."""
    last = points[-1]
    text = curve.title.format(count=f"{last['count']:,}", time=time_text(curve, last[f"median_{curve.unit}"]))
    return text.replace(" 1 people", " 1 person")


def point_text(curve: CostCurve, point: Point) -> str:
    """A point in full, for its hover text."""
    median, p95 = (time_text(curve, point[f"{name}_{curve.unit}"]) for name in ("median", "p95"))
    memory = f"<br>{point['memory_mb']:,.0f} MB of memory" if "memory_mb" in point else ""
    return (
        f"{point['count']:,} {curve.items}<br>{median}; 95 of 100 within {p95} (n {point['n']:,}){memory}"
        f"<br>{_day(point['date'])}, {point['cores']} cores, load {point['load']:g}"
    )


def note(curve: CostCurve, points: Sequence[Point]) -> str:
    """How to read the picture, and when, on what and how often it was measured."""
    ns, days = sorted({p["n"] for p in points}), sorted({p["date"] for p in points})
    cores = " and ".join(str(count) for count in sorted({p["cores"] for p in points}))
    times = f"{ns[0]:,}" if len(ns) == 1 else f"{ns[0]:,} to {ns[-1]:,}"
    when = " to ".join(map(_day, dict.fromkeys((days[0], days[-1]))))
    is_busy = any(p["load"] > p["cores"] for p in points)
    busy = " while other work ran on the machine" if is_busy else ""
    limit, meaning = curve.limit
    return (
        f"Solid line: the median of {times} {curve.timed} at each point. Dashed line: 95 of 100 are this fast or "
        f"faster. Dotted line: {time_text(curve, limit)}; {meaning}. "
        f"{curve.conditions} Measured on {when} on {cores} cores{busy}."
    )


def _day(text: str) -> str:
    day = date.fromisoformat(text)
    return f"{day.day} {day:%B %Y}"
