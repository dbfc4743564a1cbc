"""Views of the chain other than the map: changes, rounds, the two stages, parts, and the words of each route."""

from dataclasses import replace

import numpy as np
import pytest

from core.case import Question, Trace
from core.decide import verdict
from core.decide.delivery import Change
from core.decide.flow import ROUTES
from core.presets import preset, with_settings
from core.reply.document_records import metadata
from core.settings.domains import domain
from core.thresholds import Preset
from pages.components.ask import confidence as stages
from pages.components.ask.answer_comparison import change_text, title
from pages.components.ask.confidence import TEST_MODE, first_stage, parts_list, tier_parts, weight_note, weights_of
from pages.components.ask.route import round_text, round_texts
from pages.components.ask.route_steps import brief
from pages.components.ask.verdict_box import HEADLINES, figures, headline
from tests.support.cases import BOOK, evidence
from tests.support.progression_answers import ALTERED, DISTANT, MIXED, TRUE
from tests.support.traces import deep

PRINTED = preset("as_printed")
HARM = "<b>Two</b> $x$ [a](javascript:b) numbers."


def decided(trace, *moves):
    current = with_settings(PRINTED, list(moves))
    return verdict(trace, current), current


def told(trace, *moves):
    """The names of the rounds on the path, and of the one that gives the answer."""
    found = round_texts(trace, decided(trace, *moves)[0])
    return [r.name for r in found], [r.name for r in found if r.reason]


def test_every_route_has_a_word_an_icon_and_a_colour():
    assert set(HEADLINES) == set(ROUTES)
    assert len({h.partition(":material/")[2] for h in HEADLINES.values()}) == len(ROUTES)
    assert all(h.startswith((":green[", ":red[", ":blue[")) for h in HEADLINES.values())


def test_a_sentence_shows_removed_and_added_words():
    change = Change(
        done="changed", before="It is 5 m long.", after="It is 4 m long.", why="As the book says.", confidence=0.9
    )
    text = change_text("Sentence 1", change)
    assert text.splitlines()[1:] == [
        ":gray[Was:] It is ~~5~~ m long\\.  ", ":gray[Now:] It is :blue-background[**4**] m long\\."
    ]  # fmt: skip
    assert "0.90" in text and "replaced with the book's wording" in text and "As the book says" not in text


def test_an_omitted_sentence_is_struck_out_with_its_reason():
    change = Change(done="left_out", before="It is blue.", after="", why="Nobody says it.", confidence=None)
    text = change_text("Sentence 2", change)
    assert "~~It is blue\\.~~" in text and "left out" in text and "Nobody says it\\." in text
    assert "not compared with the passages" in text


def test_a_change_escapes_text_of_the_answer():
    for done, after in (("kept", HARM), ("changed", HARM.replace("Two", "Three")), ("left_out", "")):
        text = change_text("Sentence 1", Change(done=done, before=HARM, after=after, why=HARM, confidence=0.5))
        assert [harm for harm in ("<b>", "$x$", "](javascript") if harm in text] == []


def test_the_title_counts_the_changes_of_sentences():
    made = [Change(done=d, before="a", after="a", why="", confidence=None) for d in ("kept", "changed", "kept")]
    assert title(made) == "What was changed: 2 of 3 sentences kept, 1 replaced with the book's wording"
    assert title(made[:1]) == "What was changed"


def test_a_single_round_is_not_compared_and_a_correction_is(make_case, models):
    assert told(deep(models, make_case(TRUE))) == (["first"], ["first"])
    assert told(deep(models, make_case(ALTERED))) == (["first", "corrected"], ["corrected"])
    assert told(deep(models, make_case(TRUE, (0.1,)))) == (["first"], [])


def test_the_best_search_gives_the_answer_and_each_query_is_shown(make_case, models):
    asked = [make_case(TRUE, scores) for scores in ((0.31, 0.3), (0.36, 0.3), (0.9, 0.8))]
    asked[2] = replace(asked[2], query="rare words")
    trace = deep(models, *asked)
    assert told(trace) == (["first", "refined 1", "refined 2"], ["refined 2"])
    texts = [round_text(r) for r in round_texts(trace, decided(trace)[0])]
    assert "31/100" in texts[0] and "the same words" in texts[1] and "rare words" in texts[2]
    assert ["This is the answer that is given" in t for t in texts] == [False, False, True]


