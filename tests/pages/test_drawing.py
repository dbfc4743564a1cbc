"""Parts of the pages: escaped text, the verdict in words and figures, the lights, the grid, a passage and progress."""

from dataclasses import replace
from pathlib import Path
from xml.etree.ElementTree import fromstring

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.case import Trace
from core.checks.fact_grounding import PARTS
from core.decide import verdict as decide
from core.decide.evidence import zones
from core.decide.routes import ROUTES
from core.graph.rounds import measure
from core.library import Progress
from core.platform.jobs import Wait, in_line
from core.presentation.check_tiles import tile
from core.presets import preset, with_settings
from core.words import VIOLATIONS
from pages.components.ask import lights, sentences
from pages.components.ask.page_beside import marked, passage_text
from pages.components.ask.verdict_words import HEADLINES, band_html, figures, headline
from pages.components.shared import progress
from pages.components.shared.safe_display import MARKUP, plain, shorten
from tests.support.cases import DISTANT, MIXED, SUPPORTED
from tests.support.traces import deep

JOINER, PRINTED = "\u2060", preset("as_printed")
HARM = "<b>Two</b> $x$ [a](javascript:b) numbers."


@pytest.fixture
def judged(make_case, models):
    """Return a function that measures a case with the fake models and returns its verdict."""

    def judged(**about):
        case = make_case(**about)
        return decide(Trace(question=case.question, rounds=(measure("first", case, models),)), PRINTED)

    return judged


def decided(trace, *moves):
    """The verdict on a trace, and the preset of the documents with these moves that decides it."""
    current = with_settings(PRINTED, list(moves))
    return decide(trace, current), current


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>", "**bold** _it_ `code` ~~gone~~", "$x^2$ and $$y$$", "[a](javascript:alert(1))",
        ":material/home: :red[x] :smile:", "# heading", "1. item", "- item", "| a | b |", "&lt;", "a -> b <- c >= d -- e",
    ],
)  # fmt: skip
def test_plain_text_has_no_markdown_left(text):
    drawn = plain(text)
    bare = drawn.replace(JOINER, "")
    unescaped = [c for before, c in zip(" " + bare, bare, strict=False) if c in "<>*_`$[]#|&:~" and before != "\\"]
    assert unescaped == []
    assert bare.replace("\\", "") == text


def test_plain_text_is_one_line():
    assert plain("a\n\n    b\n# c") == "a b \\# c"


def test_addresses_do_not_become_links():
    drawn = plain("see https://example.org, www.example.org or a@b.org").replace("\\", "")
    assert [whole for whole in ("://", "www.", "a@b") if whole in drawn] == []


def test_a_long_text_is_cut_with_an_ellipsis():
    assert shorten("abc", 3) == "abc"
    assert shorten("abcdef", 4) == "abc…"


def test_the_zones_of_the_band_move_with_the_limits():
    assert zones(30, 40) == {"never": (0, 30), "named_only": (30, 40), "answer": (40, 100)}
    assert zones(60, 40) == {"never": (0, 40), "named_only": (40, 40), "answer": (40, 100)}


def left_of(element):
    return element.get("style").removeprefix("left:").removesuffix("%")


@pytest.mark.parametrize(
    ("value", "limits"), [(72.0, (30.0, 40.0)), (12.0, (30.0, 40.0)), (50.0, (60.0, 40.0)), (40.0, (40.0, 40.0))]
)
def test_the_band_draws_the_value_and_both_limits(value, limits):
    bar, below = fromstring(band_html("title", limits, value, is_grey=False))
    marks = {float(left_of(mark)): mark.text for mark in below}
    assert set(marks) == ({limits[1]} if limits[0] >= limits[1] else set(limits))
    assert all(f"{at:g}" in words for at, words in marks.items())
    *drawn, pointer = bar
    assert sum(float(zone.get("style").removeprefix("width:").removesuffix("%")) for zone in drawn) == 100
    assert float(left_of(pointer)) == value


def test_every_route_has_a_word_an_icon_and_a_colour(judged):
    assert set(HEADLINES) == set(ROUTES)
    assert len({h.partition(":material/")[2] for h in HEADLINES.values()}) == len(ROUTES)
    assert all(h.startswith((":green[", ":red[", ":blue[")) for h in HEADLINES.values())
    assert headline(judged(scores=(0.9, 0.9))) == ":green[:material/check_circle: ANSWERED]"
    assert headline(judged(scores=(0.1, 0.1))) == ":red[:material/cancel: REFUSED]"


def test_the_figures_name_the_evidence_and_the_supported_sentences_that_go_out(judged, make_case, models):
    line = figures(judged(scores=(0.9, 0.9)), PRINTED)
    assert "**90 of 100**" in line and "**the one sentence** is supported" in line
    found, current = decided(deep(models, make_case(MIXED)))
    assert (found.supported, len(found.sentences)) == (1, 2)
    assert "**the one sentence** of the shortened answer is supported" in figures(found, current)


