"""Limits of a class or a subject on the pages: on the sliders of the question's class, and one truth everywhere."""

import json

import pytest

from core.__main__ import main
from core.journal import Journal
from core.presets import link_text, modes_of, preset, values
from core.presets.by_class import FILE, for_scope, limits_by_class
from core.question import Scope
from tests.support import app_pages
from tests.support.app_pages import limits_of, text_of, word

QUESTION = "How fast does sound travel in water?"
KEY, MODE, OTHER = "retrieval_confidence.min_retrieval_confidence", "retrieval_confidence.mode", "support.min_support"
BASE = values(preset("default"))
STRICT = {"class_number": 8, "thresholds": {KEY: 1.0}, "modes": {"retrieval_confidence": "blocks"}}


@pytest.fixture
def class_8(home):
    """The limits of class 8, under which no passage is close enough."""
    (home / FILE).write_text(json.dumps([STRICT]), encoding="utf-8")
    yield home
    (home / FILE).unlink(missing_ok=True)


@pytest.fixture
def asked(class_8, start):
    """The Ask page with a question of class 8."""
    return ask(start(), 8)


def ask(at, class_number):
    at.selectbox(key="class_number").set_value(class_number)
    return app_pages.ask(at, QUESTION)


def line(at):
    """The line about the limits of the class; "" without it."""
    return next((text for text in text_of(at).split("\n") if text.startswith("Limits for class 8: ")), "")


def places(at):
    """The limit and the mode that class 8 sets, as the sidebar has them."""
    return limits_of(at)[KEY], at.selectbox(key=MODE).value


def test_a_question_of_a_class_is_decided_as_on_the_command_line(asked, class_8, capsys):
    assert word(asked) == "REFUSED" and places(asked) == (1.0, "blocks")
    assert main(["ask", QUESTION, "--class", "8", "--home", str(class_8), "--json"]) == 0
    printed, (kept, *_) = json.loads(capsys.readouterr().out), Journal(class_8).rows()
    assert (kept.route, kept.reason) == (printed["route"], printed["primary_reason"])
    assert kept.answer == printed["answer"] and printed["checks"]["retrieval_confidence"]["state"] == "failed"


def test_sidebar_link_and_journal_have_the_limits_that_decided(asked, class_8):
    decided = for_scope(preset("default"), Scope(class_number=8), limits_by_class(class_8))
    stored = Journal(class_8).open(Journal(class_8).rows()[0].id).preset
    assert (values(stored), modes_of(stored)) == (values(decided), modes_of(decided))
    assert link_text(stored) == f"default,{KEY}=1,{MODE}=blocks"
    assert "2 changes" in text_of(asked) and asked.button(key=f"reset {KEY}")


def test_the_line_counts_the_limits_in_use_and_undo_takes_them_back(asked):
    assert line(asked) == "Limits for class 8: 2 of 2 in use."
    asked.button(key="undo").click().run()  # the sidebar's undo takes both back in one step
    assert places(asked) == (BASE[KEY], "watches") and word(asked) == "ANSWERED"
    assert line(asked) == "Limits for class 8: 0 of 2 in use."


def test_the_next_question_of_another_class_gets_back_only_what_the_class_has_moved(class_8, start):
    at = start()
    at.slider(key=OTHER).set_value(0.33).run()
    ask(ask(at, 8), 0)
    assert not line(at) and word(at) == "ANSWERED"
    assert places(at) == (BASE[KEY], "watches") and limits_of(at)[OTHER] == 0.33


def test_a_move_by_hand_wins_until_the_next_question(asked):
    asked.slider(key=KEY).set_value(0.2).run()
    assert word(asked) == "ANSWERED" and line(asked) == "Limits for class 8: 1 of 2 in use."
    ask(asked, 0)
    assert places(asked) == (0.2, "watches")  # the slider was moved by hand, the mode was not
    ask(asked, 8)
    assert places(asked) == (1.0, "blocks") and word(asked) == "REFUSED"


def test_an_earlier_turn_opens_under_the_limits_of_its_class(asked):
    ask(asked, 0)
    assert word(asked) == "ANSWERED"
    asked.button(key="turn 1").click().run()
    assert word(asked) == "REFUSED" and places(asked) == (1.0, "blocks")


def test_a_new_conversation_has_no_limits_of_the_last_class(asked):
    asked.button(key="new conversation").click().run()
    assert places(asked) == (BASE[KEY], "watches") and not line(asked)


def test_without_a_filter_the_same_question_is_decided_by_the_preset(asked):
    asked.session_state["details shown"] = "Sentences"
    asked.button(key="ask in all books").click().run()
    assert not asked.exception and word(asked) == "ANSWERED" and places(asked) == (BASE[KEY], "watches")


def test_a_broken_file_asks_nothing_and_is_named_in_one_sentence(class_8, start):
    at = start()
    (class_8 / FILE).write_text("{", encoding="utf-8")
    ask(at, 8)
    assert [f"{FILE} cannot be read" in e.value.replace("\\", "") for e in at.error] == [True]
    assert word(at) is None and places(at) == (BASE[KEY], "watches")
