"""Presets that a person could have made with the sliders, for property tests."""

from hypothesis import strategies as st

from core.checks import all_checks, all_thresholds
from core.presets import presets
from core.thresholds import MODES

POSITIONS = st.fixed_dictionaries(
    {}, optional={key: st.sampled_from(t.grid().tolist()) for key, t in all_thresholds().items()}
)
SWITCHED = st.fixed_dictionaries({}, optional={check.name: st.sampled_from(MODES) for check in all_checks()})
MOVED = st.builds(
    lambda base, t, m: base.with_values(t, m), st.sampled_from(list(presets().values())), POSITIONS, SWITCHED
)