def test_a_recheck_names_the_better_round(make_case, models):
    high = "fact_grounding.high=0.9"
    more = tuple(evidence(BOOK, s, n) for n, s in enumerate((0.9, 0.9, 0.8)))
    case = make_case(TRUE, evidence=DISTANT)
    assert told(deep(models, case), high) == (["first", "rechecked"], ["first"])
    trace = deep(models, case, wider=lambda c: replace(c, evidence=more))
    assert told(trace, high) == (["first", "rechecked"], ["rechecked"])
    assert "3 passages, 1 of them new" in round_text(round_texts(trace, decided(trace, high)[0])[1])


@pytest.mark.parametrize("gone", [set(), {"certainty"}, {"certainty", "retrieval"}])
def test_the_parts_of_stage_2_add_up_to_its_score(gone):
    weights = weights_of(Preset())
    parts = {name: None if name in gone else 0.5 for name in weights}
    lines = parts_list(parts, weights).splitlines()
    added = [float(line.rpartition("= **")[2].strip("*")) for line in lines if "= **" in line]
    assert sum(added) == pytest.approx(0.5, abs=0.02) and len(added) == len(parts) - len(gone)
    assert sum("not measured" in line for line in lines) == len(gone)
    assert all(name in weight_note(parts, weights) for name in gone) and bool(weight_note(parts, weights)) == bool(gone)


@pytest.mark.parametrize(
    ("score", "ends"), [(0.0, (0.5, 0.8)), (1.0, (0.5, 0.8)), (0.6, (0.9, 0.4)), (0.5, (0.0, 1.0))]
)
def test_the_tiers_fill_the_bar_and_hold_the_score(score, ends):
    zones, marks = tier_parts(ends)
    assert sum(high - low for low, high, *_ in zones) == pytest.approx(100)
    assert any(low <= 100 * score <= high for low, high, *_ in zones)
    assert {at for at, *_ in marks} == {100 * ends[0], 100 * max(ends)}


def test_stage_1_states_violation_severity_and_reason(make_case, models):
    trace = deep(models, make_case(TRUE))
    first = trace.rounds[0]
    interest = first.signals["interest"] | {"drift": np.array([0.9])}
    trace = replace(trace, rounds=(replace(first, signals=first.signals | {"interest": interest}),))
    for mode, says in (("blocks", "stops the answer"), ("watches", "monitor only")):
        found, current = decided(trace, f"interest.mode={mode}")
        about = metadata(found, current, domain()).company_interest
        text = first_stage(about, found.checks["interest"])
        assert "off\\_topic" in text and "severity **low**" in text and says in text
        assert "does not belong here" in text


def test_stage_1_of_a_sound_answer_is_in_scope(make_case, models):
    found, current = decided(deep(models, make_case(TRUE)))
    text = first_stage(metadata(found, current, domain()).company_interest, found.checks["interest"])
    assert "in scope?" in text and "Yes" in text and "severity" not in text


def test_test_mode_states_what_would_have_been_stopped(make_case, models):
    trace = deep(models, make_case(TRUE, evidence=DISTANT))
    found, _ = decided(trace, "interest.mode=watches", "fact_grounding.mode=watches", "fact_grounding.medium=0.95")
    assert found.route == "deliver" and "would have been stopped" in stages.test_mode(found)
    sound, _ = decided(trace, "interest.mode=watches", "fact_grounding.mode=watches")
    assert stages.test_mode(sound) == TEST_MODE


def test_the_figures_count_the_sentences_that_go_out(make_case, models):
    found, current = decided(deep(models, make_case(MIXED)))
    assert (found.supported, len(found.sentences)) == (1, 2)
    assert "**the one sentence** of the shortened answer is supported" in figures(found, current)


def test_the_path_fits_in_one_line(make_case, models):
    found, _ = decided(deep(models, make_case(TRUE)))
    assert brief(found).count("chevron_right") == len(found.steps) - 1
    assert brief(found).startswith("Message type") and brief(found).endswith("**Answered**")
    assert headline(found) == HEADLINES["deliver"]


def test_the_rounds_of_a_part_are_its_own(make_case, models):
    part = deep(models, make_case(ALTERED))
    whole = Trace(question=Question(query="a and b?"), rounds=part.rounds, parts=(part, part))
    found, _ = decided(whole)
    assert len(found.parts) == 2
    assert [r.name for r in round_texts(whole.parts[1], found.parts[1])] == ["first", "corrected"]
