"""Saving the limits under a name, and deleting what was saved."""

import time
from dataclasses import replace

import streamlit as st

from core.presets.named import told
from core.presets.saved import PresetError, SavedPresets
from core.startup import home_folder
from pages.components.shared.errors import ERRORS, show
from pages.components.shared.limits import chosen_preset, current_preset, moved, put_next
from pages.components.shared.plain_text import plain


@st.dialog("Save these limits", icon=":material/bookmark_add:")
def save_dialog() -> None:
    saved = SavedPresets(home_folder())
    _form(saved)
    if names := saved.names():
        st.markdown("**Saved before**")
        for name in names:
            _saved_one(saved, name)


def _form(saved: SavedPresets) -> None:
    known = saved.names()
    with st.form("save preset as", border=False):
        name = st.text_input("Name", value=chosen_preset().name if chosen_preset().name in known else "", max_chars=60)
        over = st.checkbox("Replace the one of this name", disabled=not known, help="Else nothing saved is lost.")
        if st.form_submit_button("Save", type="primary"):
            try:
                save(saved, name.strip(), over=over)
            except ERRORS as error:
                show(error)
            else:
                st.rerun()


def save(saved: SavedPresets, name: str, *, over: bool) -> None:
    """Save everything as it stands as `name`, and pick it; PresetError when that name is taken and `over` is False."""
    if not over and name in saved.names():
        raise PresetError(f"A preset is saved as {name!r} already; tick the box to replace it, or take another name.")
    kept = replace(current_preset(), name=name, help=_help())
    saved.save(kept)
    put_next(kept)


def _help() -> str:
    return f"Saved on {time.strftime('%Y-%m-%d')} from {told(chosen_preset(), len(moved()))}."


def _saved_one(saved: SavedPresets, name: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(plain(name), width="stretch")
        with st.popover("Delete", icon=":material/delete:", type="tertiary"):
            if st.button(f"Delete {plain(name)} for good", key=f"delete preset {name}"):
                try:
                    saved.delete(name)
                except ERRORS as error:
                    show(error)
                else:
                    st.rerun()
