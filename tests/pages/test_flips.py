"""The smallest flip, the distance of each check and the strip under each slider, without models."""

from base64 import b64decode
from xml.etree.ElementTree import fromstring

import pytest
from streamlit.testing.v1 import AppTest

from core.checks import all_checks, all_thresholds
from core.decide.flips import outlook
from core.decide.sensitivity import MEASURE, Effect, Segment, Sensitivity, check_moves, effects
from core.presentation.check_tiles import tile
from core.presets import preset, with_settings
from core.reply.display_rounding import threshold_value
from core.thresholds import Preset
from pages.components.ask.lights import LIGHTS
from pages.components.ask.sparklines import caption, question_strip
from pages.components.ask.verdict_actions import flip_text, stuck_text, unmeasured_text
from pages.components.shared.session import ASK, LIMITS
from tests.support.app_pages import open_check, strips_of
from tests.support.moves import BEST, NEUTRAL
from tests.support.traces import deep, trace_of

PRINTED = preset("as_printed")


def page():
    """A page with the parts of the Ask page that state what would flip a stored question."""
    import streamlit as st

    from core.decide.sensitivity import check_moves
    from core.presets import preset
    from pages.components.ask.lights import lights
    from pages.components.ask.sparklines import strips
    from pages.components.ask.verdict_actions import flip_box
    from pages.components.ask.verdict_words import headline
    from pages.components.shared.limits import current_preset, select_preset
    from pages.components.shared.page_run import init_session
    from pages.components.shared.question_state import sensitivity_of
    from pages.components.shared.sidebar import limits_box
    from tests.support.route_bank import ROWS, stored_trace

    @st.cache_resource
    def trace():
        return stored_trace(next(row for row in ROWS if row["id"] == "route-plain"))

    init_session()
    if "begun" not in st.session_state:  # these tests use the numbers in the documents
        select_preset(preset("as_printed"))
        st.session_state["begun"] = True
    with st.sidebar:
        limits_box(strips=lambda keys: strips(trace(), current_preset(), keys))
    question, under = sensitivity_of(trace()), current_preset()
    verdict = question.verdict(under)
    st.header(headline(verdict))
    flip_box(trace(), under)
    lights(verdict, under, check_moves(question, verdict.round, under))


@pytest.fixture
def at():
    app = AppTest.from_function(page, default_timeout=120)
    app.session_state[LIMITS.all_box.key] = True
    app.session_state[ASK.light.key] = LIGHTS[0]
    app.run()
    assert not app.exception
    return app


def flip_of(at):
    """Where the open check on the best three passages says that its result changes."""
    open_check(at, "retrieval_confidence")
    return next(c.value.replace("\\", "") for c in at.caption if c.value.startswith("Would "))


def test_the_button_moves_the_slider_to_the_named_value_and_flips_the_verdict(at):
    for before, after in (("ANSWERED", "REFUSED"), ("REFUSED", "ANSWERED")):
        assert before in at.header[0].value
        next(b for b in at.button if b.label == "Apply").click().run()
        assert not at.exception and after in at.header[0].value


def test_the_named_change_made_by_hand_flips_the_verdict(at):
    found = outlook(Sensitivity(at.session_state["sensitivity"].trace), PRINTED)
    (move,) = found.flip.moves
    step = all_thresholds()[move.key].step
    as_held = type(at.slider(key=move.key).value)
    at.slider(key=move.key).set_value(as_held(move.new - (step if move.new > move.old else -step))).run()
    assert "ANSWERED" in at.header[0].value
    at.slider(key=move.key).set_value(as_held(move.new)).run()
    assert "REFUSED" in at.header[0].value


def test_every_slider_has_its_effect_below(at):
    strips = strips_of(at)
    titles = list(strips)
    assert sorted(t.partition(":")[0] for t in titles) == sorted(t.label for t in all_thresholds().values())
    assert any(": refused" in t for t in titles) and any("No effect" in t for t in titles)
    assert all(t.partition(": ")[2].partition(". Scores")[0].rstrip(".") == said for t, said in strips.items())


def test_the_sliders_of_a_watching_check_state_that_it_only_monitors(at):
    at.selectbox(key="entailment.mode").set_value("watches").run()
    assert any(t.startswith("Max. uncertainty: No effect: monitor only") for t in strips_of(at))


