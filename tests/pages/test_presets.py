"""Presets in the sidebar: save, select, delete, open by a link, and undo and redo of every move."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.presets import PARAMETER, link_text, preset, values
from pages.components.shared.presets import address
from pages.components.shared.session import LIMITS
from pages.components.shared.session_types import MOST_STEPS, History
from tests.pages.preset_boxes import (
    KEY,
    box_with_the_dialog,
    opened,
    ours,
    positions,
)


def name_field(at):
    return next(field for field in at.text_input if field.label == "Name")


def form_button(at):
    return [b for b in at.button if b.label == "Save"][-1]


def test_a_saved_preset_is_listed_and_selected_like_a_built_in_one(saved):
    saved.save(ours())
    at = opened()
    assert at.selectbox(key="preset").options[-2:] == ["E: LangGraph edge cases", "My class 10"]
    at.selectbox(key="preset").set_value("My class 10").run()
    assert positions(at) == values(ours()) and at.selectbox(key="hedging.mode").value == "watches"
    assert at.button(key="reset all").disabled
    at.slider(key=KEY).set_value(0.1).run()
    at.button(key=f"reset {KEY}").click().run()
    assert at.slider(key=KEY).value == 0.8


def test_limits_whose_preset_was_deleted_are_taken_as_moves_of_the_default(saved):
    at = opened()
    at.session_state[LIMITS.pending.key] = ours("deleted")  # as a press on the pinned limits does
    at.run()
    assert not at.exception and at.selectbox(key="preset").value == "default"
    assert positions(at) == values(ours()) and not at.button(key="reset all").disabled


def test_current_limits_are_saved_under_a_name_and_then_selected(saved):
    at = opened(box_with_the_dialog)
    at.slider(key=KEY).set_value(0.77).run()
    name_field(at).set_value("mine")
    form_button(at).click().run()
    assert not at.exception and not at.error
    assert at.selectbox(key="preset").value == "mine" and at.button(key="reset all").disabled
    found = saved.preset("mine")
    assert found.thresholds[KEY] == 0.77 and "from Default, with 1 change" in found.help


@pytest.mark.parametrize(
    ("name", "says"), [("Seed A", "comes with the app"), ("../x", "begins with a letter"), ("mine", "tick the box")]
)
def test_a_name_that_cannot_be_used_shows_one_sentence_and_saves_nothing(saved, name, says):
    saved.save(ours("mine"))
    at = opened(box_with_the_dialog)
    name_field(at).set_value(name)
    form_button(at).click().run()
    assert len(at.error) == 1 and says in at.error[0].value
    assert saved.names() == ("mine",) and saved.preset("mine").thresholds[KEY] == 0.8


def test_a_guest_saves_no_limits_but_may_take_them_away(saved, monkeypatch):
    monkeypatch.setenv("GUARDRAIL_MODE", "demo")
    at = opened(box_with_the_dialog)
    assert not [b for b in at.button if b.label == "Save"] and at.code and len(at.get("download_button")) == 2


def test_a_saved_preset_is_replaced_when_the_box_is_ticked(saved):
    saved.save(ours("mine"))
    at = opened(box_with_the_dialog)
    at.slider(key=KEY).set_value(0.31).run()
    name_field(at).set_value("mine")
    at.checkbox[0].check()
    form_button(at).click().run()
    assert not at.error and saved.preset("mine").thresholds[KEY] == 0.31


def test_a_deleted_preset_leaves_the_sliders_where_they_are(saved):
    saved.save(ours("mine"))
    at = opened(box_with_the_dialog)
    at.selectbox(key="preset").set_value("mine").run()
    at.button(key="delete preset mine").click().run()
    assert not at.exception and saved.names() == ()
    at.run()
    assert at.selectbox(key="preset").value == "default" and at.slider(key=KEY).value == 0.8
    assert at.button(key="undo").disabled is False


def test_a_preset_that_another_user_deletes_or_damages_breaks_nothing(saved):
    saved.save(ours("mine"))
    at = opened()
    at.selectbox(key="preset").set_value("mine").run()
    (saved.folder / "mine.json").write_text("{")
    at.run()
    assert not at.exception and "cannot be read" in at.error[0].value
    saved.delete("mine")
    at.run()
    assert not at.exception and not at.error and at.selectbox(key="preset").value == "default"


def test_every_kind_of_move_can_be_undone_and_redone(saved):
    at = opened()
    seen = [state(at)]
    for move in (
        lambda: at.slider(key=KEY).set_value(0.7),
        lambda: at.slider(key=KEY).set_value(0.8),
        lambda: at.selectbox(key="hedging.mode").set_value("off"),
        lambda: at.button(key=f"reset {KEY}").click(),
        lambda: at.selectbox(key="preset").set_value("exam"),
        lambda: at.slider(key="confidence.refine_rounds").set_value(1),
        lambda: at.button(key="reset all").click(),
    ):
        move().run()
        seen.append(state(at))
    assert len({str(s) for s in seen}) >= 7
    for wanted in reversed(seen[:-1]):
        at.button(key="undo").click().run()
        assert state(at) == wanted
    assert at.button(key="undo").disabled
    for wanted in seen[1:]:
        at.button(key="redo").click().run()
        assert state(at) == wanted
    assert at.button(key="redo").disabled


def test_a_move_after_undo_clears_what_can_be_redone(saved):
    at = opened()
    at.slider(key=KEY).set_value(0.7).run()
    at.button(key="undo").click().run()
    at.slider(key=KEY).set_value(0.2).run()
    assert at.button(key="redo").disabled
    at.button(key="undo").click().run()
    assert at.slider(key=KEY).value == values(preset("default"))[KEY]


def test_undo_past_a_deleted_preset_selects_the_default(saved):
    saved.save(ours("mine"))
    at = opened()
    at.selectbox(key="preset").set_value("mine").run()
    at.selectbox(key="preset").set_value("exam").run()
    saved.delete("mine")
    at.button(key="undo").click().run()
    assert at.selectbox(key="preset").value == "default" and at.slider(key=KEY).value == 0.8
    at.button(key="redo").click().run()
    assert at.selectbox(key="preset").value == "exam"


def state(at):
    modes = {s.key: s.value for s in at.selectbox if s.key.endswith(".mode")}
    return at.selectbox(key="preset").value, positions(at), modes


@given(st.lists(st.integers(0, 5), max_size=30))
def test_redo_reverses_undo(moves):
    history = History(steps=((9,),))
    for move in moves:
        history = history.moved_to((move,))
    walked = [history]
    while walked[-1].has(-1):
        walked.append(walked[-1].gone(-1))
    assert walked[-1].current == (9,) and walked[-1].gone(-1) == walked[-1] and history.gone(1) == history
    for wanted in reversed(walked[:-1]):
        assert walked.pop().gone(1) == wanted


def test_the_history_keeps_at_most_its_limit():
    history = History(steps=((0,),))
    for n in range(1, 3 * MOST_STEPS):
        history = history.moved_to((n,))
    assert (history.at, len(history.steps)) == (MOST_STEPS, MOST_STEPS + 1)
    assert history.gone(-1).current == (3 * MOST_STEPS - 2,)


def test_a_link_applies_its_preset_once(saved):
    moved = preset("strict").with_values({KEY: 0.9}, {"numbers": "off"})
    at = opened(link=link_text(moved))
    assert positions(at) == values(moved) and at.selectbox(key="numbers.mode").value == "off"
    assert at.selectbox(key="preset").value == "strict" and len(at.toast) == 1
    assert PARAMETER not in at.query_params
    at.slider(key=KEY).set_value(0.5).run()
    assert at.slider(key=KEY).value == 0.5 and at.selectbox(key="numbers.mode").value == "off"
    for _ in range(2):
        at.button(key="undo").click().run()
    assert positions(at) == values(preset("default")) and at.selectbox(key="preset").value == "default"


def test_a_link_that_equals_a_saved_preset_selects_it(saved):
    saved.save(ours())
    assert opened(link=link_text(ours())).selectbox(key="preset").value == "My class 10"
    saved.delete("My class 10")
    at = opened(link=link_text(ours()))
    assert at.selectbox(key="preset").value == "default" and positions(at) == values(ours())


@pytest.mark.parametrize(
    "link", ["nobody", f"default,{KEY}=0.9,confidence.min_confidence=101", f"default,{KEY}=0.9,numbers.mode=loud", ""]
)
def test_an_invalid_link_shows_one_sentence_and_moves_nothing(saved, link):
    at = opened(link=link)
    assert len(at.error) == 1 and "changed" in at.error[0].value and not at.toast
    assert positions(at) == values(preset("default")) and "undo" not in {b.key for b in at.button}
    at.run()
    assert not at.error


def test_hostile_text_in_a_link_is_escaped(saved):
    at = opened(link="<b>x</b>**y**:red[z]")
    assert "<b>" not in at.error[0].value and "**y**" not in at.error[0].value and ":red[z]" not in at.error[0].value


def test_a_link_says_what_it_opens(saved):
    at = opened(box_with_the_dialog)
    at.selectbox(key="preset").set_value("strict").run()
    at.slider(key=KEY).set_value(0.9).run()
    assert at.code[0].value.endswith(f"?{PARAMETER}=strict,{KEY}=0.9")
    assert any("**Strict, with 1 change**" in m.value for m in at.markdown)


def take(at, name, text):
    next(f for f in at.file_uploader if f.label == "Load limits from a file").set_value(
        [(name, text.encode(), "")]
    ).run()
    assert not at.exception
    return at


def test_limits_are_taken_from_a_file_and_undone(saved):
    at = take(
        opened(box_with_the_dialog), "ours.yaml", f"name: strict\nthresholds: {{{KEY}: 0.9}}\nmodes: {{numbers: off}}"
    )
    assert at.selectbox(key="preset").value == "strict" and at.slider(key=KEY).value == 0.9
    assert at.selectbox(key="numbers.mode").value == "off" and any("2 changes" in m.value for m in at.markdown)
    at.button(key="undo").click().run()
    assert positions(at) == values(preset("default"))


def test_a_file_that_holds_no_limits_changes_nothing(saved):
    at = take(opened(box_with_the_dialog), "ours.json", '{"thresholds": {"support.min_support": 7}}')
    assert len(at.error) == 1 and "nothing was changed" in at.error[0].value
    assert positions(at) == values(preset("default"))


def test_the_address_is_that_of_the_page(saved):
    assert address(preset("seed_b")) == "?limits=seed_b"
