"""The Tune page with every count looked up and none decided: what the benchmark compares with."""

import streamlit as st

from core.banks.scored_bank import ValuedBank
from core.checks import all_thresholds
from core.presets import preset
from pages.components.shared.limits import current_preset
from pages.components.shared.resources import shared_explorer
from pages.components.shared.session import CURVE, TUNING, seed
from pages.components.shared.sidebar import sidebar
from pages.components.tune.bank import View, open_bank, view
from pages.components.tune.outcomes import drawn_threshold, top
from pages.components.tune.pictures import pictures
from pages.components.tune.preset_comparison import comparison
from pages.components.tune.proposals import proposals

# The one slider whose every value is in the store.
MOVED = TUNING[CURVE]


def page() -> None:
    using = sidebar()
    st.title("Tune")
    bank = open_bank(shared_explorer(*using))
    current, key = current_preset(), drawn_threshold()
    now = _store(bank)[round(current.thresholds[MOVED], 10)]
    top(bank.cases, now, using)
    pictures(bank, current, key, now.spread, using[0])
    proposals(bank, current)
    comparison(bank, current, using)


@st.cache_resource(show_spinner=False)
def _store(_bank: ValuedBank) -> dict[float, View]:
    """What the page draws at every value of the slider."""
    base, grid = preset("default"), all_thresholds()[MOVED].grid().tolist()
    return {v: view(_bank, base.with_values({MOVED: v}), base, MOVED) for v in grid}


st.set_page_config(page_title="Redraw", layout="wide", initial_sidebar_state=350)
seed()
st.navigation([st.Page(page, title="Tune")], position="top").run()