def test_nothing_is_counted_as_supported_and_nothing_is_green_under_a_refusal(judged):
    refused = judged(scores=(0.9, 0.9), answer="Maybe an arithmetic progression is a list of numbers.")
    assert not refused.answered and "supported" not in figures(refused, PRINTED)
    shown = band_html("title", (30, 40), refused.confidence, is_grey=not refused.answered)
    assert 'class="scale grey"' in shown


def test_the_checks_that_block_are_shown_with_their_numbers(judged):
    def shown(verdict):
        return lights.blocking(verdict, lights.tiles_of(verdict))

    assert "0.59, needs 0.60" in [one.line for one in shown(judged(scores=(0.59, 0.59, 0.59))).values()]
    assert shown(judged(scores=(0.9, 0.9))) == {}


def test_every_check_belongs_to_one_light_and_a_light_is_as_bad_as_its_worst_check(judged):
    for scores, state in (((0.9, 0.9), "passed"), ((0.1, 0.1), "failed")):
        verdict = judged(scores=scores)
        held = lights.by_light(lights.tiles_of(verdict))
        assert list(held) == list(lights.LIGHTS) and sum(map(len, held.values())) == len(verdict.checks)
        assert lights.light_state(held["Found"]) == state
        names = fromstring(MARKUP.names(held["Found"], answered=True)).findall("span")
        assert [span.get("data-check") for span in names] == list(held["Found"])


@pytest.mark.parametrize(("scores", "is_green"), [((0.9, 0.9), True), ((0.1, 0.1), False)])
def test_no_light_is_green_under_a_refusal(judged, scores, is_green):
    verdict = judged(scores=scores)
    held = lights.by_light(lights.tiles_of(verdict))
    marks = [lights.mark(lights.light_state(own), verdict) for own in held.values()]
    names = [MARKUP.names(own, answered=verdict.answered) for own in held.values()]
    assert verdict.answered == is_green == any("green" in mark for mark in marks)
    assert any("check" in mark for mark in marks)  # a light that passes is still told from one that fails
    assert all(('class="checks refused"' in text) != is_green for text in names)


def test_the_title_of_the_grid_counts_unsupported_sentences(judged):
    assert sentences.title(judged()) == "The book supports this sentence"
    two = judged(answer="An arithmetic progression is a list of numbers. Purple elephants dance on nightly rooftops.")
    assert sentences.title(two) == "1 of 2 sentences of the original answer is not clearly supported by the book"


@pytest.mark.parametrize(("given", "named"), [(True, "pasted answer"), (False, "withheld draft")])
def test_only_what_a_writer_wrote_is_called_a_draft(judged, given, named):
    draft = replace(judged().round.case.draft, given=given)
    refused = judged(answer="Maybe an arithmetic progression is a list of numbers.", draft=draft, scores=(0.1, 0.1))
    assert not refused.answered and sentences.whose(refused) == f" of the {named}"


def test_cells_carry_label_and_probability_and_respect_the_neutral_limit():
    near, sure = (
        sentences.cell(np.array(row), 0.7, is_read=True) for row in ((0.1, 0.7004, 0.1996), (0.94, 0.05, 0.01))
    )
    assert (near.label, near.number, near.look) == ("Unclear", "0.7004", "neutral")
    assert (sure.label, sure.number) == ("Agrees", "0.94")
    assert sentences.cell(np.array((0.94, 0.05, 0.01)), 0.7, is_read=False).look == "entailment pale"
    assert sentences.cell(np.full(3, np.nan), 0.7, is_read=False).label == "○"


def test_the_grid_escapes_text_of_books_and_answers(judged):
    said = "<b>Numbers</b> are <a href='x'>listed</a> in a progression."
    found = judged(answer=said)
    root = fromstring(sentences.grid_html(found, PRINTED))
    assert (
        "<a href" in (text := found.sentences[0].text)
        and root.find("table/tbody/tr/th").get("title") == text
        and not root.findall(".//b") + root.findall(".//a")
    )


def test_no_script_of_a_page_writes_markup():
    scripts = [path.read_text("utf-8") for path in Path(lights.__file__).parents[1].rglob("*.js")]
    assert len(scripts) == 5
    assert not [way for way in ("innerHTML", "outerHTML", "insertAdj") if way in "".join(scripts)]


def test_the_differences_of_two_sentences_are_marked_and_escaped():
    assert sentences.differences("It is 5 m long.", "It is 4 m long.") == "It is :blue-background[**4**] m long\\."
    drawn = sentences.differences(HARM, HARM.replace("Two", "Three"))
    assert [harm for harm in ("<b>", "$x$", "](javascript") if harm in drawn] == []


