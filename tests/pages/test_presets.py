"""Presets in the sidebar: save, select, delete, compare, open by a link or a file, and undo and redo of every move."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from core.checks import all_thresholds
from core.presets import PARAMETER, differences, display_name, link_text, preset, preset_text, values
from pages.components.shared.presets import address, comparison
from pages.components.shared.safe_display import plain
from pages.components.shared.session import LIMITS
from pages.components.shared.session_types import MOST_STEPS, History
from pages.components.shared.sidebar import ESSENTIALS
from tests.support.app_pages import all_limits, limits_of, text_of

KEY, CLARITY = "retrieval_confidence.min_retrieval_confidence", "clarity.min_clarity"


def page(has_dialog):
    """The sidebar as a page of its own, on request with the dialog of the limits."""
    from pages.components.shared.page_run import init_session
    from pages.components.shared.presets import limits_dialog, open_link
    from pages.components.shared.sidebar import sidebar

    init_session()
    open_link()
    sidebar()
    if has_dialog:
        limits_dialog()


def opened(link=None, *, dialog=False, prepare=all_limits):
    at = prepare(AppTest.from_function(page, args=(dialog,), default_timeout=60))
    if link is not None:
        at.query_params[PARAMETER] = link
    at.run()
    assert not at.exception
    return at


def ours(name="My class 10", **thresholds):
    moved = preset("strict").with_values({KEY: 0.8, **thresholds}, {"hedging": "watches"})
    return replace(moved, name=name, help="Ours.")


def select(at, name):
    at.selectbox(key="preset").set_value(name).run()
    return at


def move(at, value, key=KEY):
    at.slider(key=key).set_value(value).run()
    return at


def click(at, key):
    at.button(key=key).click().run()
    assert not at.exception
    return at


def save_as(at, name):
    next(field for field in at.text_input if field.label == "Name").set_value(name)
    [b for b in at.button if b.label == "Save"][-1].click().run()
    assert not at.exception
    return at


def state(at):
    modes = {s.key: s.value for s in at.selectbox if s.key.endswith(".mode")}
    return at.selectbox(key="preset").value, limits_of(at), modes


def is_at(at, wanted, name="default"):
    """Whether every limit is that of this preset, and the selected preset has this name."""
    return limits_of(at) == values(wanted) and at.selectbox(key="preset").value == name


def test_a_saved_preset_is_listed_and_selected_like_a_built_in_one(saved):
    saved.save(ours())
    at = opened()
    assert at.selectbox(key="preset").options[-2:] == ["E: LangGraph edge cases", "My class 10"]
    select(at, "My class 10")
    assert is_at(at, ours(), "My class 10") and at.selectbox(key="hedging.mode").value == "watches"
    assert at.button(key="reset all").disabled
    click(move(at, 0.1), f"reset {KEY}")
    assert at.slider(key=KEY).value == 0.8


def test_limits_whose_preset_was_deleted_are_taken_as_moves_of_the_default(saved):
    at = opened()
    at.session_state[LIMITS.pending.key] = ours("deleted")  # as a press on the pinned limits does
    at.run()
    assert not at.exception and is_at(at, ours()) and not at.button(key="reset all").disabled


def test_current_limits_are_saved_under_a_name_and_then_selected(saved):
    at = save_as(move(opened(dialog=True), 0.77), "mine")
    assert not at.error and at.selectbox(key="preset").value == "mine" and at.button(key="reset all").disabled
    found = saved.preset("mine")
    assert found.thresholds[KEY] == 0.77 and "from Default, with 1 change" in found.help


@pytest.mark.parametrize(
    ("name", "says"), [("Seed A", "comes with the app"), ("../x", "begins with a letter"), ("mine", "tick the box")]
)
def test_a_name_that_cannot_be_used_shows_one_sentence_and_saves_nothing(saved, name, says):
    saved.save(ours("mine"))
    at = save_as(opened(dialog=True), name)
    assert len(at.error) == 1 and says in at.error[0].value
    assert saved.names() == ("mine",) and saved.preset("mine").thresholds[KEY] == 0.8


def test_a_guest_saves_no_limits_but_may_take_them_away(saved, monkeypatch):
    monkeypatch.setenv("GUARDRAIL_MODE", "demo")
    at = opened(dialog=True)
    assert not [b for b in at.button if b.label == "Save"] and at.code and len(at.get("download_button")) == 2


def test_a_saved_preset_is_replaced_when_the_box_is_ticked(saved):
    saved.save(ours("mine"))
    at = move(opened(dialog=True), 0.31)
    at.checkbox[0].check()
    save_as(at, "mine")
    assert not at.error and saved.preset("mine").thresholds[KEY] == 0.31


def test_a_deleted_preset_leaves_the_sliders_where_they_are(saved):
    saved.save(ours("mine"))
    at = click(select(opened(dialog=True), "mine"), "delete preset mine")
    assert saved.names() == ()
    at.run()
    assert at.selectbox(key="preset").value == "default" and at.slider(key=KEY).value == 0.8
    assert at.button(key="undo").disabled is False


def test_a_preset_that_another_user_deletes_or_damages_breaks_nothing(saved):
    saved.save(ours("mine"))
    at = select(opened(), "mine")
    (saved.folder / "mine.json").write_text("{")
    at.run()
    assert not at.exception and "cannot be read" in at.error[0].value
    saved.delete("mine")
    at.run()
    assert not at.exception and not at.error and at.selectbox(key="preset").value == "default"


def test_every_kind_of_move_can_be_undone_and_redone(saved):
    at = opened()
    seen = [state(at)]
    for make_move in (
        lambda: at.slider(key=KEY).set_value(0.7),
        lambda: at.slider(key=KEY).set_value(0.8),
        lambda: at.selectbox(key="hedging.mode").set_value("off"),
        lambda: at.button(key=f"reset {KEY}").click(),
        lambda: at.selectbox(key="preset").set_value("exam"),
        lambda: at.slider(key="confidence.refine_rounds").set_value(1),
        lambda: at.button(key="reset all").click(),
    ):
        make_move().run()
        seen.append(state(at))
    assert len({str(s) for s in seen}) >= 7
    for name, wanted_states in (("undo", seen[-2::-1]), ("redo", seen[1:])):
        for wanted in wanted_states:
            assert state(click(at, name)) == wanted
        assert at.button(key=name).disabled


def test_a_move_after_undo_clears_what_can_be_redone(saved):
    at = move(click(move(opened(), 0.7), "undo"), 0.2)
    assert at.button(key="redo").disabled
    assert click(at, "undo").slider(key=KEY).value == values(preset("default"))[KEY]


def test_undo_past_a_deleted_preset_selects_the_default(saved):
    saved.save(ours("mine"))
    at = select(select(opened(), "mine"), "exam")
    saved.delete("mine")
    click(at, "undo")
    assert at.selectbox(key="preset").value == "default" and at.slider(key=KEY).value == 0.8
    assert click(at, "redo").selectbox(key="preset").value == "exam"


@given(st.lists(st.integers(0, 5), max_size=30))
def test_redo_reverses_undo(moves):
    history = History(steps=((9,),))
    for position in moves:
        history = history.moved_to((position,))
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
    at = opened(link_text(moved))
    assert is_at(at, moved, "strict") and at.selectbox(key="numbers.mode").value == "off"
    assert len(at.toast) == 1 and PARAMETER not in at.query_params
    move(at, 0.5)
    assert at.slider(key=KEY).value == 0.5 and at.selectbox(key="numbers.mode").value == "off"
    assert is_at(click(click(at, "undo"), "undo"), preset("default"))


def test_a_link_that_equals_a_saved_preset_selects_it(saved):
    saved.save(ours())
    assert is_at(opened(link_text(ours())), ours(), "My class 10")
    saved.delete("My class 10")
    assert is_at(opened(link_text(ours())), ours())


@pytest.mark.parametrize("link", [
    "nobody", f"default,{KEY}=0.9,confidence.min_confidence=101", f"default,{KEY}=0.9,numbers.mode=loud", "",
    "<b>x</b>**y**:red[z]",
])  # fmt: skip
def test_an_invalid_link_shows_one_escaped_sentence_and_moves_nothing(saved, link):
    at = opened(link)
    assert len(at.error) == 1 and "changed" in at.error[0].value and not at.toast
    assert not [harm for harm in ("<b>", "**y**", ":red[z]") if harm in at.error[0].value]
    assert is_at(at, preset("default")) and "undo" not in {b.key for b in at.button}
    at.run()
    assert not at.error


def test_a_link_says_what_it_opens(saved):
    at = move(select(opened(dialog=True), "strict"), 0.9)
    assert at.code[0].value.endswith(f"?{PARAMETER}=strict,{KEY}=0.9")
    assert any("**Strict, with 1 change**" in m.value for m in at.markdown)
    assert address(preset("seed_b")) == "?limits=seed_b"


def take(at, name, text):
    field = next(f for f in at.file_uploader if f.label == "Load limits from a file")
    field.set_value([(name, text.encode(), "")]).run()
    assert not at.exception
    return at


def test_limits_are_taken_from_a_file_and_undone(saved):
    text = f"name: strict\nthresholds: {{{KEY}: 0.9}}\nmodes: {{numbers: off}}"
    at = take(opened(dialog=True), "ours.yaml", text)
    assert at.selectbox(key="preset").value == "strict" and at.slider(key=KEY).value == 0.9
    assert at.selectbox(key="numbers.mode").value == "off" and "2 changes" in text_of(at)
    assert is_at(click(at, "undo"), preset("default"))


def test_a_file_that_holds_no_limits_changes_nothing(saved):
    at = take(opened(dialog=True), "ours.json", '{"thresholds": {"support.min_support": 7}}')
    assert len(at.error) == 1 and "nothing was changed" in at.error[0].value
    assert is_at(at, preset("default"))


def test_the_current_limits_are_compared_with_a_preset_threshold_by_threshold(saved):
    saved.save(ours())
    at = opened(dialog=True)
    assert "the same in every limit" in text_of(at)  # at first, they are those of the preset
    assert "| 0.60 | 0.90 |" in text_of(move(at, 0.9))
    select(at, "My class 10")
    next(box for box in at.selectbox if box.label == "Current limits compared with").set_value("strict").run()
    text = text_of(at)
    assert "2 differences: Strict is stricter in 1, the current limits are stricter in 1." in text
    rows = [line for line in text.split("\n") if line.startswith("| ")][1:]
    assert len(rows) == 2 and "| 0.70 | 0.80 | probability | Current limits |" in rows[0]
    assert "Mode: The answer does not hedge" in rows[1] and "| Block | Monitor | mode | Strict |" in rows[1]


def test_a_row_states_that_neither_side_is_stricter():
    default = preset("default")
    text = comparison(differences(default, default.with_values({"confidence.refine_rounds": 0.0})), "A*")
    assert text.startswith(f"**1 difference: {plain('A*')} is stricter in 0, the current limits are stricter in 0.**")
    assert text.split("\n")[-1].endswith("| 2 | 0 | times | neither |")


def test_presets_have_readable_titles():
    assert [display_name(n) for n in ("default", "seed_a", "my_own")] == ["Default", "A: Safety mechanism", "my_own"]
    assert preset_text(preset("exam"), 0) == "Exam" and preset_text(preset("exam"), 2) == "Exam, with 2 changes"


@pytest.fixture
def essentials(saved):
    """The sidebar as it is at first, with the essentials alone."""
    return opened(prepare=lambda at: at)


def show_all(at, is_open):
    """Open or close the box with all thresholds."""
    at.session_state[LIMITS.all_box.key] = is_open
    at.run()
    return at


def test_the_essentials_stay_first_and_what_was_changed_is_pinned_below_them(essentials):
    at = essentials
    assert list(limits_of(at)) == list(ESSENTIALS) and at.toggle[0].key == "numbers as a switch"
    show_all(at, True)
    assert [s.key for s in at.slider][: len(ESSENTIALS)] == list(ESSENTIALS)
    assert set(limits_of(at)) == set(all_thresholds())
    assert list(limits_of(show_all(move(at, 0.4, CLARITY), False))) == [*ESSENTIALS, CLARITY]
    assert list(limits_of(move(at, 0.4, ESSENTIALS[0]))) == [*ESSENTIALS, CLARITY]
    assert "1 change" in text_of(click(at, f"reset {ESSENTIALS[0]}"))
    at.run()
    assert show_all(at, True).slider(key=CLARITY).value == 0.4


def test_the_search_among_all_limits_keeps_the_values_that_it_hides(essentials):
    at = move(show_all(essentials, True), 0.4, CLARITY)
    for words, found in (("hybrid gap", []), ("gap", ["score_gap.min_score_gap", "score_gap.gap_applies_below"])):
        at.text_input(key=LIMITS.search.key).set_value(words).run()
        assert list(limits_of(at)) == [*ESSENTIALS, *found]
    at.text_input(key=LIMITS.search.key).set_value("").run()
    assert at.slider(key=CLARITY).value == 0.4 and set(limits_of(at)) == set(all_thresholds())


def test_the_switch_of_the_essentials_sets_the_mode_of_its_check(essentials):
    at = essentials
    at.toggle(key="numbers as a switch").set_value(False).run()
    assert "1 change" in text_of(at) and not at.toggle[0].value
    assert show_all(at, True).selectbox(key="numbers.mode").value == "watches"
    at.selectbox(key="numbers.mode").set_value("blocks").run()
    assert at.toggle(key="numbers as a switch").value
