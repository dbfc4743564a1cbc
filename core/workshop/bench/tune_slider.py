"""How long does a slider move take on the Tune page, over a thousand measured cases?"""

from dataclasses import replace
from pathlib import Path

from core.banks.measured_bank import KeptTraces, conditions_of, question_names
from core.banks.saved import SavedBanks
from core.evaluation.cases import Labelled
from core.workshop.bench.figure import Figure
from core.workshop.bench.measured import CASES, measured_bank, sample_traces
from core.workshop.bench.samples import sample_explorer
from core.workshop.bench.slider import Timed, slider_to_verdict

_BANK, _MOVES = "thousand", 60
_SLIDER, _CHANGES = "Mean of the best three", ".st-key-picture-scores .gtitle"
PAGES = {
    "app": Timed(script="app.py", slider=_SLIDER, changes=_CHANGES, path="/tune"),
    "redraw": Timed(script="pages/components/bench/tune_redraw_app.py", slider=_SLIDER, changes=_CHANGES),
}
"""The Tune page, and the same page drawn from stored counts. What changes last is the title of its lowest picture."""


def tune_slider(home: Path) -> Figure:
    """The 95th percentile of moves on the Tune page, beside that of the page redrawn from stored counts."""
    prepare(home)
    pages = slider_to_verdict(home, _MOVES, PAGES)
    app, redraw = pages["app"], pages["redraw"]
    return Figure(
        value=app["p95"], unit="ms", baseline="the same page redrawn from stored counts, p95",
        baseline_value=redraw["p95"], n=app["n"],
        note=(
            f"{CASES} cases; key press to changed text in Chromium; medians {app['median']:.0f} and "
            f"{redraw['median']:.0f} ms"
        ),
    )  # fmt: skip


def prepare(home: Path) -> None:
    """A bank of measured cases in `home`, as a person's bank lies there, under the conditions of its library."""
    traces, explorer = sample_traces(home), sample_explorer(home)
    cases = [_asked(case, n) for n, case in enumerate(measured_bank(traces))]
    conditions, kept, banks = conditions_of(explorer), KeptTraces(home), SavedBanks(home)
    banks.replace(_BANK, [case.row for case in cases])
    kept.use(conditions.key, vars(conditions))
    for question, case in zip(question_names(banks.rows(_BANK)), cases, strict=True):
        kept.put(conditions.key, question, case.trace)


def _asked(case: Labelled, n: int) -> Labelled:
    """A case as a row that can be asked, of which there is no other."""
    query = f"{case.trace.question.query} ({n})"
    question = replace(case.trace.question, query=query)
    return Labelled(row=case.row | {"id": str(n), "query": query}, trace=replace(case.trace, question=question))
