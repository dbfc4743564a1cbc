"""The gallery of the Guide page: every example that the five documents print, with its expected and its actual outcome,
and a button that runs it."""

from functools import partial

import streamlit as st

from core.errors import UserError
from core.presentation.printed_examples import (
    RUNS,
    PrintedExample,
    example_columns,
    finding,
    in_words,
    printed_examples,
)
from core.presets import preset, with_settings
from core.reply.serialization import question_of
from core.thresholds import Preset
from pages.components.ask.lights import MARKS
from pages.components.shared.limits import select_preset_next
from pages.components.shared.page_run import restore
from pages.components.shared.progress import waiting
from pages.components.shared.question_state import show_measured
from pages.components.shared.resources import shared_explorer
from pages.components.shared.safe_display import frame_of, plain, safe_table, show
from pages.components.shared.session import ASK, GUIDE
from pages.components.shared.settings_box import chosen_settings

_ALL, _ROWS = "All", 14
WIDTHS = {
    "Result": 106, "From": 52, "Example": 180, "Expected": 190, "Actual": 190, "Why it differs": 320, "Question": 200,
}  # fmt: skip
"""Width of each column in pixels; further columns scroll."""


def gallery() -> None:
    """Draw the examples as a table, and the selected one in full beside it."""
    names = {_ALL: "All five"} | {e.letter: f"{e.letter}: {e.document}" for e in printed_examples()}
    letter = st.segmented_control(
        "Document", list(names), default=_ALL, required=True, format_func=names.get, key="gallery document"
    )
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        run = st.segmented_control(
            "Preset", list(RUNS), default="own", required=True, format_func=RUNS.get, key="gallery preset"
        )
        only_different = st.toggle("Only differences", key="gallery differences")
    of_document = [e for e in printed_examples() if letter in (_ALL, e.letter)]
    st.markdown(f"**{plain(finding(of_document, run))}**")
    examples = [e for e in of_document if not (only_different and e.runs[run].as_printed)]
    if not examples:
        st.caption("All of these examples end as their documents say.")
        return
    table_area, detail_area = st.columns([7, 4], gap="medium")
    with table_area:
        columns = {name: st.column_config.TextColumn(width=width) for name, width in WIDTHS.items()}
        table = frame_of(example_columns(examples, run))
        safe_table(table, GUIDE.table.key, _ROWS, columns, "Printed examples, one per row", partial(_select, examples))
        st.caption("Click a row to see it in full.")
    with detail_area:
        example = next((e for e in examples if GUIDE.selected_example.value == (e.letter, e.name)), examples[0])
        _detail(example, run)


def _select(examples: list[PrintedExample]) -> None:
    """Show the example whose row was clicked; a callback."""
    if example := GUIDE.table.row(examples):
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
        if st.button(
            "Run it", key="run example", icon=":material/play_arrow:", type="primary",
            help="Measures the example on this computer and opens the result on the Ask page.",
        ):  # fmt: skip
            _run(example, run)


def preset_of(example: PrintedExample, run: str) -> Preset:
    """The preset of this run of the example, with the thresholds that the example sets. run: the name of the run, such
    as "own"."""
    return with_settings(preset(example.preset if run == "own" else run), list(example.changes))


def _run(example: PrintedExample, run: str) -> None:
    """Measure an example with its own settings, and show it on the Ask page."""
    preset_ = preset_of(example, run)
    restore(preset_, {"domain": example.domain})
    try:
        with waiting("Measuring the example, once …", key="example run"):
            trace, _ = shared_explorer(*chosen_settings()).ask(question_of(dict(example.row)), preset_)
    except UserError as error:
        show(error)
        return
    show_measured(trace, chosen_settings())
    ASK.reopened.value = (
        f"Example {example.letter} {example.name}, as printed in its document, with the passages printed there."
    )
    select_preset_next(preset_)
    st.switch_page("pages/ask.py")
