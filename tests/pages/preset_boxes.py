"""The preset box as a page of its own, for tests of presets."""

from dataclasses import replace

from streamlit.testing.v1 import AppTest

from core.presets import PARAMETER, preset
from tests.support.app_pages import all_limits, limits_of

KEY = "retrieval_confidence.min_retrieval_confidence"
PATIENCE = 60


def box():
    from pages.components.shared.page_run import init_session
    from pages.components.shared.sidebar import sidebar

    init_session()
    sidebar()


def box_with_the_dialog():
    from pages.components.shared.page_run import init_session
    from pages.components.shared.presets import limits_dialog
    from pages.components.shared.sidebar import sidebar

    init_session()
    sidebar()
    limits_dialog()


def opened(script=box, link=None):
    at = all_limits(AppTest.from_function(script, default_timeout=PATIENCE))
    if link is not None:
        at.query_params[PARAMETER] = link
    at.run()
    assert not at.exception
    return at


def positions(at):
    """The value of every slider, by key."""
    return limits_of(at)


def ours(name="My class 10", **thresholds):
    moved = preset("strict").with_values({KEY: 0.8, **thresholds}, {"hedging": "watches"})
    return replace(moved, name=name, help="Ours.")
