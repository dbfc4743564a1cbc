"""The Guide page: the explanation of every check, and the map before and after a question."""

import pytest

from core.check import Check
from core.checks import all_checks
from core.presets import preset, with_settings
from pages.components.guide.explanations import explanation, limit, places_listed
from pages.components.shared.chain_map import PLACES
from pages.components.shared.safe_display import plain
from tests.support.app_pages import drawings, drawn, lit_up, press

PAGE = "pages/guide.py"


def test_before_a_question_the_map_has_no_path_and_every_check_is_explained(app):
    app.switch_page(PAGE).run()
    assert not app.exception and app.title[0].value == "Guide"
    (picture,) = drawings(app)
    assert lit_up(picture) == [] and "all ways" in picture["title"]
    texts = "\n".join(drawn(app))
    missing = [c.name for c in all_checks() for part in c.doc().split("\n\n") if plain(part) not in texts]
    assert missing == []
    assert {e.label for e in app.expander} == {f"{plain(c.plain)} :gray[({plain(c.name)})]" for c in all_checks()}


def test_after_a_question_its_path_is_highlighted_with_the_current_limits(app, model_calls):
    press(app, "Who wrote the play Hamlet?")
    app.slider(key="confidence.min_confidence").set_value(45).run()
    model_calls.clear()
    app.switch_page(PAGE).run()
    (picture,) = drawings(app)
    assert lit_up(picture)[-1] == "Refused" and "Question checks" in lit_up(picture)
    texts = "\n".join(drawn(app))
    assert "Lit up: your last question" in texts and "< 45" in str(picture)
    assert "**45** of 100" in texts and texts.count("Your last question:") == len(all_checks())
    assert model_calls == []


def test_a_watching_check_states_that_it_only_watches():
    check = Check.registry["hedging"]
    printed = preset("as_printed")
    assert "Monitor only" not in explanation(check, printed)
    assert "Monitor only" in explanation(check, with_settings(printed, ["hedging.mode=watches"]))


@pytest.mark.parametrize("check", all_checks(), ids=lambda c: c.name)
def test_every_limit_states_its_value_and_its_stricter_direction(check):
    for threshold in check.thresholds().values():
        said = limit(threshold, preset("default"))
        assert plain(threshold.label) in said and plain(threshold.unit) in said
        assert ("is stricter" in said) == (threshold.stricter != "neither")


def test_every_box_except_the_ends_is_explained():
    said = places_listed()
    assert [p.text for p in PLACES.values() if not p.end and p.name != "deliver" and plain(p.about) not in said] == []
