"""The comparison of two presets, and the main five limits."""

from streamlit.testing.v1 import AppTest

from core.checks import all_thresholds
from core.presets import differences, display_name, preset, preset_text
from pages.components.shared.presets import summary, table
from pages.components.shared.safe_display import plain
from pages.components.shared.session import LIMITS
from pages.components.shared.sidebar import ESSENTIALS
from tests.pages.preset_boxes import KEY, PATIENCE, box, box_with_the_dialog, opened, ours, positions


def compared(at):
    return next(box for box in at.selectbox if box.label == "Current limits compared with")


def test_the_current_limits_are_compared_with_a_preset_threshold_by_threshold(saved):
    saved.save(ours())
    at = opened(box_with_the_dialog)
    at.selectbox(key="preset").set_value("My class 10").run()
    compared(at).set_value("strict").run()
    text = "\n".join(m.value for m in at.markdown)
    assert plain("2 differences: Strict is stricter in 1, the current limits are stricter in 1.") in text
    rows = [line for line in text.split("\n") if line.startswith("| ")][1:]
    assert len(rows) == 2 and "| 0\\.70 | 0\\.80 | probability | Current limits |" in rows[0]
    assert plain("Mode: The answer does not hedge") in rows[1] and "| Block | Monitor | mode | Strict |" in rows[1]


def test_the_current_limits_are_compared_with_their_preset_at_first(saved):
    at = opened(box_with_the_dialog)
    assert any("the same in every limit" in m.value for m in at.markdown)
    at.slider(key=KEY).set_value(0.9).run()
    text = "\n".join(m.value for m in at.markdown)
    assert "the current limits are stricter in 1" in text and "| 0\\.60 | 0\\.90 |" in text


def test_a_row_states_that_neither_side_is_stricter():
    default = preset("default")
    found = differences(default, default.with_values({"confidence.refine_rounds": 0.0}))
    assert table(found, "A", "B").split("\n")[-1].endswith("| 2 | 0 | rounds | neither |")
    assert summary(found, "A") == "1 difference: A is stricter in 0, the current limits are stricter in 0."


def test_presets_have_readable_titles():
    assert [display_name(n) for n in ("default", "seed_a", "my_own")] == ["Default", "A: Safety mechanism", "my_own"]
    assert preset_text(preset("exam"), 0) == "Exam" and preset_text(preset("exam"), 2) == "Exam, with 2 changes"


def show_all(at, is_open):
    """Open or close the box with all thresholds."""
    at.session_state[LIMITS.all_box.key] = is_open
    at.run()


def test_the_essentials_stay_first_and_what_was_changed_is_pinned_below_them(saved):
    at = AppTest.from_function(box, default_timeout=PATIENCE).run()
    assert list(positions(at)) == list(ESSENTIALS) and at.toggle[0].key == "numbers as a switch"
    show_all(at, True)
    assert [s.key for s in at.slider][: len(ESSENTIALS)] == list(ESSENTIALS)
    assert set(positions(at)) == set(all_thresholds())
    at.slider(key="clarity.min_clarity").set_value(0.4).run()
    show_all(at, False)
    assert list(positions(at)) == [*ESSENTIALS, "clarity.min_clarity"]
    at.slider(key=ESSENTIALS[0]).set_value(0.4).run()
    assert list(positions(at)) == [*ESSENTIALS, "clarity.min_clarity"]
    at.button(key=f"reset {ESSENTIALS[0]}").click().run()
    assert any("1 change" in m.value for m in at.markdown)
    at.run()
    show_all(at, True)
    assert at.slider(key="clarity.min_clarity").value == 0.4


def test_the_search_among_all_limits_keeps_the_values_that_it_hides(saved):
    at = AppTest.from_function(box, default_timeout=PATIENCE).run()
    show_all(at, True)
    at.slider(key="clarity.min_clarity").set_value(0.4).run()
    at.text_input(key=LIMITS.search.key).set_value("hybrid gap").run()
    assert list(positions(at)) == list(ESSENTIALS)
    at.text_input(key=LIMITS.search.key).set_value("gap").run()
    assert list(positions(at)) == [*ESSENTIALS, "score_gap.min_score_gap", "score_gap.gap_applies_below"]
    at.text_input(key=LIMITS.search.key).set_value("").run()
    assert at.slider(key="clarity.min_clarity").value == 0.4 and set(positions(at)) == set(all_thresholds())


def test_the_switch_of_the_essentials_sets_the_mode_of_its_check(saved):
    at = AppTest.from_function(box, default_timeout=PATIENCE).run()
    at.toggle(key="numbers as a switch").set_value(False).run()
    assert any("1 change" in m.value for m in at.markdown) and not at.toggle[0].value
    show_all(at, True)
    assert at.selectbox(key="numbers.mode").value == "watches"
    at.selectbox(key="numbers.mode").set_value("blocks").run()
    assert at.toggle(key="numbers as a switch").value
