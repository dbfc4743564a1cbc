"""The map of the decision path on the Guide page, with the path of the last question, and a list of its boxes."""

import streamlit as st

from core.case import Trace
from core.decide import Verdict
from core.thresholds import Preset
from pages.components.ask.route import lead, lit, picture_title
from pages.components.ask.route_steps import path_steps
from pages.components.ask.verdict_box import headline
from pages.components.shared.chain_map import BOXES, SPINE, WIDTH, drawing, shapes
from pages.components.shared.safe_display import plain

BARE = "Every path that a question can take. Ask a question, come back, and its own path is highlighted here."
_LIST = 600


def decision_path(trace: Trace | None, verdict: Verdict | None, preset: Preset) -> None:
    """Draw the map and a list of its boxes. The map highlights the path of the last question, if there is one."""
    steps = path_steps(trace, verdict, preset) if verdict else ()
    if verdict:
        st.markdown(f"Highlighted: your last question, “{plain(trace.question.query)}”, {headline(verdict)}")
    else:
        st.caption(BARE)
    with st.container(horizontal=True, gap="medium"):
        with st.container(width=WIDTH, key="works_map"):
            title = picture_title(steps, verdict) if verdict else BARE
            drawing("works", title, shapes(lit(steps, verdict) if verdict else None, steps))
        with st.container(width=_LIST, key="works_list"):
            st.markdown(box_list())


def box_list() -> str:
    """A Markdown list, in the order of the chain, of the boxes of the map with what happens at each."""
    side_boxes = {"critic": "refine", "answer": "correct", "stage 2": "recheck"}
    names = [name for box in SPINE[:-1] for name in (box.name, side_boxes.get(box.name)) if name]
    return "\n".join(f"- {lead(BOXES[name].text)} {plain(BOXES[name].about)}" for name in names)
