"""The sliders: one for each threshold, set by presets, kept across pages, decided without a model."""

import pytest

from core.checks import all_checks, all_thresholds
from core.presets import modes_of, preset, presets, values
from pages.components.shared.session import SETTINGS
from pages.components.shared.settings_box import NUMBERS
from tests.support.app_pages import (
    as_printed,
    ask,
    boxes_of,
    limit,
    limits_of,
    look_at,
    open_check,
    paste,
    paths,
    press,
    word,
)

KEY = "retrieval_confidence.min_retrieval_confidence"
CRITIC = "confidence.min_confidence"
CORRECTION = "fact_check.correction"
ALTERED = "Sound in water, 5100 m/s"


def test_every_threshold_has_a_slider_and_every_check_a_mode(app):
    drawn = {s.key: (s.min, s.max, s.step, s.value) for s in app.slider if s.key not in NUMBERS}
    begun = values(preset("default"))
    sliders = {key: t for key, t in all_thresholds().items() if not t.switch}
    assert drawn == {key: (t.low, t.high, t.step, begun[key]) for key, t in sliders.items()}
    assert limits_of(app) == begun
    arrows = {"higher": "↑", "lower": "↓", "neither": ")"}
    for key, t in sliders.items():
        label = app.slider(key=key).label
        assert t.label in label and t.unit in label and label.endswith(arrows[t.stricter])
    begun = {c.name: app.selectbox(key=f"{c.name}.mode").value for c in all_checks()}
    assert begun == modes_of(preset("default"))


def test_a_preset_sets_every_slider_and_every_mode(app):
    for name, wanted in presets().items():
        app.selectbox(key="preset").set_value(name).run()
        assert limits_of(app) == values(wanted)
        modes = {c.name: app.selectbox(key=f"{c.name}.mode").value for c in all_checks()}
        assert modes == modes_of(wanted)
        assert not [b for b in app.button if b.key == "reset all" and not b.disabled]


def test_moved_sliders_are_counted_and_reset_one_by_one(app):
    as_printed(app)
    app.slider(key=KEY).set_value(0.8).run()
    app.selectbox(key="hedging.mode").set_value("watches").run()
    assert any("2 changes" in m.value for m in app.markdown)
    app.button(key=f"reset {KEY}").click().run()
    assert app.slider(key=KEY).value == 0.6
    assert f"reset {KEY}" not in {b.key for b in app.button}
    app.button(key="reset all").click().run()
    assert app.selectbox(key="hedging.mode").value == "blocks"
    app.selectbox(key="preset").set_value("exam").run()
    app.slider(key=KEY).set_value(0.1).run()
    app.button(key=f"reset {KEY}").click().run()
    assert app.slider(key=KEY).value == preset("exam").thresholds[KEY] == 0.85


def test_a_slider_flips_the_verdict_and_no_model_is_called(app, model_calls):
    press(as_printed(app), "What is photosynthesis?")
    assert word(app) == "ANSWERED"
    assert model_calls
    model_calls.clear()
    for value, expected in ((0.99, "REFUSED"), (0.1, "ANSWERED"), (0.98, "REFUSED"), (0.6, "ANSWERED")):
        app.slider(key=KEY).set_value(value).run()
        assert word(app) == expected
    assert model_calls == []


def test_a_mode_decides_without_a_model(app, model_calls):
    press(as_printed(app), ALTERED)
    model_calls.clear()
    for check in ("numbers", "grounding", "entailment", "fact_check", "fact_grounding"):
        app.selectbox(key=f"{check}.mode").set_value("watches").run()
    assert word(app) == "ANSWERED"
    assert model_calls == []


def test_a_check_opens_the_slider_of_the_sidebar_and_both_move_together(app, model_calls):
    press(as_printed(app), "What is photosynthesis?")
    model_calls.clear()
    open_check(app, "retrieval_confidence")
    own = f"check {KEY}"
    app.slider(key=own).set_value(0.99).run()
    assert app.slider(key=KEY).value == app.slider(key=own).value == 0.99 and word(app) == "REFUSED"
    app.slider(key=KEY).set_value(0.3).run()
    assert app.slider(key=own).value == 0.3 and word(app) == "ANSWERED"
    app.selectbox(key="check retrieval_confidence.mode").set_value("watches").run()
    assert app.selectbox(key="retrieval_confidence.mode").value == "watches" and model_calls == []


