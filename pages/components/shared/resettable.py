"""Widgets that can be made anew, so that they forget what they held, and lists that stay between runs."""

from typing import Any

import streamlit as st


def notes(key: str) -> list[Any]:
    """A list of this person's that stays between runs, such as what became of the files of an upload."""
    return st.session_state.setdefault(key, [])


def fresh(widget: str) -> str:
    """The key of a widget that can be made anew: another key after each `renew`, so that it forgets what it held."""
    return f"{widget} {st.session_state.setdefault(f'{widget} number', 0)}"


def renew(widget: str) -> None:
    fresh(widget)
    st.session_state[f"{widget} number"] += 1


def edits(editor: str) -> dict[int, dict[str, Any]]:
    """What a person has changed in a table since it was made anew: row -> column -> value."""
    return st.session_state.get(fresh(editor), {}).get("edited_rows", {})


def clicked_row(column: str) -> int | None:
    """The row whose button was just pressed in this column of a table."""
    click = st.session_state.get(column)
    return None if click is None else click["row"]
