"""The heat map of questions by checks."""

from core.presentation.question_rows import FAILED, MARKS, Matrix, matrix_title
from pages.components.shared.figure import BAD, GOOD, QUIET, Picture, trace
from pages.components.shared.safe_display import shorten

_SCALE = [
    [0.0, BAD], [0.25, BAD], [0.25, "#e3a788"], [0.5, "#e3a788"], [0.5, QUIET], [0.75, QUIET], [0.75, GOOD],
    [1.0, GOOD],
]  # fmt: skip
"""The colours of a cell: failed and blocks, failed and only monitors, not run, passed."""
_COLUMNS = ("question", "check", "what it says", "value and limit")
_ROW, _LONGEST = 24, 46


def matrix_picture(matrix: Matrix) -> Picture:
    """A row for each question and a column for each check, marked and coloured by the result of the check."""
    names = [f"{shorten(question, _LONGEST)}" for question in matrix.questions]
    codes = [[cell.code for cell in row] for row in matrix.cells]
    heatmap = trace(
        "heatmap", x=list(matrix.checks), y=list(range(len(names))), z=codes, zmin=FAILED, zmax=2, xgap=2, ygap=2,
        colorscale=_SCALE, showscale=False, text=[[MARKS[code] for code in row] for row in codes],
        texttemplate="%{text}", textfont={"color": "#ffffff", "size": 12},
        customdata=[[[question, cell.text] for cell in row]
                    for question, row in zip(names, matrix.cells, strict=True)],
        hovertemplate="%{customdata[0]}<br><b>%{x}</b> %{text} %{customdata[1]}<extra></extra>",
    )  # fmt: skip
    return Picture(
        name="checks by question", title=matrix_title(matrix), traces=[heatmap], columns=_COLUMNS,
        height=_ROW * len(names) + 130,
        rows=[
            (question, check, MARKS[cell.code], cell.text)
            for question, row in zip(matrix.questions, matrix.cells, strict=True)
            for check, cell in zip(matrix.checks, row, strict=True)
        ],
        note="✓ passed, ✗ failed (pale: it only monitors), ○ not run. The numbers are in the tooltip of each cell.",
        layout={
            "xaxis": {"side": "top", "tickangle": -50, "showgrid": False, "tickfont": {"size": 11}},
            "yaxis": {
                "tickvals": list(range(len(names))), "ticktext": names, "autorange": "reversed", "automargin": True,
                "showgrid": False,
            },
            "margin": {"l": 8, "r": 14, "t": 130, "b": 8},
        },
    )  # fmt: skip
