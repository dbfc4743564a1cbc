"""A button that shows and hides more fields of a form."""

import streamlit as st

from pages.components.shared.session_values import Value


def more_fields(is_shown: Value[bool], label: str) -> bool:
    """Draw the button; the caller draws the fields if the result is True.

    A popover would not do: while it is closed, the browser does not learn values that the program sets, and its next
    run sends the old ones. A popover whose content is drawn only while it is open loses a press on another page.
    """
    sign = "less" if is_shown.value else "more"
    st.button(
        f"{label} :material/expand_{sign}:", key=f"show {is_shown.key}", type="tertiary",
        on_click=is_shown.set, args=(not is_shown.value,),
    )  # fmt: skip
    return is_shown.value
