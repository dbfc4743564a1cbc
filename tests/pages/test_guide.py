"""The Guide page: the path in four steps, the explanation of every check, the printed examples, and the map."""

import pytest

from core.checks import all_checks
from core.presentation.check_guide import check_guide
from core.presentation.printed_examples import (
    RUNS,
    SIGNS,
    example_columns,
    printed_examples,
    printed_outcome_count,
)
from core.presets import preset, with_settings
from pages.components.guide.explanations import STEPS, explanation, limit_text, path_picture
from pages.components.guide.gallery import preset_of
from pages.components.shared.path import BOXES, box_list
from pages.components.shared.safe_display import plain
from tests.support.app_pages import boxes_of, drawn_elements, paths, press, word

PAGE = "pages/guide.py"
TAB = "guide tab"


def opened(app, tab):
    """The page with this tab open."""
    app.session_state[TAB] = tab
    app.switch_page(PAGE).run()
    assert not app.exception
    return app


def test_the_path_has_four_steps_and_every_check_belongs_to_one():
    html = path_picture(STEPS)
    assert html.count("<li>") == 4 == len(STEPS) and 'aria-label="The path of a question' in html
    counts = [sum(check.stage == stage for check in all_checks()) for stage in ("query", "answer")]
    assert sum(counts) == len(all_checks()) and all(f"<small>{n} checks</small>" in html for n in counts)
    assert "&lt;b&gt;" in path_picture({"<b>": "text"})


def test_every_check_is_explained_and_before_a_question_no_path_is_highlighted(app):
    opened(app, "Every check")
    assert app.title[0].value == "Guide"
    texts = "\n".join(drawn_elements(app))
    guides = [check_guide(check) for check in all_checks()]
    assert [part for guide in guides for part in guide.values() if plain(part) not in texts] == []
    assert len(app.expander) == len(guides)
    (picture,) = paths(opened(app, "For developers"))
    assert boxes_of(picture) == [box["text"] for box in BOXES.values()]


def test_after_a_question_its_path_is_highlighted_with_the_current_limits(app, model_calls):
    press(app, "Who wrote the play Hamlet?")
    app.slider(key="confidence.min_confidence").set_value(45).run()
    model_calls.clear()
    texts = "\n".join(drawn_elements(opened(app, "Every check")))
    assert "now 45" in texts and texts.count("Your last question:") == len(all_checks())
    own, _ = paths(opened(app, "For developers"))
    assert boxes_of(own)[-1] == "Refused" and "Question checks" in boxes_of(own)
    texts = "\n".join(drawn_elements(app))
    assert "Your last question, " in texts and "needs at least 45" in texts and model_calls == []


@pytest.mark.parametrize("check", all_checks(), ids=lambda c: c.name)
def test_every_check_states_what_it_asks_catches_and_misses_with_its_defaults(check):
    text = explanation(check, preset("default"))
    for head in ("Asks", "Catches", "Blind to"):
        assert f"**{head}:**" in text
    for threshold in check.thresholds().values():
        said = limit_text(threshold, preset("default"))
        assert plain(threshold.label) in said and plain(threshold.unit) in said and "now" not in said
        assert ("is stricter" in said) == (threshold.stricter != "neither")


def test_a_moved_limit_and_a_changed_mode_are_shown_beside_their_defaults():
    check = next(c for c in all_checks() if c.name == "confidence")
    text = explanation(check, with_settings(preset("default"), ["confidence.min_confidence=55", "confidence.mode=off"]))
    assert text.count(":orange[now") == 1 and ":orange[now 55]" in text and "now Off" in text


def test_every_box_except_the_ends_is_explained():
    said = box_list()
    assert [b for b in BOXES.values() if not b.get("end") and plain(b["about"]) not in said] == []


def test_the_gallery_shows_every_printed_example_with_expected_and_actual(app):
    opened(app, "Examples")
    (table,) = [d.value for d in app.dataframe if "Expected" in d.value.columns]
    examples = printed_examples()
    assert len(table) == len(examples) and set(table["From"]) == set("ABCDE")
    texts = "\n".join(drawn_elements(app))
    assert (
        f"{printed_outcome_count(examples, 'own')} of {len(examples)} printed examples end as the document says"
        in texts
    )
    app.toggle(key="gallery differences").set_value(True).run()
    (table,) = [d.value for d in app.dataframe if "Expected" in d.value.columns]
    count = len(examples) - printed_outcome_count(examples, "own")
    assert len(table) == count and set(table["Result"]) == {SIGNS[False]}
    assert app.button_group(key="gallery document").options == [
        "All five",
        *(f"{e}: {t}" for e, t in documents(examples)),
    ]
    app.button_group(key="gallery document").set_value("C").run()
    (table,) = [d.value for d in app.dataframe if "Expected" in d.value.columns]
    assert not app.exception and set(table["From"]) == {"C"}


def documents(examples):
    """Letter and title of each document."""
    return list(dict.fromkeys((e.letter, e.document) for e in examples))


def test_every_difference_is_named():
    examples = printed_examples()
    for run in RUNS:
        columns = example_columns(examples, run)
        pairs = zip(columns["Result"], columns["Why it differs"], strict=True)
        assert all(bool(why) == (result == SIGNS[False]) for result, why in pairs)


def test_an_example_is_run_by_one_press_and_opens_on_the_ask_page(app):
    opened(app, "Examples")
    app.button(key="run example").click().run()
    first, question = printed_examples()[0], app.session_state["asked"].trace.question
    assert not app.exception and question.query == first.row["query"] and question.contexts is not None
    assert word(app) == "REFUSED" and app.selectbox(key="preset").value == "seed_a"


def test_an_example_runs_under_its_own_preset_with_the_thresholds_that_it_sets():
    for example in printed_examples():
        own = preset_of(example, "own")
        assert own.name == example.preset and preset_of(example, "default").name == "default"
        for key, _, text in (change.partition("=") for change in example.changes):
            assert own.thresholds[key] == float(text)
