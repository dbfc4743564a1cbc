"""The opening of the Guide page: what the app does, and the path of a question in four steps as a picture."""

import html

import streamlit as st

from core.checks import all_checks
from pages.components.shared.safe_display import plain
from pages.components.shared.settings_box import current_domain

LEAD = "A language model can sound sure and be wrong. We answer only what your {sources} support, and show why."
STEPS = (
    ("Find", "We look your question up in the {sources}. If that finds too little, we search again in other words."),
    ("Check the question", "Is it clear, on a topic of the {sources}, and is there enough to answer from?"),
    ("Check the answer", "Each sentence is compared with the passages: do they support it, with the same numbers?"),
    (
        "Answer, correct or refuse",
        "What the {sources} do not support is corrected, left out, refused, or passed to a person.",
    ),
)
"""Title and text of each step."""
_STAGES = {1: "query", 2: "answer"}
"""The steps that run checks, by index, and their stage."""
CLOSING = (
    "Each check gives a score. Limits turn scores into a verdict: move one on the Ask page, and the verdict follows."
)


def introduction() -> None:
    """Draw the introduction, in the words of the chosen domain."""
    words = current_domain().words
    st.markdown(plain(LEAD.format_map(words)))
    st.html(path_picture([(title, text.format_map(words)) for title, text in STEPS]))
    st.caption(plain(CLOSING))


def path_picture(steps: list[tuple[str, str]]) -> str:
    """The steps as HTML: an ordered list of boxes with arrows between them. steps: title and text of each."""
    items = []
    for index, (title, text) in enumerate(steps):
        count = sum(check.stage == _STAGES.get(index) for check in all_checks())
        checks = f"<small>{count} checks</small>" if count else ""
        items.append(f"<li><b>{html.escape(title)}</b>{checks}<p>{html.escape(text)}</p></li>")
    return f'<ol class="steps" aria-label="The path of a question in four steps">{"".join(items)}</ol>'
