"""The table of how well answers are judged, from what core.lab.training.judge_figures has stored."""

from core.lab.docs.measured import NOT_YET
from core.reports.metrics import FiguresError, measured

NAMES = {"sample": "sample banks", "chapters": "real chapters", "teacher": "a teacher's"}
"""What the sets of ours are called; the others stand under their own names."""


def judge_table() -> str:
    """A row a set: the check `support` at its limit beside one plain reading at a half; NOT_YET without figures."""
    try:
        stored = measured("judge")
    except FiguresError:
        return NOT_YET
    rows = [
        "| answers | n | area, `support` | area, plain | balanced accuracy, `support` | plain "
        "| supported passed, `support` | plain | altered passed, `support` | plain |",
        "|---" * 10 + "|",
    ]
    for name, found in stored.items():
        ours, plain = found["support"], found["plain"]
        cells = [NAMES.get(name, name), str(found["n"])]
        for figure in ("area", "balanced_accuracy"):
            cells += [f"{one[figure]:.2f}" for one in (ours, plain)]
        for figure in ("supported_passed", "altered_passed"):
            cells += [f"{100 * one[figure]:.0f} %" for one in (ours, plain)]
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)
