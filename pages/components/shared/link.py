"""A link to the limits as they stand: made here, and opened here."""

import streamlit as st

from core.presets import preset, presets
from core.presets.comparison import PARAMETER, differences, link_text, read_link
from core.presets.named import titled, told
from core.presets.saved import PresetError, SavedPresets
from core.startup import home_folder
from core.thresholds import Preset
from pages.components.shared.errors import ERRORS, show
from pages.components.shared.limits import current_preset, put
from pages.components.shared.plain_text import plain
from pages.components.shared.preset_comparison import table


def open_link() -> None:
    """Put everything where the link says by which the page was opened, once; nothing, and one sentence, if it cannot.

    The address loses its link, so that it does not go on saying what no longer is.
    """
    text = st.query_params.get(PARAMETER)
    if text is None:
        return
    del st.query_params[PARAMETER]
    try:
        wanted = _as_saved(read_link(text))
    except ERRORS as error:
        show(error)
        return
    put(wanted)
    base = presets().get(wanted.name, wanted)
    st.toast(f"Opened from a link: {plain(told(base, len(differences(base, wanted))))}. Undo takes it back.")


def _as_saved(wanted: Preset) -> Preset:
    """`wanted` under the name of the saved preset that is the same, if there is one here."""
    saved = SavedPresets(home_folder())
    if differences(presets()[wanted.name], wanted):
        for name in saved.names():
            try:
                if not differences(saved.preset(name), wanted):
                    return saved.preset(name)
            except PresetError:  # one that cannot be read is not the one that is meant
                continue
    return wanted


@st.dialog("Share these limits", width="large", icon=":material/link:")
def share_dialog() -> None:
    current = current_preset()
    base = presets().get(current.name, preset("default"))
    found = differences(base, current)
    st.markdown(f"Whoever opens this link gets **{plain(told(base, len(found)))}**; it holds nothing else of yours.")
    st.code(address(current), language=None, wrap_lines=True)
    if found:
        st.markdown(table(found, titled(base.name), "Shared"))


def address(current: Preset) -> str:
    """The address of this page with `current` in it."""
    page = (st.context.url or "").partition("?")[0].partition("#")[0]
    return f"{page}?{PARAMETER}={link_text(current)}"
