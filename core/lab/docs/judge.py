"""The table of the judges' quality, from the figures stored by core.lab.training.judge_figures."""

from collections.abc import Mapping
from typing import Any

from core.lab.dates import without_date
from core.lab.docs.measured import NOT_YET
from core.lab.docs.measurements import FiguresError, read_measurement

NAMES = {"sample": "sample banks", "chapters": "real chapters", "teacher": "a teacher's"}
"""Display names of the project's own sets; other sets keep their names."""
JUDGES = {"support": "`support`", "plain": "plain", "longtracer": "LongTracer", "language_model": "yes or no"}
"""Display names of the judges, in the order of their columns."""
_ABSENT = ""
"""The cell of a judge that was not run."""


def judge_table() -> str:
    """A table of the judges as Markdown, a row per set: how well each judge separates supported from other answers.
    NOT_YET, a sentence, if nothing is stored yet."""
    try:
        stored = without_date(read_measurement("judge"))
    except FiguresError:
        return NOT_YET
    heads = ["answers", "n", *_heads("area"), *_heads("balanced accuracy"), "n, yes or no"]
    heads += [f"{which} passed, `support`" for which in ("supported", "altered")]
    rows = [heads, *(_row(NAMES.get(name, name), figures) for name, figures in stored.items())]
    head, *lines = (f"| {' | '.join(row)} |" for row in rows)
    return "\n".join((head, "|" + "---|" * len(heads), *lines))


def _heads(figure: str) -> list[str]:
    return [f"{figure}, {judge}" for judge in JUDGES.values()]


def _row(name: str, by_judge: Mapping[str, Mapping[str, Any]]) -> list[str]:
    cells = [name, _count(by_judge, "support")]
    for figure in ("area", "balanced_accuracy"):
        cells += [f"{by_judge[judge][figure]:.2f}" if judge in by_judge else _ABSENT for judge in JUDGES]
    passed = (by_judge["support"][f"{which}_passed"] for which in ("supported", "altered"))
    return [*cells, _count(by_judge, "language_model"), *(f"{100 * share:.0f} %" for share in passed)]


def _count(by_judge: Mapping[str, Mapping[str, Any]], judge: str) -> str:
    return str(by_judge[judge]["n"]) if judge in by_judge else _ABSENT