def test_buttons_beside_the_verdict_update_the_rest_of_the_page(app):
    press(as_printed(app), "What is photosynthesis?")
    app.slider(key=KEY).set_value(0.99).run()
    press(app, "Apply")
    assert app.slider(key=KEY).value != 0.99 and word(app) == "ANSWERED"
    press(app, "Undo")
    press(app, "Undo")
    assert app.slider(key=KEY).value == 0.6 and word(app) == "ANSWERED"
    press(app, "Redo")
    assert app.slider(key=KEY).value == 0.99 and word(app) == "REFUSED"


@pytest.mark.parametrize(("key", "old", "new", "round_", "box"), [
    (CRITIC, 40, 100, "refined 1", "Ask again"), ("fact_grounding.high", 0.8, 1.0, "rechecked", "Look again"),
])  # fmt: skip
def test_a_move_that_needs_another_round_measures_it_once(app, model_calls, key, old, new, round_, box):
    press(as_printed(app), "What is photosynthesis?")
    assert rounds_of(app) <= {"first", "rechecked"}
    if round_ not in rounds_of(app):
        measured_once(app, model_calls, key, old, new)
    assert round_ in rounds_of(app)
    look_at(app, "Decision path")
    assert box in boxes_of(paths(app)[-1])


def test_a_move_that_needs_a_correction_measures_it_once(app, model_calls):
    as_printed(app)
    app.toggle(key=CORRECTION).set_value(False).run()
    paste(app, "At room temperature the speed of sound in air is about 940 metres per second.")
    ask(app, "How fast does sound travel in air at room temperature?")
    assert "corrected" not in rounds_of(app)
    measured_once(app, model_calls, CORRECTION, False, True)
    assert "corrected" in rounds_of(app)


def test_a_move_that_needs_another_search_of_a_part_measures_it_once(app, model_calls):
    press(as_printed(app), "Sound, and Hamlet")
    before = [len(part.rounds) for part in app.session_state["asked"].trace.parts]
    assert len(before) == 2
    measured_once(app, model_calls, CRITIC, 40, 100)
    after = [len(part.rounds) for part in app.session_state["asked"].trace.parts]
    assert after != before and all(a >= b for a, b in zip(after, before, strict=True))


def measured_once(app, model_calls, key, old, new):
    """Check that the first move of a slider to `new` runs models and that later moves do not."""
    model_calls.clear()
    limit(app, key).set_value(new).run()
    assert not app.exception and model_calls
    model_calls.clear()
    trace = app.session_state["asked"].trace
    for value in (old, new, old, new):
        limit(app, key).set_value(value).run()
    assert model_calls == [] and app.session_state["asked"].trace is trace


def rounds_of(app):
    return {r.name for r in app.session_state["asked"].trace.rounds}


def test_sliders_and_the_verdict_survive_a_page_switch(app, model_calls):
    press(as_printed(app), "What is photosynthesis?")
    app.slider(key=KEY).set_value(0.99).run()
    model_calls.clear()
    app.switch_page("pages/library.py").run()
    assert not app.exception
    assert app.title[0].value == "Library"
    app.run()
    app.switch_page("pages/ask.py").run()
    assert app.slider(key=KEY).value == 0.99
    assert app.text_input(key="question").value == "What is photosynthesis?"
    assert word(app) == "REFUSED"
    assert model_calls == []


def test_two_users_do_not_share_their_sliders(start):
    one, other = start(), start()
    one.slider(key=KEY).set_value(0.9).run()
    other.run()
    assert other.slider(key=KEY).value == values(preset("default"))[KEY]


def test_the_page_offers_the_profiles_of_the_models():
    from core.models.profile import PROFILES as KNOWN
    from pages.components.shared.settings_box import PROFILES

    assert set(PROFILES) == set(KNOWN)


def test_a_move_that_arrives_with_a_change_of_page_draws_the_new_page_and_lasts(app):
    press(app, "What is photosynthesis?")
    app.slider(key=CRITIC).set_value(55.0)
    app.switch_page("pages/tune.py").run()
    assert not app.exception and app.slider(key=CRITIC).value == 55
    assert any(box.label == "Question set" for box in app.selectbox)


def test_what_was_set_lasts_on_pages_that_do_not_draw_it(app):
    app.session_state[SETTINGS.stage_1.key] = "endpoint"
    app.run()
    app.text_input(key=SETTINGS.endpoint.key).set_value("http://me/v1").run()
    app.slider(key="passages_fetched").set_value(3).run()
    for page in ("pages/history.py", "pages/guide.py", "pages/history.py"):
        app.switch_page(page).run()
        assert not app.exception and SETTINGS.endpoint.key not in {field.key for field in app.text_input}
    app.switch_page("pages/ask.py").run()
    assert app.text_input(key=SETTINGS.endpoint.key).value == "http://me/v1"
    assert app.slider(key="passages_fetched").value == 3
