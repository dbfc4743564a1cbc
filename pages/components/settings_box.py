"""Settings, which run the models again: apart from the sliders, which do not."""

import streamlit as st

from core.hedges import compiled
from core.settings import Settings
from pages.components.errors import ERRORS, show
from pages.components.session import value

PROFILES = {"bundled": "bundled (no network)", "hub": "hub (needs network)"}


def settings_box() -> tuple[str, Settings]:
    """The profile of models and the settings that a person chose; patterns that cannot be read are left out."""
    with st.expander("Re-runs the models", expanded=False, icon=":material/autorenew:"):
        st.slider("Passages fetched", 1, 20, key="passages_fetched", help="How many passages a search returns.")
        st.text_area(
            "Your hedging patterns, one a line", key="patterns", placeholder=r"\bas far as I know\b", height=90,
            help="Regular expressions that count as hedging, beside the built-in ones.",
        )  # fmt: skip
        patterns = _readable(value("patterns").splitlines())
        st.selectbox("Models", list(PROFILES), key="profile", format_func=PROFILES.get)
    return _settings(patterns)


def chosen_settings() -> tuple[str, Settings]:
    """The profile and the settings as they were chosen, on a page that does not draw them."""
    return _settings(_readable(value("patterns").splitlines()))


def _settings(patterns: tuple[str, ...]) -> tuple[str, Settings]:
    try:
        settings = Settings(passages_fetched=value("passages_fetched"), patterns=patterns)
    except ERRORS as error:
        show(error)
        settings = Settings(passages_fetched=value("passages_fetched"))
    return value("profile"), settings


def _readable(lines: list[str]) -> tuple[str, ...]:
    """The patterns that can be used; each of the others is answered with its sentence."""
    usable = []
    for pattern in (line.strip() for line in lines if line.strip()):
        try:
            compiled(pattern)
            usable.append(pattern)
        except ERRORS as error:
            show(error)
    return tuple(usable)
