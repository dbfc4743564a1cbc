"""The gallery of the Guide page: every example that the five documents print, with its expected and its actual outcome,
and buttons that run it."""

from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from core.errors import UserError
from core.presentation.printed_examples import (
    ALL,
    RUNS,
    PrintedExample,
    documents_of,
    example_columns,
    finding,
    in_words,
    printed_examples,
    select_examples,
)
from core.presets import preset, with_settings
from core.reply.serialization import question_of
from core.thresholds import Preset
from pages.components.ask.lights import MARKS
from pages.components.shared.limits import select_preset_next
from pages.components.shared.page_run import restore
from pages.components.shared.progress import waiting
from pages.components.shared.question_state import show_measured
from pages.components.shared.safe_display import frame_of, plain, safe_table, show
from pages.components.shared.session import ASK, GUIDE
from pages.components.shared.settings_box import chosen_settings

if TYPE_CHECKING:
    from core.graph import Explorer

_ROWS = 14
WIDTHS = {
    "Result": 106, "From": 52, "Example": 180, "Expected": 190, "Actual": 190, "Why it differs": 320, "Question": 200,
}  # fmt: skip
"""Width of each column in pixels; further columns scroll."""


def gallery() -> None:
    """Draw the examples as a table, and the selected one in full beside it."""
    examples, names = printed_examples(), documents_of(printed_examples())
    letter = st.segmented_control(
        "Document", list(names), default=ALL, required=True, format_func=names.get, key="gallery document"
    )
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        run = st.segmented_control(
            "Preset", list(RUNS), default="own", required=True, format_func=RUNS.get, key="gallery preset"
        )
        only_different = st.toggle("Only differences", key="gallery differences")
    st.markdown(f"**{plain(finding(select_examples(examples, letter, run, only_different=False), run))}**")
    examples_ = select_examples(examples, letter, run, only_different)
    if not examples_:
        st.caption("All of these examples end as their documents say.")
        return
    table_area, detail_area = st.columns([7, 4], gap="medium")
    with table_area:
        columns = {name: st.column_config.TextColumn(width=width) for name, width in WIDTHS.items()}
        table = frame_of(example_columns(examples_, run))
        safe_table(table, GUIDE.table.key, _ROWS, columns, "Printed examples, one per row", partial(_select, examples_))
        st.caption("Click a row to see it in full.")
    with detail_area:
        example = next((e for e in examples_ if GUIDE.selected_example.value == (e.letter, e.name)), examples_[0])
        _detail(example, run)


def _select(examples_: list[PrintedExample]) -> None:
    """Show the example whose row was clicked; a callback."""
    if example := GUIDE.table.row(examples_):
        GUIDE.selected_example.value = (example.letter, example.name)


def _detail(example: PrintedExample, run: str) -> None:
    row, actual = example.row, example.runs[run]
    with st.container(border=True, key="example"):
        st.markdown(f"**{plain(example.title)}**")
        mark = MARKS["passed" if actual.as_printed else "failed"]
        st.markdown(
            f"Expected: {plain(in_words(example.printed))}  \n{mark} Actual: {plain(in_words(actual.outcome))}"
            + (f"  \n:gray[Why: {plain(actual.difference)}.]" if actual.difference else "")
        )
        texts = {"Question": row["query"], "Answer to judge": row.get("answer"), "Reply": actual.answer}
        for label, content in texts.items():
            if content:
                st.markdown(f":gray[{label}]  \n{plain(content)}")
        if example.passages:
            with st.expander(f"Passages: {len(example.passages)}"):
                for number, passage in enumerate(example.passages, 1):
                    st.markdown(f"{number}. {plain(passage)}" if passage else f"{number}. :gray[empty]")
        st.caption(plain(" · ".join((RUNS[run], *example.changes))))
        st.button(
            "Run it", key="run example", icon=":material/play_arrow:", type="primary", on_click=_want,
            args=(example, run), help="Measures it on this computer and opens the result on the Ask page.",
        )  # fmt: skip


def _want(example: PrintedExample, run: str) -> None:
    """Store the example to run, for `run_requested`; a callback. A callback cannot draw, so it could not show that
    models are running."""
    GUIDE.requested_example.value = (example, run)
    restore(preset_of(example, run), {"domain": example.domain})


def preset_of(example: PrintedExample, run: str) -> Preset:
    """The preset of this run of the example, with the thresholds that the example sets. run: the name of the run, such
    as "own"."""
    return with_settings(preset(example.preset if run == "own" else run), list(example.changes))


def run_requested(explorer: "Explorer") -> None:
    """Measure the example whose button was pressed, and show it on the Ask page.

    explorer: has the settings of the example, since `_want` has selected them.
    """
    example, run = GUIDE.requested_example.take()
    preset_ = preset_of(example, run)
    try:
        with waiting("Measuring the example, once …", key="example run"):
            trace, _ = explorer.ask(question_of(dict(example.row)), preset_)
    except UserError as error:
        show(error)
        return
    show_measured(trace, chosen_settings())
    ASK.reopened.value = f"Example {example.letter} {example.name}, as its document prints it, with its own passages."
    select_preset_next(preset_)
    st.switch_page("pages/ask.py")
