"""The table of how well answers are judged, from what core.lab.training.judge_figures has stored."""

from collections.abc import Mapping
from typing import Any

from core.lab.docs.measured import NOT_YET
from core.reports.metrics import FiguresError, measured

NAMES = {"sample": "sample banks", "chapters": "real chapters", "teacher": "a teacher's"}
"""What the sets of ours are called; the others stand under their own names."""
JUDGES = {"support": "`support`", "plain": "plain", "longtracer": "LongTracer", "language_model": "yes or no"}
"""What the judges are called, in the order of their columns."""
_ABSENT = ""
"""What stands for a judge that was not asked."""


def judge_table() -> str:
    """A row a set: how well each judge tells supported answers from others; NOT_YET without figures."""
    try:
        stored = measured("judge")
    except FiguresError:
        return NOT_YET
    heads = ["answers", "n", *_heads("area"), *_heads("balanced accuracy"), "n, yes or no"]
    heads += [f"{which} passed, `support`" for which in ("supported", "altered")]
    rows = [heads, *(_row(NAMES.get(name, name), found) for name, found in stored.items())]
    head, *lines = (f"| {' | '.join(row)} |" for row in rows)
    return "\n".join((head, "|" + "---|" * len(heads), *lines))


def _heads(figure: str) -> list[str]:
    return [f"{figure}, {judge}" for judge in JUDGES.values()]


def _row(name: str, found: Mapping[str, Mapping[str, Any]]) -> list[str]:
    cells = [name, _count(found, "support")]
    for figure in ("area", "balanced_accuracy"):
        cells += [f"{found[judge][figure]:.2f}" if judge in found else _ABSENT for judge in JUDGES]
    passed = (found["support"][f"{which}_passed"] for which in ("supported", "altered"))
    return [*cells, _count(found, "language_model"), *(f"{100 * share:.0f} %" for share in passed)]


def _count(found: Mapping[str, Mapping[str, Any]], judge: str) -> str:
    return str(found[judge]["n"]) if judge in found else _ABSENT