def test_the_score_of_stage_2_shows_its_components(make_case, models):
    trace = deep(models, make_case(SUPPORTED, evidence=DISTANT))
    first = trace.rounds[0]
    sure = first.signals["fact_grounding"] | {"certainty": np.array(0.7), "assessed": np.array(1.0)}
    assessed = replace(trace, rounds=(replace(first, signals=first.signals | {"fact_grounding": sure}),))
    for asked, parts in ((trace, [*PARTS.values()][:2]), (assessed, [*PARTS.values()])):
        one = tile(decided(asked)[0].checks["fact_grounding"])
        assert [bar.label for bar in one.bars] == parts
        assert MARKUP.bars(one.bars).count('class="part"') == len(parts)
        assert ("No model has said how sure it is" in one.reason) == (len(parts) < 3)
    assert one.bars[2].text == "0.70"


def test_stage_1_states_the_violation_and_its_severity(make_case, models):
    trace = deep(models, make_case(SUPPORTED))
    found, current = decided(trace)
    assert lights.violation(found, current) == ""
    first = trace.rounds[0]
    interest = first.signals["interest"] | {"drift": np.array([0.9])}
    strange = replace(trace, rounds=(replace(first, signals=first.signals | {"interest": interest}),))
    for mode in ("blocks", "watches"):
        found, current = decided(strange, f"interest.mode={mode}")
        assert lights.violation(found, current) == f"Problem: {VIOLATIONS['off_topic']} (off_topic), severity low"


def test_test_mode_states_what_would_have_been_stopped(make_case, models):
    trace = deep(models, make_case(SUPPORTED, evidence=DISTANT))
    moves = ("interest.mode=watches", "fact_grounding.mode=watches")
    found, current = decided(trace, *moves, "fact_grounding.medium=0.95")
    assert found.route == "deliver" and "would have been stopped" in lights.test_mode_note(found, current, PRINTED)
    sound, current = decided(trace, *moves)
    assert lights.test_mode_note(sound, current, PRINTED) == lights.TEST_MODE
    assert lights.test_mode_note(sound, current, current) == lights.test_mode_note(sound, PRINTED, PRINTED) == ""


def test_a_passage_shows_which_sentence_decided_and_what_it_says(judged):
    found = judged()
    evidence = found.round.case.evidence[0]
    decided = marked(found, 0)
    text = passage_text(found, 0, decided)
    assert decided and set(decided.values()) == {0}
    assert text.count("✓ sentence 1]") == 1 and text.count(":green-background[") == len(decided)
    assert ":blue-background[" not in text  # the sentence that decided stands out alone
    assert passage_text(found, 0, {}).count(":blue-background[") == len(evidence.kept)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.0, "almost done"), (3.2, "about 4 s left"), (89.5, "about 2 min left"), (600.0, "about 10 min left")],
)
def test_progress_names_document_page_and_time(seconds, text):
    step = Progress(document="sound.pdf", page=2, pages=3, step="embedding", seconds_left=seconds)
    assert progress.line(step) == f"sound.pdf: 2 of 3 pages indexed, {text}"


def test_reading_is_not_the_whole_progress():
    step = Progress(document="sound.pdf", page=1, pages=1, step="reading", seconds_left=0.0)
    assert progress.line(step) == "sound.pdf: 1 of 1 page read, indexing comes next"


@pytest.mark.parametrize(
    ("place", "seconds", "text"),
    [
        (1, 0.4, "1st in line, its turn comes at once"), (2, 12.0, "2nd in line, about 12 s left until its turn"),
        (13, None, "13th in line, waiting time not known yet"), (23, 600.0, "23rd in line, about 10 min left until its turn"),
    ],
)  # fmt: skip
def test_a_waiting_user_sees_the_place_in_line_and_the_time_left(place, seconds, text):
    wait = Wait(place=place, seconds=seconds)
    assert in_line(wait) == text
    step = Progress(document="a.pdf", page=1, pages=3, step="embedding", seconds_left=9.0, waiting=wait)
    assert progress.line(step) == f"a.pdf: {text}"


def test_a_waiting_user_can_stop():
    def page():
        import streamlit as st

        from core.platform.jobs import Wait
        from pages.components.ask.asking import measure_current
        from pages.components.shared import progress, question_state
        from pages.components.shared.session_types import AskedQuestion

        if "seen" not in st.session_state:
            question_state.remember(AskedQuestion(form={}))
            progress._queue_listener(st.empty(), "waiting", question_state.stop_asking)(Wait(place=2, seconds=3.0))
        else:
            measure_current(None, "", None, None)  # there is no question any more
        st.session_state["seen"] = True

    at = AppTest.from_function(page, default_timeout=120).run()
    assert "2nd in line, about 3 s left" in at.caption[0].value and "asked" in at.session_state
    at.button(key="waiting stop").click().run()
    assert "asked" not in at.session_state and [one.value for one in at.info] == [progress.STOPPED_TEXT]


def test_progress_only_grows():
    steps = [("reading", 1), ("reading", 3), ("embedding", 0), ("embedding", 3)]
    shares = [
        progress.share(Progress(document="a", page=page, pages=3, step=step, seconds_left=0.0)) for step, page in steps
    ]
    assert shares == sorted(shares) and shares[-1] == 1.0