def test_a_strip_draws_question_bank_and_effective_ranges():
    below = Segment(low=0, high=0.5, nearest=0.3, ends="deliver")
    above, far = (Segment(low=a, high=b, nearest=a, ends=e) for a, b, e in ((0.51, 0.8, "refuse"), (0.81, 1, MEASURE)))
    found = Effect(ends="deliver", current=0.3, kind="acts", segments=(below, above, far))
    drawn = fromstring(question_strip(all_thresholds()[BEST], found, [0.5], (0.1, 1.0)))
    assert drawn.findtext("p") == "Limit 0.51: refused"
    root = fromstring(b64decode(drawn.find("img").get("src").partition("base64,")[2]))
    ticks, bank, (scale, *bands) = (
        root.findall(f"{{http://www.w3.org/2000/svg}}{tag}") for tag in ("line", "path", "rect")
    )
    left, width = float(scale.get("x")), float(scale.get("width"))

    def share(x):
        return pytest.approx((float(x) - left) / width, abs=0.001)

    assert [share(tick.get("x1")) for tick in ticks] == [0.5]
    assert [share(tick.split()[0]) for tick in bank[0].get("d").split("M")[1:]] == [0.1, 1.0]
    ends = [(share(b.get("x")), share(float(b.get("x")) + float(b.get("width")))) for b in bands]
    assert ends == [(0.505, 0.805), (0.805, 1.0)]
    assert ["stroke-dasharray" in b.attrib for b in bands] == [False, True]  # the dashed range is not measured


def test_an_open_check_states_where_its_result_changes(at):
    assert flip_of(at).startswith("Would fail with Mean of the best three")
    at.slider(key="retrieval_confidence.min_retrieval_confidence").set_value(1.0).run()
    assert flip_of(at).startswith("Would pass with Mean of the best three")


def test_no_reason_draws_a_value_equal_to_a_limit_that_it_missed(at):
    trace = at.session_state["sensitivity"].trace
    question = Sensitivity(trace)
    verdict = question.verdict(PRINTED)
    moves = check_moves(question, verdict.round, PRINTED)
    for result in verdict.checks.values():
        if move := moves.get(f"{result.name}.{result.by}"):
            limit = threshold_value(all_thresholds()[move.key], move.new)
            assert not tile(result, moves).reason.startswith(f"{limit},"), (
                f"{result.name}: the value looks like {limit}"
            )


def outlook_of(base, models, *cases):
    return outlook(Sensitivity(deep(models, *cases)), base)


def test_a_flip_of_two_sliders_names_what_blocks_the_first_alone(make_case, models):
    moves = ["retrieval_confidence.min_retrieval_confidence=0.95", "context_quality.min_context_quality=0.9"]
    found = outlook(Sensitivity(trace_of(models, make_case(scores=(0.9, 0.8)))), with_settings(PRINTED, moves))
    text = flip_text(found)
    assert "**Mean similarity from 0\\.90" in text and "**Mean of the best three from 0\\.95" in text
    assert " **and** " in text and "alone, the check “" in text and text.endswith("fails]")


def test_without_a_flip_the_blocking_checks_are_counted_and_a_single_one_is_named(make_case, models):
    text = stuck_text(
        outlook_of(PRINTED, models, *[make_case(answer="Maybe it is purple [7].", scores=(0.2, 0.1))] * 3)
    )
    assert "Moving one or two limits would not get this question answered" in text and "checks fail" in text
    alone = Preset(modes={c.name: "watches" for c in all_checks() if c.name != "hedging"})
    hedged = make_case(answer="Maybe an arithmetic progression is a list of numbers.")
    text = stuck_text(outlook_of(alone, models, *[hedged] * 3))
    assert "the check “The answer does not hedge” fails" in text


def test_an_unmeasured_outcome_is_stated(make_case, models):
    found = outlook(Sensitivity(trace_of(models, make_case(scores=(0.62, 0.62)))), preset("seed_b"))
    text = unmeasured_text(found)
    assert "only a new search can tell" in text and "**Evidence confidence from 40" in text


@pytest.mark.parametrize(
    ("key", "said"), [(BEST, "Limit 0.91 or higher: refused"), (NEUTRAL, "No effect: same outcome at any value")]
)
def test_a_caption_states_where_a_slider_has_an_effect(make_case, models, key, said):
    question = Sensitivity(deep(models, *[make_case()] * 3))
    assert caption(all_thresholds()[key], effects(question, PRINTED)[key]) == said


@pytest.mark.parametrize(("current", "ends", "said"), [
    (0.1, "deliver", "Limit 0.21 or higher: refused"),
    (0.5, "refuse", "Raising the limit changes nothing. A much lower limit: answered"),
    (1.0, "refuse", "The limit is already at its highest. A much lower limit: answered"),
])  # fmt: skip
def test_a_caption_states_the_effect_of_each_direction(current, ends, said):
    low, high = (Segment(low=a, high=b, nearest=b, ends=e) for a, b, e in ((0, 0.2, "deliver"), (0.21, 1, "refuse")))
    effect = Effect(ends=ends, current=current, kind="acts", segments=(low, high))
    assert caption(all_thresholds()[BEST], effect) == said
